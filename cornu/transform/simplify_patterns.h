#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "cornu/ir/builder.h"

/// The rewrites of simplify, one row a pattern.
namespace cornu::inline v0::transform {

/// An op that is about to be appended to the simplified graph.
struct Candidate {
  ir::Builder& builder;
  const ir::Op& op;                     // the original: attributes, result types, regions
  std::span<const ir::Value> operands;  // in the simplified graph
};

struct Pattern {
  std::string_view op;
  std::string_view what;
  /// What takes the place of the op's only result; empty when the pattern does not fit.
  ir::Value (*rewrite)(const Candidate&);
};

std::span<const Pattern> simplify_patterns();

/// The one value that all elements have, as a scalar literal: a splat constant, or a broadcast of one.
std::optional<ir::Literal> splat_value(ir::Value value);

/// A constant of the literal; when all elements are equal, a scalar that is broadcast.
ir::Value make_constant(ir::Builder& builder, const ir::Literal& literal);

}  // namespace cornu::inline v0::transform
