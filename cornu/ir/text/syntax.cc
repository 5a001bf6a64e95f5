#include "cornu/ir/text/syntax.h"

#include <charconv>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/token.h"

namespace cornu::inline v0::ir::text {
namespace {

Syntax read_number(Lexer& lexer) {
  Syntax syntax;
  const bool is_negated = lexer.accept("-");
  const Token token = lexer.take();
  if (token.kind == TokenKind::kInteger) {
    syntax.kind = SyntaxKind::kInteger;
    syntax.integer = integer_of(lexer, token);
  } else if (token.kind == TokenKind::kFloat) {
    syntax.kind = SyntaxKind::kFloat;
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), syntax.number);
    if (error != std::errc()) lexer.fail_at(token.position, "this number is beyond the range of f64");
  } else {
    lexer.fail_at(token.position, "expected a number");
  }
  if (is_negated) lexer.fail_at(token.position, "a minus must stand right before its number");
  const std::size_t colon = lexer.token().position;
  if (!lexer.accept(":")) return syntax;
  const auto dtype = lexer.is(TokenKind::kWord) ? dtype_from_name(lexer.token().text) : std::nullopt;
  if (!dtype && !lexer.is("index")) {
    lexer.seek(colon);  // the types of an op, not of the number
    return syntax;
  }
  lexer.take();
  const bool is_float_type = dtype && is_float(*dtype);
  if (syntax.kind == SyntaxKind::kInteger && is_float_type && token.text.starts_with("0x")) {
    // The bits of a float.
    Literal bits(TensorType{*dtype, {}});
    for (std::size_t i = 0; i < bits.bytes().size(); ++i)
      bits.mutable_bytes()[i] = static_cast<std::byte>(static_cast<std::uint64_t>(syntax.integer) >> (8 * i));
    syntax.kind = SyntaxKind::kFloat;
    syntax.number = bits.at(0);
  } else if (syntax.kind == SyntaxKind::kInteger && is_float_type) {
    syntax.kind = SyntaxKind::kFloat;
    syntax.number = static_cast<double>(syntax.integer);
  }
  if (syntax.kind == SyntaxKind::kFloat && is_float_type)
    syntax.number = Literal::scalar(*dtype, syntax.number).at(0);  // as bytecode has it
  return syntax;
}

/// "array<i64: 1, 2>"; the current token is its `<`.
Syntax read_array(Lexer& lexer, ReadBudget& budget) {
  Syntax syntax;
  syntax.kind = SyntaxKind::kIntegers;
  lexer.expect("<");
  const Token type = lexer.expect(TokenKind::kWord, "an element type such as i64");
  const auto dtype = dtype_from_name(type.text);
  if (!dtype || is_float(*dtype))
    lexer.fail_at(type.position, "expected an array of integers or of booleans");
  if (lexer.accept(":")) {
    do {
      budget.take_bytes(sizeof(std::int64_t));
      if (lexer.is("true") || lexer.is("false"))
        syntax.integers.push_back(lexer.take().text == "true" ? 1 : 0);
      else
        syntax.integers.push_back(integer_of(lexer, lexer.expect(TokenKind::kInteger, "a whole number")));
    } while (lexer.accept(","));
  }
  lexer.expect(">");
  return syntax;
}

Syntax read_list(Lexer& lexer, ReadBudget& budget) {
  Syntax syntax;
  syntax.kind = SyntaxKind::kIntegers;
  lexer.expect("[");
  if (lexer.accept("]")) return syntax;
  const auto add = [&](Syntax item) {
    // A list of numbers takes eight bytes for each; other lists need a node for each item.
    if (syntax.is(SyntaxKind::kIntegers) && (item.is(SyntaxKind::kInteger) || item.is(SyntaxKind::kBool))) {
      budget.take_bytes(sizeof item.integer);
      --budget.num_nodes;
      syntax.integers.push_back(item.integer);
      return;
    }
    if (syntax.is(SyntaxKind::kIntegers)) {
      syntax.kind = SyntaxKind::kList;
      for (const std::int64_t value : syntax.integers) {
        budget.take_node();
        syntax.items.emplace_back();
        syntax.items.back().kind = SyntaxKind::kInteger;
        syntax.items.back().integer = value;
      }
      syntax.integers.clear();
    }
    syntax.items.push_back(std::move(item));
  };
  do add(read_syntax(lexer, budget));
  while (lexer.accept(","));
  lexer.expect("]");
  return syntax;
}

