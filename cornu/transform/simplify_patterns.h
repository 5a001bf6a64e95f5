#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "cornu/ir/builder.h"

/// Rewrite patterns of simplify, a row for each.
namespace cornu::inline v0::transform {

/// An op that will be appended to the simplified graph.
struct Candidate {
  ir::Builder& builder;
  const ir::Op& op;                     // the original: attributes, result types, regions
  std::span<const ir::Value> operands;  // in the simplified graph
  bool owns_first = false;              // nothing else uses the first operand, an op of the same block
};

struct Pattern {
  std::string_view op;
  std::string_view what;
  /// The replacement of the op's only result; empty if the pattern does not match.
  ir::Value (*rewrite)(const Candidate&);
};

std::span<const Pattern> simplify_patterns();

/// The op that defines `value` if it has this name, else null.
const ir::Op* made_by(ir::Value value, std::string_view name);

/// The common value of all elements as a scalar literal, for a splat constant or a broadcast of one.
std::optional<ir::Literal> splat_value(ir::Value value);

/// Makes a constant of the literal; if all elements are equal, a scalar that is broadcast.
ir::Value make_constant(ir::Builder& builder, const ir::Literal& literal);

}  // namespace cornu::inline v0::transform
