#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ir/text/reader.h"

namespace cornu::inline v0::ir::text {

/// Parses one op: results, name, then the generic or the short form.
class OpReader : public ShortForm {
 public:
  OpReader(Reader& reader, Builder& builder)
      : reader_(reader), lexer_(reader.lexer_), builder_(builder), nodes_(reader.budget_) {}

  void read() {
    read_result_names();
    position_ = lexer_.token().position;
    if (lexer_.is(TokenKind::kString)) {
      name_ = unquoted(lexer_, lexer_.take());
      read_generic();
    } else {
      name_ = lexer_.expect(TokenKind::kWord, "an operation").text;
      read_short();
    }
    const LocationScope layer(builder_, reader_.read_location());
    finish();
  }

  Lexer& lexer() override { return lexer_; }
  Value read_value() override { return reader_.read_value(); }
  void read_field() override {
    const Token name = lexer_.expect(TokenKind::kWord, "an attribute's name");
    lexer_.expect("=");
    fields.fields.push_back({std::string(name.text), read_syntax(lexer_, reader_.budget_)});
  }
  void read_fields() override {
    if (lexer_.is("{")) add_fields(text::read_fields(lexer_, reader_.budget_));
  }
  void read_types() override;
  void read_region(std::span<const Argument> arguments) override {
    regions.push_back(reader_.read_region(arguments));
  }
  const OpDef& read_op_name() override {
    const Token name = lexer_.expect(TokenKind::kWord, "an operation's name");
    return find_op(name.text, name.position);
  }
  std::vector<Value> create(Block& block, const OpDef& op, std::vector<Value> inputs) override {
    Builder inner(block);
    return create(inner, op, std::move(inputs), {}, {});
  }

 private:
  std::vector<Value> create(Builder& builder, const OpDef& op, std::vector<Value> inputs,
                            Attributes attributes, std::vector<std::unique_ptr<Block>> blocks);

  struct ResultName {
    std::string_view name;
    std::size_t count;
    std::size_t position;
  };

  bool is_call() const { return name_ == "func.call" || name_ == "call"; }
  bool is_composite() const { return name_ == "stablehlo.composite"; }
  const OpDef& find_op(std::string_view name, std::size_t position) const;

  void read_result_names();
  void read_generic();
  void read_short();
  void read_item();
  void read_slices();
  void add_fields(Syntax more);
  void check_operand_types(std::span<const TensorType> types, std::size_t position) const;

  void finish();
  void count_lists(std::size_t num_attributes);
  std::vector<Value> make_op();
  std::vector<Value> make_composite();
  const Syntax& field(std::string_view name, SyntaxKind kind) const;
  void define_results(const std::vector<Value>& results);

