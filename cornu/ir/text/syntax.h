#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/ir/attribute.h"
#include "cornu/ir/text/lexer.h"

/// Attributes as parsed, before an op interprets them.
namespace cornu::inline v0::ir::text {

enum class SyntaxKind : std::uint8_t {
  kBool,      // true
  kInteger,   // 3 : i64
  kFloat,     // 1.0e-3 : f32
  kString,    // "abc"
  kWord,      // DEFAULT, e8m7
  kSymbol,    // @f
  kIntegers,  // array<i64: 1, 2>, [1, 2], [true, false]
  kLiteral,   // dense<1.0> : tensor<2xf32>
  kType,      // bf16
  kList,      // [[1, 2], [3, 4]], [DEFAULT, #stablehlo<precision DEFAULT>]
  kProduct,   // [0] x [1], [b, 0, f]x[0, i, o]->[b, 0, f]
  kFields,    // {a = 1, b}, #stablehlo.gather<offset_dims = [1]>
  kOther,     // not representable in Cornu; kept as text
};

struct SyntaxField;

struct Syntax {
  SyntaxKind kind = SyntaxKind::kOther;
  std::size_t begin = 0, end = 0;  // position in the text
  std::int64_t integer = 0;        // kBool, kInteger
  double number = 0;               // kFloat
  std::string text;                // kString, kWord, kSymbol, kOther
  std::vector<std::int64_t> integers;
  std::optional<Literal> literal;
  DType dtype = DType::kF32;
  std::vector<Syntax> items;        // kList, kProduct
  std::vector<SyntaxField> fields;  // kFields

  bool is(SyntaxKind k) const { return kind == k; }
  const Syntax* find(std::string_view name) const;
};

struct SyntaxField {
  std::string name;
  Syntax value;
};

/// Remaining limits of parsing a text.
struct ReadBudget {
  int depth = 0;                                          // levels of nesting: brackets, regions and calls
  std::int64_t num_ops = 0;                               // ops: calls are inlined
  std::int64_t num_inlined_bytes = 0;                     // bytes of the text of called functions
  std::int64_t num_splat_bytes = 0;                       // bytes of literals of one repeated element
  std::size_t num_tuple_elements = std::size_t{1} << 17;  // take_tuple_elements
  /// ParseOptions::charge; may be empty.
  std::function<void(std::int64_t num_ops, std::size_t num_bytes)> charge = {};

  /// Call these functions before the memory is allocated. Errors: those of `charge`.
  void take_bytes(std::size_t num_bytes);
  void take_op();
  /// Counts an argument or an operand, with its type and the entry of its name.
  void take_value(const TensorType& type);
  /// Counts a Syntax. An op frees all of its nodes at its end, so the maximum at a time is reported.
  void take_node();
  /// Reports pending amounts.
  void report();

  std::size_t num_nodes = 0, most_nodes = 0;  // alive now, and the maximum so far
  std::int64_t num_unreported_ops = 0;
  std::size_t num_unreported_bytes = 0;
};

/// Subtracts, at the end of a scope, the nodes that were made in it, which are freed then.
class NodesOfScope {
 public:
  explicit NodesOfScope(ReadBudget& budget) : budget_(budget), before_(budget.num_nodes) {}
  ~NodesOfScope() { budget_.num_nodes = before_; }
  NodesOfScope(const NodesOfScope&) = delete;
  NodesOfScope& operator=(const NodesOfScope&) = delete;

 private:
  ReadBudget& budget_;
  const std::size_t before_;
};

/// Enters one level of nesting for a scope. Errors: InvalidArgument if there are too many.
class Level {
 public:
  Level(const Source& source, std::size_t position, ReadBudget& budget);
  Level(const Lexer& lexer, ReadBudget& budget) : Level(lexer, lexer.token().position, budget) {}
  ~Level() { ++budget_.depth; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  ReadBudget& budget_;
};

/// Counts elements of a tuple that an op returns, joins or makes: few bytes can name many.
/// Errors: InvalidArgument if the elements of all ops are too many.
void take_tuple_elements(const Source& source, std::size_t position, ReadBudget& budget, std::size_t count);
/// Refuses a tuple without elements, which would be a value without a type.
[[noreturn]] void refuse_empty_tuple(const Source& source, std::size_t position);

/// Parses one attribute's value, beginning at the current token.
Syntax read_syntax(Lexer& lexer, ReadBudget& budget);

/// Parses "{a = 1, b = 2}", or the same between other brackets.
Syntax read_fields(Lexer& lexer, ReadBudget& budget, std::string_view open = "{",
                   std::string_view close = "}");

/// Parses a literal and its type after `dense`; the current token is `<`.
Literal read_dense(Lexer& lexer, ReadBudget& budget);

/// The literal of a type whose elements have these bytes: all of them, one for all, or bits of i1 in bytes of
/// eight. Counts its memory.
Literal literal_from_bytes(const Source& source, ReadBudget& budget, const TensorType& type,
                           std::span<const std::byte> bytes, std::size_t position);

/// Parses a tensor's type. Errors: InvalidArgument for types that Cornu does not have.
TensorType read_type(Lexer& lexer);

/// Converts to a value of the graph: integers, texts, lists, literals, types; anything else stays text,
/// and is empty if the source is bytecode.
Attribute to_attribute(const Source& source, const Syntax& syntax);

}  // namespace cornu::inline v0::ir::text
