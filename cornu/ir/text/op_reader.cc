#include <algorithm>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_maker.h"
#include "cornu/ir/text/reader.h"

namespace cornu::inline v0::ir::text {

/// Parses one op: results, name, then the generic or the short form.
class OpReader : public ShortForm {
 public:
  OpReader(Reader& reader, Builder& builder)
      : reader_(reader),
        lexer_(reader.lexer_),
        builder_(builder),
        nodes_(reader.budget_),
        maker_(reader.lexer_, reader.find_op_, reader.budget_) {}

  void read() {
    read_result_names();
    position = lexer_.token().position;
    const bool is_generic = lexer_.is(TokenKind::kString);
    name = is_generic ? unquoted(lexer_, lexer_.take())
                      : std::string(lexer_.expect(TokenKind::kWord, "an operation").text);
    if (name == kTuple || name == kGetTupleElement) {
      read_tuple_op();
      return;
    }
    if (is_generic)
      read_generic();
    else
      read_short();
    const LocationScope layer(builder_, reader_.read_location());
    finish();
  }

  Lexer& lexer() override { return lexer_; }
  Value read_value() override { return reader_.read_value(); }
  void read_field() override {
    const Token key = lexer_.expect(TokenKind::kWord, "an attribute's name");
    lexer_.expect("=");
    fields.fields.push_back({std::string(key.text), read_syntax(lexer_, reader_.budget_)});
  }
  void read_fields() override {
    if (lexer_.is("{")) add_fields(text::read_fields(lexer_, reader_.budget_));
  }
  void read_types() override;
  void read_region(std::span<const Argument> arguments) override {
    regions.push_back(reader_.read_region(arguments));
  }
  const OpDef& read_op_name() override {
    const Token op = lexer_.expect(TokenKind::kWord, "an operation's name");
    return maker_.find_op(op.text, op.position);
  }
  std::vector<Value> create(Block& block, const OpDef& op, std::vector<Value> inputs) override {
    Builder inner(block);
    return maker_.create(inner, op, std::move(inputs), {}, {}, position);
  }

 private:
  struct ResultName {
    std::string_view name;
    std::size_t count;
    std::size_t position;
  };

  bool is_call() const { return name == "func.call" || name == "call"; }
  bool is_composite() const { return name == "stablehlo.composite"; }
  /// True for a sharding constraint that is its operand, since the readers' caller does not have the op.
  bool is_ignored_constraint() const {
    return name == kShardingConstraint && reader_.find_op_(name) == nullptr;
  }
  void read_result_names();
  void read_tuple_op();
  std::vector<Value> element_of_tuple(const std::vector<Value>& leaves, std::size_t where);
  std::size_t read_leaves();
  std::vector<std::size_t> read_element_leaves();
  void read_generic();
  void read_short();
  void read_item();
  void read_slices();
  void add_fields(Syntax more);
  void check_operand_types(std::span<const TensorType> types, std::size_t where) const;
  void read_result_types();

  void finish();
  std::vector<Value> call(const Syntax& callee);
  void define_results(const std::vector<Value>& results);