/// Parses "[0] x [1]" and "[b, 0, f]x[0, i, o]->[b, 0, f]", if this follows the first list.
Syntax read_product(Lexer& lexer, ReadBudget& budget) {
  Syntax first = read_list(lexer, budget);
  if (!lexer.is("x")) return first;
  Syntax product;
  product.kind = SyntaxKind::kProduct;
  product.items.push_back(std::move(first));
  while (lexer.accept("x") || lexer.accept("->")) product.items.push_back(read_list(lexer, budget));
  return product;
}

/// "#stablehlo.gather<a = 1>", "#stablehlo.conv<[..]x[..]->[..]>", "#stablehlo<precision HIGHEST>".
Syntax read_dialect_attribute(Lexer& lexer, ReadBudget& budget) {
  const Token name = lexer.take();
  Syntax syntax;
  if (!lexer.is("<")) return syntax;  // an alias
  const std::string_view dialect = std::string_view(name.text).substr(0, name.text.find('.'));
  if (dialect != "#stablehlo" && dialect != "#chlo") {
    lexer.skip_balanced();
    return syntax;
  }
  if (dialect == name.text) {
    lexer.take();
    syntax.kind = SyntaxKind::kWord;
    const Token first = lexer.expect(TokenKind::kWord, "an enumeration's name");
    syntax.text = first.text;
    if (lexer.is(TokenKind::kWord)) syntax.text = lexer.take().text;
    lexer.expect(">");
    return syntax;
  }
  const Token open = lexer.token();
  lexer.take();
  if (lexer.is("[")) {
    syntax = read_product(lexer, budget);
    lexer.expect(">");
    return syntax;
  }
  lexer.seek(open.position);
  return read_fields(lexer, budget, "<", ">");
}

bool is_type_word(std::string_view word) {
  return word == "tensor" || word == "tuple" || word == "complex" || word == "memref" || word == "none" ||
         word == "index";
}

Syntax read_word(Lexer& lexer, ReadBudget& budget) {
  Syntax syntax;
  const Token word = lexer.take();
  if (word.text == "true" || word.text == "false") {
    syntax.kind = SyntaxKind::kBool;
    syntax.integer = word.text == "true" ? 1 : 0;
  } else if (word.text == "dense" && lexer.is("<")) {
    syntax.kind = SyntaxKind::kLiteral;
    syntax.literal = read_dense(lexer, budget);
  } else if (word.text == "array" && lexer.is("<")) {
    return read_array(lexer, budget);
  } else if (const auto dtype = dtype_from_name(word.text); dtype && stablehlo_name(*dtype) == word.text) {
    syntax.kind = SyntaxKind::kType;
    syntax.dtype = *dtype;
  } else if (is_type_word(word.text) || lexer.is("<") || lexer.is("(")) {
    if (lexer.is("<") || lexer.is("(")) lexer.skip_balanced();  // tensor<..>, loc(..), dense_resource<..>
  } else {
    syntax.kind = SyntaxKind::kWord;
    syntax.text = word.text;
  }
  return syntax;
}

Syntax read_unplaced(Lexer& lexer, ReadBudget& budget) {
  if (lexer.is("[")) return read_product(lexer, budget);
  if (lexer.is("{")) return read_fields(lexer, budget);
  if (lexer.is("<")) return read_fields(lexer, budget, "<", ">");  // algorithm = <accumulation_type = f32>
  switch (lexer.token().kind) {
    case TokenKind::kInteger:
    case TokenKind::kFloat: return read_number(lexer);
    case TokenKind::kWord: return read_word(lexer, budget);
    case TokenKind::kHash: return read_dialect_attribute(lexer, budget);
    case TokenKind::kString:
    case TokenKind::kSymbol: {
      const Token token = lexer.take();
      Syntax syntax;
      syntax.kind = token.kind == TokenKind::kString ? SyntaxKind::kString : SyntaxKind::kSymbol;
      syntax.text = unquoted(lexer, token);
      while (token.kind == TokenKind::kSymbol && lexer.accept(":"))  // @module::@function
        if (lexer.is(TokenKind::kSymbol)) syntax.text = unquoted(lexer, lexer.take());
      return syntax;
    }
    case TokenKind::kBang: {
      lexer.take();
      if (lexer.is("<")) lexer.skip_balanced();
      return {};
    }
    default: break;
  }
  if (lexer.accept("?")) return {};
  if (lexer.is("(")) {  // a function's type
    lexer.skip_balanced();
    lexer.expect("->");
    read_syntax(lexer, budget);
    return {};
  }
  lexer.fail_expected("an attribute's value");
}

}  // namespace