  Reader& reader_;
  Lexer& lexer_;
  Builder& builder_;
  const NodesOfScope nodes_;
  std::string name_;
  std::size_t position_ = 0;
  std::vector<ResultName> result_names_;
  bool has_result_types_ = false;
};

void OpReader::read_result_names() {
  // Memory of a name: its record here and its entry in a table. The op's own charge includes the first name.
  constexpr std::size_t kNameBytes = 256;
  if (!lexer_.is(TokenKind::kValue)) return;
  do {
    if (!result_names_.empty()) reader_.budget_.take_bytes(kNameBytes);
    const Token name = lexer_.expect(TokenKind::kValue, "a result's name");
    ResultName result{name.text, 1, name.position};
    if (name.text.find('#') != std::string_view::npos)
      lexer_.fail_at(name.position, "a result is named without \"#\"");
    if (lexer_.accept(":")) {
      const Token count = lexer_.expect(TokenKind::kInteger, "how many results there are");
      const std::int64_t number = integer_of(lexer_, count);
      if (number < 1)
        lexer_.fail_at(count.position, fmt::format("{} must name at least one result", name.text));
      result.count = static_cast<std::size_t>(number);
    }
    result_names_.push_back(result);
  } while (lexer_.accept(","));
  lexer_.expect("=");
}

const OpDef& OpReader::find_op(std::string_view name, std::size_t position) const {
  const OpDef* const op = reader_.find_op_(name);
  if (op == nullptr)
    lexer_.fail_at(position,
                   Error(ErrorCode::kUnimplemented, fmt::format("Cornu has no operation \"{}\"", name)));
  return *op;
}

void OpReader::add_fields(Syntax more) {
  for (auto& item : more.fields) fields.fields.push_back(std::move(item));
}

/// "op"(%a, %b) <{properties}> ({region}, {region}) {attributes} : (types) -> types
void OpReader::read_generic() {
  lexer_.expect("(");
  if (!lexer_.is(")")) operands = reader_.read_values();
  lexer_.expect(")");
  if (lexer_.is("[")) lexer_.fail_at(lexer_.token().position, "branches to other blocks are not supported");
  if (lexer_.accept("<")) {
    read_fields();
    lexer_.expect(">");
  }
  if (lexer_.accept("(")) {
    do read_region({});
    while (lexer_.accept(","));
    lexer_.expect(")");
  }
  read_fields();
  const std::size_t types = lexer_.token().position;
  lexer_.expect(":");
  FunctionType type = read_function_type(lexer_, reader_.budget_);
  check_operand_types(type.operands, types);
  result_types = std::move(type.results);
  has_result_types_ = true;
}

void OpReader::read_short() {
  if (!is_call() && !is_composite()) {
    const OpDef& op = find_op(name_, position_);
    if (op.read_short_form != nullptr) {
      op.read_short_form(*this);
      return;
    }
  }
  // Operands, words and "name = value" in any order, separated by commas or not at all.
  while (!lexer_.is(":") && !lexer_.is("{") && !lexer_.is("loc")) {
    const std::size_t before = lexer_.token().position;
    if (lexer_.is(TokenKind::kEnd) || lexer_.is("}")) return;
    read_item();
    const bool is_separated = lexer_.accept(",");
    if (lexer_.token().position == before) lexer_.fail_expected("an operand, an attribute or types");
    // A constant's type is that of its literal.
    if (!is_separated && !loose.empty() && loose.back().is(SyntaxKind::kLiteral)) return;
  }
  read_fields();
  if (lexer_.is(":")) read_types();
}

void OpReader::read_item() {
  if (lexer_.accept("(")) {  // convolution(%x, %w), call @f(%x)
    if (!lexer_.is(")")) {
      const std::vector<Value> values = reader_.read_values();
      operands.insert(operands.end(), values.begin(), values.end());
    }
    lexer_.expect(")");
    return;
  }
  if (lexer_.is(TokenKind::kValue)) {
    operands.push_back(reader_.read_value());
    if (lexer_.is("[")) read_slices();
    return;
  }
  const Token first = lexer_.token();
  if (lexer_.is(TokenKind::kWord)) {
    lexer_.take();
    if (lexer_.accept("=")) {
      fields.fields.push_back({std::string(first.text), read_syntax(lexer_, reader_.budget_)});
      return;
    }
    lexer_.seek(first.position);
  }
  loose.push_back(read_syntax(lexer_, reader_.budget_));
}

/// Parses "[0:5:2, 1:3]" after an operand: one list of integers for each dimension.
void OpReader::read_slices() {
  Syntax slices;
  slices.kind = SyntaxKind::kList;
  slices.begin = lexer_.token().position;
  lexer_.expect("[");
  while (!lexer_.is("]")) {
    reader_.budget_.take_node();
    Syntax range;
    range.kind = SyntaxKind::kIntegers;
    range.begin = lexer_.token().position;
    do {
      reader_.budget_.take_bytes(sizeof(std::int64_t));
      range.integers.push_back(integer_of(lexer_, lexer_.expect(TokenKind::kInteger, "a whole number")));
    } while (lexer_.accept(":"));
    slices.items.push_back(std::move(range));
    if (!lexer_.accept(",")) break;
  }
  lexer_.expect("]");
  slices.end = lexer_.token().position;
  loose.push_back(std::move(slices));
}

/// Parses ": (types) -> types", or ": type, type", in which the last is the result's; each operand's type is
/// then one of these.
void OpReader::read_types() {
  const std::size_t position = lexer_.token().position;
  lexer_.expect(":");
  has_result_types_ = true;
  const bool has_brackets = lexer_.is("(");
  std::vector<TensorType> types = text::read_types(lexer_, reader_.budget_);
  if (!has_brackets)
    while (lexer_.accept(",")) types.push_back(read_listed_type(lexer_, reader_.budget_));
  if (has_brackets || lexer_.is("->")) {
    check_operand_types(types, position);
    lexer_.expect("->");
    result_types = text::read_types(lexer_, reader_.budget_);
    return;
  }
  for (const Value& operand : operands)
    if (std::find(types.begin(), types.end(), operand.type()) == types.end())
      lexer_.fail_at(position, fmt::format("[{}] an operand is {}, which is not among these types", name_,
                                           operand.type().str()));
  result_types = {types.back()};
}

void OpReader::check_operand_types(std::span<const TensorType> types, std::size_t position) const {
  if (types.size() != operands.size())
    lexer_.fail_at(position, fmt::format("[{}] there are {} operands and {} types of them", name_,
                                         operands.size(), types.size()));
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i] != operands[i].type())
      lexer_.fail_at(position, fmt::format("[{}] operand {} is {}, not {}", name_, i,
                                           operands[i].type().str(), types[i].str()));
}

const Syntax& OpReader::field(std::string_view name, SyntaxKind kind) const {
  const Syntax* const found = fields.find(name);
  if (found == nullptr || !found->is(kind))
    lexer_.fail_at(position_, fmt::format("[{}] the attribute {} is missing", name_, name));
  return *found;
}

