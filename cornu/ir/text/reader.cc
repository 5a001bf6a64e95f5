#include "cornu/ir/text/reader.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/print.h"

namespace cornu::inline v0::ir {
namespace text {

namespace {

/// Memory of a function's record, of a referenced name and of a region, in addition to the text.
constexpr std::size_t kFunctionBytes = 512, kReferenceBytes = 128, kRegionBytes = 1024;
/// Memory of a value in a list: the list's capacity doubles, and the smaller block is freed afterwards.
constexpr std::size_t kListedValueBytes = 3 * sizeof(Value);

}  // namespace

Reader::Reader(std::string_view text, FindOp find_op, const ParseOptions& options)
    : lexer_(text, options.name),
      find_op_(find_op),
      budget_{.depth = options.max_depth,
              .num_ops = options.max_ops,
              .num_inlined_bytes = options.max_inlined_bytes,
              .num_splat_bytes = options.max_splat_bytes,
              .charge = options.charge} {}

ParsedModule Reader::read() {
  scan_module();
  ParsedModule parsed;
  parsed.name = lexer_.name();
  parsed.attributes = std::move(module_attributes_);
  for (FunctionText& function : functions_)
    if (!function.is_private || !references_.contains(function.name)) read_function(function, parsed);
  budget_.report();
  return parsed;
}

void Reader::scan_module() {
  bool has_module = false;
  while (!lexer_.is(TokenKind::kEnd)) {
    if (lexer_.is(TokenKind::kHash)) {  // an alias: #loc1 = loc(...)
      lexer_.take();
      lexer_.expect("=");
      read_syntax(lexer_, budget_);
    } else if (lexer_.is("module") || lexer_.is("builtin.module")) {
      if (has_module) lexer_.fail_at(lexer_.token().position, "there must be one module");
      has_module = true;
      lexer_.take();
      if (lexer_.is(TokenKind::kSymbol)) {
        const Token name = lexer_.take();
        module_attributes_.set("sym_name", unquoted(lexer_, name));
      }
      if (lexer_.accept("attributes"))
        for (const auto& [name, value] : read_fields(lexer_, budget_).fields)
          module_attributes_.set(name, to_attribute(lexer_, value));
      lexer_.expect("{");
      scan_functions();
      lexer_.expect("}");
      skip_location();
    } else if (!has_module && (lexer_.is("func.func") || lexer_.is(kMesh))) {
      scan_functions();
    } else {
      lexer_.fail_expected("\"module\" or \"func.func\"");
    }
  }
  if (functions_.empty()) lexer_.fail_at(lexer_.size(), "there is no function in this text");
}

void Reader::scan_functions() {
  while (lexer_.is("func.func") || lexer_.is(kMesh)) {
    if (lexer_.is(kMesh))
      read_mesh();
    else
      scan_function();
  }
}

/// sdy.mesh @mesh = <["a"=1]> {attributes}
void Reader::read_mesh() {
  lexer_.expect(kMesh);
  const Token name = lexer_.expect(TokenKind::kSymbol, "the mesh's name, such as @mesh");
  lexer_.expect("=");
  Syntax mesh;
  mesh.begin = lexer_.token().position;
  if (lexer_.is("<"))
    lexer_.skip_balanced();
  else
    read_syntax(lexer_, budget_);
  mesh.end = lexer_.token().position;
  budget_.take_bytes(mesh.end - mesh.begin);
  module_attributes_.set(fmt::format("{} @{}", kMesh, unquoted(lexer_, name)), to_attribute(lexer_, mesh));
  if (lexer_.is("{")) lexer_.skip_balanced();
  skip_location();
}

void Reader::scan_function() {
  lexer_.expect("func.func");
  budget_.take_bytes(kFunctionBytes);
  FunctionText function;
  if (lexer_.accept("private"))
    function.is_private = true;
  else if (!lexer_.accept("public"))
    lexer_.accept("nested");
  const Token name = lexer_.expect(TokenKind::kSymbol, "the function's name, such as @main");
  function.name = unquoted(lexer_, name);
  function.position = name.position;
  function.signature = lexer_.token().position;
  if (!function_numbers_.emplace(function.name, functions_.size()).second)
    lexer_.fail_at(name.position, fmt::format("two functions are called \"{}\"", function.name));
  functions_.push_back(std::move(function));
  // The body is skipped; the functions that it calls are recorded.
  if (!lexer_.is("(")) lexer_.fail_expected("\"(\"");
  lexer_.skip_balanced();
  while (!lexer_.is("{") || !lexer_.is(TokenKind::kMark)) {
    if (lexer_.is(TokenKind::kEnd)) lexer_.fail_expected("the function's body");
    if (lexer_.accept("attributes") || lexer_.is("("))
      lexer_.skip_balanced();
    else
      lexer_.take();
  }
  std::size_t depth = 0;
  do {
    if (lexer_.is(TokenKind::kEnd)) lexer_.fail_at(functions_.back().position, "this function has no end");
    if (lexer_.is(TokenKind::kSymbol) && references_.insert(unquoted(lexer_, lexer_.token())).second)
      budget_.take_bytes(kReferenceBytes);
    if (lexer_.is("{")) ++depth;
    if (lexer_.is("}")) --depth;
    lexer_.take();
  } while (depth > 0);
  functions_.back().end = lexer_.token().position;
  skip_location();
}

Signature Reader::read_signature() {
  Signature signature;
  lexer_.expect("(");
  while (!lexer_.is(")")) {
    const Token name = lexer_.expect(TokenKind::kValue, "an argument such as %arg0");
    lexer_.expect(":");
    signature.arguments.push_back({name.text, read_type(lexer_)});
    budget_.take_value(signature.arguments.back().type);
    Attributes& attributes = signature.argument_attributes.emplace_back();
    if (lexer_.is("{"))
      for (const auto& [key, value] : read_fields(lexer_, budget_).fields)
        attributes.set(key, to_attribute(lexer_, value));
    skip_location();
    if (!lexer_.accept(",")) break;
  }
  lexer_.expect(")");
  if (lexer_.accept("->")) {
    if (!lexer_.accept("(")) {
      add_listed_types(lexer_, budget_, signature.results);
      signature.result_attributes.resize(signature.results.size());
    } else {
      while (!lexer_.is(")")) {
        add_listed_types(lexer_, budget_, signature.results);
        signature.result_attributes.resize(signature.results.size());
        if (lexer_.is("{"))
          for (const auto& [key, value] : read_fields(lexer_, budget_).fields)
            signature.result_attributes.back().set(key, to_attribute(lexer_, value));
        if (!lexer_.accept(",")) break;
      }
      lexer_.expect(")");
    }
  }
  if (lexer_.accept("attributes")) read_fields(lexer_, budget_);
  return signature;
}

namespace {

void check_results(const Lexer& lexer, const FunctionText& function, const Signature& signature,
                   std::span<const Value> results) {
  bool fits = results.size() == signature.results.size();
  for (std::size_t i = 0; fits && i < results.size(); ++i) fits = results[i].type() == signature.results[i];
  if (!fits)
    lexer.fail_at(function.position,
                  fmt::format("the function \"{}\" returns other values than it says", function.name));
}

}  // namespace

void Reader::read_function(FunctionText& function, ParsedModule& parsed) {
  Function& made = parsed.module.add_function(function.name);
  lexer_.seek(function.signature);
  Signature signature = read_signature();
  names_.clear();
  defined_.clear();
  for (const ShortForm::Argument& argument : signature.arguments)
    define(argument.name, {made.body.add_argument(argument.type)}, function.position);
  function.is_open = true;
  Builder builder(made.body);
  lexer_.expect("{");
  std::vector<Value> results = read_ops(builder);
  function.is_open = false;
  check_results(lexer_, function, signature, results);
  made.body.set_results(std::move(results));
  if (parsed.module.functions.size() != 1 && function.name != "main") return;
  parsed.argument_attributes = std::move(signature.argument_attributes);
  parsed.result_attributes = std::move(signature.result_attributes);
}

FunctionText& Reader::find_function(const Token& symbol) {
  const auto found = function_numbers_.find(unquoted(lexer_, symbol));
  if (found == function_numbers_.end())
    lexer_.fail_at(symbol.position, fmt::format("there is no function {}", symbol.text));
  return functions_[found->second];
}

std::vector<Value> Reader::inline_function(FunctionText& function, Builder& builder,
                                           std::span<const Value> operands, std::size_t call) {
  if (function.is_open) lexer_.fail_at(call, fmt::format("the function \"{}\" calls itself", function.name));
  const Level level(lexer_, budget_);
  budget_.num_inlined_bytes -= static_cast<std::int64_t>(function.end - function.signature);
  if (budget_.num_inlined_bytes < 0) lexer_.fail_at(call, "functions are called too often");
  budget_.take_bytes(function.end - function.signature);  // each call copies names and attributes
  const std::size_t after = lexer_.token().position;
  Names outer_names;
  std::vector<std::string_view> outer_defined;
  std::swap(names_, outer_names);
  std::swap(defined_, outer_defined);
  function.is_open = true;
  lexer_.seek(function.signature);
  const Signature signature = read_signature();
  bool fits = operands.size() == signature.arguments.size();
  for (std::size_t i = 0; fits && i < operands.size(); ++i)
    fits = operands[i].type() == signature.arguments[i].type;
  if (!fits) lexer_.fail_at(call, fmt::format("the function \"{}\" takes other arguments", function.name));
  for (std::size_t i = 0; i < operands.size(); ++i)
    define(signature.arguments[i].name, {operands[i]}, function.position);
  lexer_.expect("{");
  std::vector<Value> results = read_ops(builder);
  check_results(lexer_, function, signature, results);
  function.is_open = false;
  std::swap(names_, outer_names);
  std::swap(defined_, outer_defined);
  lexer_.seek(after);
  return results;
}

std::vector<Value> Reader::read_ops(Builder& builder) {
  while (true) {
    const bool is_generic = lexer_.is(TokenKind::kString);
    std::string_view name = lexer_.token().text;
    if (is_generic) name = name.substr(1, name.size() - 2);
    if (name != "stablehlo.return" && name != "func.return" && name != "return" && name != kShardyReturn) {
      read_op(*this, builder);
      continue;
    }
    lexer_.take();
    std::vector<Value> results;
    if (is_generic) lexer_.expect("(");
    const Token first = lexer_.token();
    while (lexer_.is(TokenKind::kValue)) {
      const std::vector<Value> more = read_all_values();  // of a tuple
      if (more.size() > 1) take_tuple_elements(lexer_, first.position, budget_, more.size());
      results.insert(results.end(), more.begin(), more.end());
      if (!lexer_.accept(",")) break;
    }
    if (is_generic) lexer_.expect(")");
    if (lexer_.accept(":")) {
      const NodesOfScope nodes(budget_);
      std::vector<TensorType> types;
      if (is_generic) {
        types = read_types(lexer_, budget_);
        lexer_.expect("->");
        read_types(lexer_, budget_);
      } else {
        do add_listed_types(lexer_, budget_, types);
        while (lexer_.accept(","));
      }
      bool fits = types.size() == results.size();
      for (std::size_t i = 0; fits && i < types.size(); ++i) fits = types[i] == results[i].type();
      if (!fits) lexer_.fail_at(first.position, "the returned values have other types than stand here");
    }
    skip_location();
    lexer_.expect("}");
    return results;
  }
}

std::vector<ShortForm::Argument> Reader::read_block_arguments() {
  std::vector<ShortForm::Argument> arguments;
  if (!lexer_.accept("(")) return arguments;
  while (!lexer_.is(")")) {
    const Token name = lexer_.expect(TokenKind::kValue, "an argument such as %arg0");
    lexer_.expect(":");
    arguments.push_back({name.text, read_type(lexer_)});
    budget_.take_value(arguments.back().type);
    skip_location();
    if (!lexer_.accept(",")) break;
  }
  lexer_.expect(")");
  return arguments;
}

std::unique_ptr<Block> Reader::read_region(std::span<const ShortForm::Argument> arguments) {
  const Level level(lexer_, budget_);
  const std::size_t begin = lexer_.token().position;
  lexer_.expect("{");
  std::vector<ShortForm::Argument> own(arguments.begin(), arguments.end());
  if (lexer_.is(TokenKind::kBlock)) {
    lexer_.take();
    own = read_block_arguments();
    lexer_.expect(":");
  }
  budget_.take_bytes(kRegionBytes);
  auto block = std::make_unique<Block>();
  const std::size_t num_outer = defined_.size();
  for (const ShortForm::Argument& argument : own)
    define(argument.name, {block->add_argument(argument.type)}, begin);
  Builder builder(*block);
  block->set_results(read_ops(builder));
  for (std::size_t i = num_outer; i < defined_.size(); ++i) names_.erase(defined_[i]);
  defined_.resize(num_outer);
  return block;
}

void Reader::define(std::string_view name, std::vector<Value> values, std::size_t position) {
  if (!names_.emplace(name, std::move(values)).second)
    lexer_.fail_at(position, fmt::format("{} is defined twice", name));
  defined_.push_back(name);
}

Value Reader::read_value() {
  const Token token = lexer_.expect(TokenKind::kValue, "a value such as %0");
  budget_.take_bytes(kListedValueBytes);
  const std::size_t hash = token.text.find('#');
  const auto found = names_.find(token.text.substr(0, hash));
  if (found == names_.end())
    lexer_.fail_at(token.position, fmt::format("{} is not defined here", token.text));
  std::size_t number = 0;
  if (hash != std::string_view::npos)
    for (const char c : token.text.substr(hash + 1))
      number = std::min<std::size_t>(number * 10 + static_cast<std::size_t>(c - '0'), std::size_t{1} << 32);
  if (number >= found->second.size())
    lexer_.fail_at(token.position, fmt::format("{}: there are {} results", token.text, found->second.size()));
  return found->second[number];
}

std::vector<Value> Reader::read_all_values() {
  const auto found = names_.find(lexer_.token().text);
  if (found == names_.end()) return {read_value()};
  lexer_.take();
  budget_.take_bytes(kListedValueBytes * found->second.size());
  return found->second;
}

std::vector<Value> Reader::read_values() {
  std::vector<Value> values;
  do values.push_back(read_value());
  while (lexer_.accept(","));
  return values;
}

std::string Reader::read_location() {
  if (!lexer_.is("loc")) return "";
  lexer_.take();
  std::string name;
  const std::size_t bracket = lexer_.token().position;
  if (lexer_.accept("(") && lexer_.is(TokenKind::kString)) {
    const Token text = lexer_.take();
    if (lexer_.is(")")) name = unquoted(lexer_, text);
  }
  lexer_.seek(bracket);
  lexer_.skip_balanced();
  return name;
}

TensorType read_listed_type(Lexer& lexer, ReadBudget& budget) {
  budget.take_node();
  return read_type(lexer);
}

void add_listed_types(Lexer& lexer, ReadBudget& budget, std::vector<TensorType>& types) {
  if (!lexer.accept("tuple")) return types.push_back(read_listed_type(lexer, budget));
  lexer.expect("<");
  if (lexer.is(">")) refuse_empty_tuple(lexer, lexer.token().position);
  while (!lexer.is(">")) {
    types.push_back(read_listed_type(lexer, budget));
    if (!lexer.accept(",")) break;
  }
  lexer.expect(">");
}

std::vector<TensorType> read_types(Lexer& lexer, ReadBudget& budget) {
  std::vector<TensorType> types;
  if (!lexer.accept("(")) {
    add_listed_types(lexer, budget, types);
    return types;
  }
  while (!lexer.is(")")) {
    add_listed_types(lexer, budget, types);
    if (!lexer.accept(",")) break;
  }
  lexer.expect(")");
  return types;
}

}  // namespace text

Function& ParsedModule::entry() const {
  Function* const main = module.find("main");
  if (main != nullptr) return *main;
  if (module.functions.size() == 1) return *module.functions[0];
  invalid_argument("{}: a program must have one function, or one that is called \"main\"; this one has {}",
                   name, module.functions.size());
}

std::vector<std::int64_t> ParsedModule::donations() const {
  std::vector<std::int64_t> results;
  for (const Attributes& of_argument : argument_attributes) {
    const Attribute* const found = of_argument.find("tf.aliasing_output");
    const auto* const number = found == nullptr ? nullptr : std::get_if<std::int64_t>(found);
    results.push_back(number == nullptr ? kNotDonated : *number);
  }
  return results;
}

ParsedModule parse_stablehlo(std::string_view text, FindOp find_op, const ParseOptions& options) {
  return text::Reader(text, find_op, options).read();
}

}  // namespace cornu::inline v0::ir