  Reader& reader_;
  Lexer& lexer_;
  Builder& builder_;
  const NodesOfScope nodes_;
  const OpMaker maker_;
  std::vector<ResultName> result_names_;
  bool has_tuple_result_ = false;  // all results have one name
};

void OpReader::read_result_names() {
  // Memory of a name: its record here and its entry in a table. The op's own charge includes the first name.
  constexpr std::size_t kNameBytes = 256;
  if (!lexer_.is(TokenKind::kValue)) return;
  do {
    if (!result_names_.empty()) reader_.budget_.take_bytes(kNameBytes);
    const Token first = lexer_.expect(TokenKind::kValue, "a result's name");
    ResultName result{first.text, 1, first.position};
    if (first.text.find('#') != std::string_view::npos)
      lexer_.fail_at(first.position, "a result is named without \"#\"");
    if (lexer_.accept(":")) {
      const Token count = lexer_.expect(TokenKind::kInteger, "how many results there are");
      const std::int64_t number = integer_of(lexer_, count);
      if (number < 1)
        lexer_.fail_at(count.position, fmt::format("{} must name at least one result", first.text));
      result.count = static_cast<std::size_t>(number);
    }
    result_names_.push_back(result);
  } while (lexer_.accept(","));
  lexer_.expect("=");
}

/// Parses a type and returns the number of its tensors: 1, or those in a tuple.
std::size_t OpReader::read_leaves() {
  if (!lexer_.is("tuple")) {
    read_listed_type(lexer_, reader_.budget_);
    return 1;
  }
  std::size_t sum = 0;
  for (const std::size_t leaves : read_element_leaves()) sum += leaves;
  return sum;
}

/// The same for each element of a tuple<..>.
std::vector<std::size_t> OpReader::read_element_leaves() {
  const Level level(lexer_, reader_.budget_);
  lexer_.expect("tuple");
  lexer_.expect("<");
  std::vector<std::size_t> leaves;
  while (!lexer_.is(">")) {
    reader_.budget_.take_node();
    leaves.push_back(read_leaves());
    if (!lexer_.accept(",")) break;
  }
  lexer_.expect(">");
  return leaves;
}

/// A tuple is the list of its tensors, those of inner tuples too: no op is made of it.
///
/// tuple %a, %b : tuple<tensor<f32>, tensor<i32>>
/// get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
void OpReader::read_tuple_op() {
  const bool has_brackets = lexer_.accept("(");
  std::vector<Value> leaves;
  while (lexer_.is(TokenKind::kValue)) {
    const std::vector<Value> more = reader_.read_all_values();
    if (more.size() > 1) take_tuple_elements(lexer_, position, reader_.budget_, more.size());
    leaves.insert(leaves.end(), more.begin(), more.end());
    if (!lexer_.accept(",")) break;
  }
  if (has_brackets) lexer_.expect(")");
  if (lexer_.is("[")) read_slices();
  if (lexer_.accept("<")) {
    read_fields();
    lexer_.expect(">");
  }
  read_fields();
  lexer_.expect(":");
  const std::size_t where = lexer_.token().position;
  if (name == kTuple) {
    if (lexer_.accept("(")) {
      while (!lexer_.is(")")) {
        read_leaves();
        if (!lexer_.accept(",")) break;
      }
      lexer_.expect(")");
      lexer_.expect("->");
    }
    if (read_leaves() != leaves.size()) lexer_.fail_at(where, "the tuple has other elements than its type");
  } else {
    leaves = element_of_tuple(leaves, where);
  }
  reader_.skip_location();
  if (result_names_.size() != 1 || result_names_[0].count != 1)
    lexer_.fail_at(position, fmt::format("[{}] has one result", name));
  reader_.define(result_names_[0].name, std::move(leaves), result_names_[0].position);
}

std::vector<Value> OpReader::element_of_tuple(const std::vector<Value>& leaves, std::size_t where) {
  std::int64_t index = -1;
  if (loose.size() == 1 && loose[0].items.size() == 1 && loose[0].items[0].integers.size() == 1)
    index = loose[0].items[0].integers[0];
  else if (const Syntax* const given = fields.find("index");
           given != nullptr && given->is(SyntaxKind::kInteger))
    index = given->integer;
  lexer_.expect("(");
  const std::vector<std::size_t> counts = read_element_leaves();
  lexer_.expect(")");
  lexer_.expect("->");
  const std::size_t count = read_leaves();
  if (index < 0 || std::cmp_greater_equal(index, counts.size()))
    lexer_.fail_at(position,
                   fmt::format("[{}] (C1) index must be in [0, {}); got {}", name, counts.size(), index));
  std::size_t first = 0;
  for (std::int64_t i = 0; i < index; ++i) first += counts[static_cast<std::size_t>(i)];
  if (counts[static_cast<std::size_t>(index)] != count || count > leaves.size() ||
      first > leaves.size() - count)
    lexer_.fail_at(where, fmt::format("[{}] (C2) the result is not the tuple's element {}", name, index));
  const auto begin = leaves.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
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
  check_operand_types(text::read_types(lexer_, reader_.budget_), types);
  read_result_types();
}

void OpReader::read_short() {
  if (name == kShardingConstraint) {  // %x <@mesh, [{"a"}, {}]>
    operands.push_back(reader_.read_value());
    Syntax sharding;
    sharding.begin = lexer_.token().position;
    if (lexer_.is("<")) lexer_.skip_balanced();
    sharding.end = lexer_.token().position;
    reader_.budget_.take_node();
    fields.fields.push_back({"sharding", std::move(sharding)});
  } else if (!is_call() && !is_composite() && name != kCustomCall) {
    const OpDef& op = maker_.find_op(name, position);
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
    if (!is_separated && !loose.empty() && loose.back().is(SyntaxKind::kLiteral)) {
      read_fields();
      return;
    }
  }
  read_fields();
  if (lexer_.is(":")) read_types();
}

void OpReader::read_item() {
  if (lexer_.accept("(")) {  // convolution(%x, %w), call @f(%x), chlo.top_k(%x, k = 2)
    const Level level(lexer_, reader_.budget_);
    while (!lexer_.is(")")) {
      read_item();
      if (!lexer_.accept(",")) break;
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
  const std::size_t where = lexer_.token().position;
  lexer_.expect(":");
  const bool has_brackets = lexer_.is("(");
  std::vector<TensorType> types = text::read_types(lexer_, reader_.budget_);
  if (!has_brackets)
    while (lexer_.accept(",")) types.push_back(read_listed_type(lexer_, reader_.budget_));
  if (has_brackets || lexer_.is("->")) {
    check_operand_types(types, where);
    return read_result_types();
  }
  const auto is_listed = [&](const TensorType& type) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  // complex has the result's type only.
  for (const Value& operand : operands)
    if (!is_listed(operand.type()) &&
        !(name == "stablehlo.complex" && is_float(operand.dtype()) && bit_width(operand.dtype()) >= 32 &&
          is_listed({complex_dtype(operand.dtype()), operand.dims()})))
      lexer_.fail_at(where, fmt::format("[{}] an operand is {}, which is not among these types", name,
                                        operand.type().str()));
  result_types = {types.back()};
}

/// Parses "-> types"; a tuple is one result with several types.
void OpReader::read_result_types() {
  lexer_.expect("->");
  has_result_types = true;
  has_tuple_result_ = lexer_.is("tuple");
  result_types = text::read_types(lexer_, reader_.budget_);
}

void OpReader::check_operand_types(std::span<const TensorType> types, std::size_t where) const {
  if (types.size() != operands.size())
    lexer_.fail_at(where, fmt::format("[{}] there are {} operands and {} types of them", name,
                                      operands.size(), types.size()));
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i] != operands[i].type())
      lexer_.fail_at(where, fmt::format("[{}] operand {} is {}, not {}", name, i, operands[i].type().str(),
                                        types[i].str()));
}

void OpReader::finish() {
  std::vector<Value> results;
  if (is_call()) {
    const bool is_loose = loose.size() == 1 && loose[0].is(SyntaxKind::kSymbol);
    results = call(is_loose ? loose[0] : maker_.field(*this, "callee", SyntaxKind::kSymbol));
  } else if (is_ignored_constraint()) {
    if (operands.size() != 1 || !regions.empty())
      lexer_.fail_at(position, fmt::format("[{}] must have one operand", name));
    results = operands;
  } else if (!is_composite()) {
    results = maker_.make(builder_, *this);
  } else if (std::optional<std::vector<Value>> made = maker_.make_composite(builder_, *this)) {
    results = std::move(*made);
  } else {
    results = call(maker_.field(*this, "decomposition", SyntaxKind::kSymbol));
  }
  maker_.check_results(*this, results);
  define_results(results);
}

std::vector<Value> OpReader::call(const Syntax& callee) {
  const std::string symbol = "@" + callee.text;
  return reader_.inline_function(reader_.find_function({TokenKind::kSymbol, symbol, callee.begin}), builder_,
                                 operands, position);
}

void OpReader::define_results(const std::vector<Value>& results) {
  if (has_tuple_result_) {
    if (result_names_.size() != 1 || result_names_[0].count != 1)
      lexer_.fail_at(position, fmt::format("[{}] has one result, a tuple", name));
    return reader_.define(result_names_[0].name, results, result_names_[0].position);
  }
  std::size_t next = 0;
  for (const ResultName& result : result_names_) {
    if (result.count > results.size() - next)
      lexer_.fail_at(result.position, fmt::format("[{}] has {} results", name, results.size()));
    reader_.define(result.name,
                   {results.begin() + static_cast<std::ptrdiff_t>(next),
                    results.begin() + static_cast<std::ptrdiff_t>(next + result.count)},
                   result.position);
    next += result.count;
  }
  if (!result_names_.empty() && next != results.size())
    lexer_.fail_at(position, fmt::format("[{}] has {} results, {} are named", name, results.size(), next));
}

void read_op(Reader& reader, Builder& builder) { OpReader(reader, builder).read(); }

}  // namespace cornu::inline v0::ir::text
