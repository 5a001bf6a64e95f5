#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cornu/ir/graph.h"

/// Values that a program computes from the exponentials of a softmax, as sums of products: so find_attention serves any
/// order in which a program writes the softmax and its gradient.
namespace cornu::inline v0::transform {

/// A factor: the exponentials e, their sums z over the keys, the gradient g of the weights e / z, and its means
/// m = sum(g e / z) over the keys.
enum class SoftmaxSymbol : std::uint8_t { kExponentials, kSums, kGradient, kMeans };

/// coefficient * e^i z^j g^k m^l, the powers in the order of SoftmaxSymbol.
struct SoftmaxTerm {
  double coefficient = 1;
  std::array<int, 4> powers = {};
  bool operator==(const SoftmaxTerm&) const = default;
};

/// A sum of terms with different powers, sorted by them.
using SoftmaxTerms = std::vector<SoftmaxTerm>;

SoftmaxTerms terms_of(SoftmaxSymbol symbol);
/// e / z, and the gradient of what exponentials are taken of: e / z * (g - m).
const SoftmaxTerms& softmax_weights();
const SoftmaxTerms& softmax_gradient();
/// The factor of `terms` that makes them `wanted`; nothing if there is none.
std::optional<double> factor_of(const SoftmaxTerms& terms, const SoftmaxTerms& wanted);

/// The terms of an elementwise op's result, from those of its operands; nothing if it is no sum of a few terms, or
/// another op.
std::optional<SoftmaxTerms> combined_terms(const ir::Op& op, std::span<const SoftmaxTerms> operands);
/// The terms of sums over the keys; nothing if these cannot be expressed.
std::optional<SoftmaxTerms> summed_terms(const SoftmaxTerms& terms);

}  // namespace cornu::inline v0::transform