void OpReader::finish() {
  std::vector<Value> results;
  if (is_call()) {
    const bool is_loose = loose.size() == 1 && loose[0].is(SyntaxKind::kSymbol);
    const Syntax& callee = is_loose ? loose[0] : field("callee", SyntaxKind::kSymbol);
    const std::string symbol = "@" + callee.text;
    results = reader_.inline_function(reader_.find_function({TokenKind::kSymbol, symbol, callee.begin}),
                                      builder_, operands, position_);
  } else if (is_composite()) {
    results = make_composite();
  } else {
    results = make_op();
  }
  if (has_result_types_ || !result_types.empty()) {
    bool fits = results.size() == result_types.size();
    for (std::size_t i = 0; fits && i < results.size(); ++i) fits = results[i].type() == result_types[i];
    if (!fits) {
      std::string made;
      for (const Value& result : results) made += (made.empty() ? "" : ", ") + result.type().str();
      lexer_.fail_at(position_, fmt::format("[{}] the results are ({}), not what stands here", name_, made));
    }
  }
  define_results(results);
}

/// Counts the lists that the op keeps. Its own charge includes a few operands and attributes, and one result.
void OpReader::count_lists(std::size_t num_attributes) {
  constexpr std::size_t kFewOperands = 8, kFewAttributes = 4;
  constexpr std::size_t kAttributeBytes =
      2 * sizeof(std::pair<std::string, Attribute>);  // the list's capacity may be twice its length
  ReadBudget& budget = reader_.budget_;
  for (std::size_t i = kFewOperands; i < operands.size(); ++i) budget.take_value(operands[i].type());
  for (std::size_t i = 1; i < result_types.size(); ++i) budget.take_value(result_types[i]);
  if (num_attributes > kFewAttributes) budget.take_bytes(kAttributeBytes * (num_attributes - kFewAttributes));
}

std::vector<Value> OpReader::make_op() {
  const OpDef& op = find_op(name_, position_);
  count_lists(fields.fields.size());
  std::vector<TensorType> operand_types;
  operand_types.reserve(operands.size());
  for (const Value& operand : operands) operand_types.push_back(operand.type());
  OpAttributes text(lexer_, position_, name_, fields, loose, operand_types, result_types);
  Attributes attributes;
  if (op.read_attributes != nullptr) {
    attributes = op.read_attributes(text);
    text.keep_unread(attributes);
  } else {
    for (const auto& [name, value] : fields.fields) attributes.set(name, to_attribute(lexer_, value));
  }
  return create(builder_, op, operands, std::move(attributes), std::move(regions));
}

std::vector<Value> OpReader::create(Builder& builder, const OpDef& op, std::vector<Value> inputs,
                                    Attributes attributes, std::vector<std::unique_ptr<Block>> blocks) {
  if (--reader_.budget_.num_ops < 0) lexer_.fail_at(position_, "there are too many operations");
  reader_.budget_.take_op();
  if (!op.has_regions && !blocks.empty())
    lexer_.fail_at(position_, fmt::format("[{}] has no regions; got {}", op.name, blocks.size()));
  try {
    const Op& made = builder.create(op, std::move(inputs), std::move(attributes), std::move(blocks));
    return {made.results().begin(), made.results().end()};
  } catch (const Error& error) {
    lexer_.fail_at(position_, error);
  }
}

std::vector<Value> OpReader::make_composite() {
  const Syntax* const named = fields.find("name");
  std::string name = named != nullptr && named->is(SyntaxKind::kString) ? named->text : "";
  if (name.empty() && loose.size() == 1 && loose[0].is(SyntaxKind::kString)) name = loose[0].text;
  const OpDef* const op = reader_.find_op_(name);
  if (op != nullptr && op->is_composite() && !op->has_regions) {
    const Syntax* const given = fields.find("composite_attributes");
    count_lists(given == nullptr ? 0 : given->fields.size());
    Attributes attributes;
    if (given != nullptr)
      for (const auto& [key, value] : given->fields) attributes.set(key, to_attribute(lexer_, value));
    return create(builder_, *op, operands, std::move(attributes), {});
  }
  const Syntax& decomposition = field("decomposition", SyntaxKind::kSymbol);
  const std::string symbol = "@" + decomposition.text;
  return reader_.inline_function(reader_.find_function({TokenKind::kSymbol, symbol, decomposition.begin}),
                                 builder_, operands, position_);
}

void OpReader::define_results(const std::vector<Value>& results) {
  std::size_t next = 0;
  for (const ResultName& name : result_names_) {
    if (name.count > results.size() - next)
      lexer_.fail_at(name.position, fmt::format("[{}] has {} results", name_, results.size()));
    reader_.define(name.name,
                   {results.begin() + static_cast<std::ptrdiff_t>(next),
                    results.begin() + static_cast<std::ptrdiff_t>(next + name.count)},
                   name.position);
    next += name.count;
  }
  if (!result_names_.empty() && next != results.size())
    lexer_.fail_at(position_, fmt::format("[{}] has {} results, {} are named", name_, results.size(), next));
}

void read_op(Reader& reader, Builder& builder) { OpReader(reader, builder).read(); }

}  // namespace cornu::inline v0::ir::text