const Syntax* Syntax::find(std::string_view name) const {
  for (const auto& [key, value] : fields)
    if (key == name) return &value;
  return nullptr;
}

void ReadBudget::take_bytes(std::size_t num_bytes) {
  constexpr std::size_t kReported = std::size_t{64} << 10;
  num_unreported_bytes += num_bytes;
  if (num_unreported_bytes >= kReported) report();
}

void ReadBudget::take_op() {
  constexpr std::int64_t kReported = 16;
  if (++num_unreported_ops >= kReported) report();
}

void ReadBudget::take_value(const TensorType& type) {
  // The value's node and type, and about the same amount in the parser's tables of names and types.
  constexpr std::size_t kValueBytes = 256;
  take_bytes(kValueBytes + 2 * sizeof(std::int64_t) * type.dims.size());
}

void ReadBudget::take_node() {
  if (++num_nodes <= most_nodes) return;
  most_nodes = num_nodes;
  take_bytes(2 * sizeof(SyntaxField));  // a vector's capacity may be twice its size
}

void ReadBudget::report() {
  const std::int64_t ops = std::exchange(num_unreported_ops, 0);
  const std::size_t bytes = std::exchange(num_unreported_bytes, 0);
  if (charge && (ops > 0 || bytes > 0)) charge(ops, bytes);
}

Level::Level(const Source& source, std::size_t position, ReadBudget& budget) : budget_(budget) {
  if (budget_.depth <= 0) source.fail_at(position, "this is nested too deeply");
  --budget_.depth;
}

void take_tuple_elements(const Source& source, std::size_t position, ReadBudget& budget, std::size_t count) {
  if (count > budget.num_tuple_elements)
    source.fail_at(position, "the tuples of this program have too many elements");
  budget.num_tuple_elements -= count;
}

void refuse_empty_tuple(const Source& source, std::size_t position) {
  source.fail_at(position, Error(ErrorCode::kUnimplemented, "tuples without elements are not supported"));
}

Syntax read_syntax(Lexer& lexer, ReadBudget& budget) {
  const Level level(lexer, budget);
  budget.take_node();
  const std::size_t begin = lexer.token().position;
  Syntax syntax = read_unplaced(lexer, budget);
  syntax.begin = begin;
  syntax.end = lexer.token().position;
  return syntax;
}

Syntax read_fields(Lexer& lexer, ReadBudget& budget, std::string_view open, std::string_view close) {
  Syntax syntax;
  syntax.kind = SyntaxKind::kFields;
  syntax.begin = lexer.token().position;
  lexer.expect(open);
  while (!lexer.is(close)) {
    const Token name = lexer.take();
    if (name.kind != TokenKind::kWord && name.kind != TokenKind::kString)
      lexer.fail_at(name.position, "expected an attribute's name");
    Syntax value;
    value.kind = SyntaxKind::kBool;  // a name alone is a unit attribute
    value.integer = 1;
    value.begin = name.position;
    value.end = lexer.token().position;
    if (lexer.accept("="))
      value = read_syntax(lexer, budget);
    else
      budget.take_node();
    syntax.fields.push_back({unquoted(lexer, name), std::move(value)});
    if (!lexer.accept(",")) break;
  }
  lexer.expect(close);
  syntax.end = lexer.token().position;
  return syntax;
}

TensorType read_type(Lexer& lexer) {
  if (lexer.accept("!stablehlo.token")) return token_type();
  if (!lexer.is("tensor")) lexer.fail_expected("a tensor's type such as tensor<2x3xf32>");
  lexer.take();
  if (!lexer.is("<")) lexer.fail_expected("\"<\"");
  return lexer.tensor_type();
}

Attribute to_attribute(const Source& source, const Syntax& syntax) {
  switch (syntax.kind) {
    case SyntaxKind::kBool: return syntax.integer != 0;
    case SyntaxKind::kInteger: return syntax.integer;
    case SyntaxKind::kFloat: return syntax.number;
    case SyntaxKind::kString: return syntax.text;
    case SyntaxKind::kIntegers: return syntax.integers;
    case SyntaxKind::kLiteral: return *syntax.literal;
    case SyntaxKind::kType: return syntax.dtype;
    default: break;
  }
  if (source.form() == SourceForm::kBytecode) return syntax.text;
  std::string_view text = source.source(syntax.begin, syntax.end - syntax.begin);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return std::string(text);
}

}  // namespace cornu::inline v0::ir::text
