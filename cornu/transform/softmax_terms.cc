#include "cornu/transform/softmax_terms.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace cornu::inline v0::transform {
namespace {

// patterns: the arithmetic of a softmax and its gradient

constexpr std::size_t kMostTerms = 4;

std::optional<SoftmaxTerms> sum_of(const SoftmaxTerms& x, const SoftmaxTerms& y, double factor_of_y) {
  SoftmaxTerms sum = x;
  for (SoftmaxTerm term : y) {
    term.coefficient *= factor_of_y;
    const auto found = std::ranges::find(sum, term.powers, &SoftmaxTerm::powers);
    if (found == sum.end())
      sum.push_back(term);
    else
      found->coefficient += term.coefficient;
  }
  std::erase_if(sum, [](const SoftmaxTerm& term) { return term.coefficient == 0; });
  std::ranges::sort(sum, {}, &SoftmaxTerm::powers);
  return sum.size() <= kMostTerms ? std::optional(std::move(sum)) : std::nullopt;
}

/// x * y, or x / y if y has one term.
std::optional<SoftmaxTerms> product_of(const SoftmaxTerms& x, const SoftmaxTerms& y, bool divides) {
  if (divides && (y.size() != 1 || y[0].coefficient == 0)) return std::nullopt;
  std::optional<SoftmaxTerms> product = SoftmaxTerms();
  for (const SoftmaxTerm& a : x)
    for (const SoftmaxTerm& b : y) {
      SoftmaxTerm term = {.coefficient =
                              divides ? a.coefficient / b.coefficient : a.coefficient * b.coefficient};
      for (std::size_t i = 0; i < term.powers.size(); ++i)
        term.powers[i] = a.powers[i] + (divides ? -b.powers[i] : b.powers[i]);
      product = sum_of(*product, {term}, 1);
      if (!product) return std::nullopt;
    }
  return product;
}

SoftmaxTerm term_of(std::array<int, 4> powers, double coefficient = 1) { return {coefficient, powers}; }

}  // namespace

SoftmaxTerms terms_of(SoftmaxSymbol symbol) {
  SoftmaxTerm term;
  term.powers[static_cast<std::size_t>(symbol)] = 1;
  return {term};
}

const SoftmaxTerms& softmax_weights() {
  static const SoftmaxTerms kWeights = {term_of({1, -1, 0, 0})};
  return kWeights;
}

const SoftmaxTerms& softmax_gradient() {
  static const SoftmaxTerms kGradient = {term_of({1, -1, 0, 1}, -1), term_of({1, -1, 1, 0})};
  return kGradient;
}

std::optional<double> factor_of(const SoftmaxTerms& terms, const SoftmaxTerms& wanted) {
  if (terms.size() != wanted.size()) return std::nullopt;
  const double factor = terms[0].coefficient / wanted[0].coefficient;
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (terms[i].powers != wanted[i].powers || terms[i].coefficient != factor * wanted[i].coefficient)
      return std::nullopt;
  return factor;
}

std::optional<SoftmaxTerms> combined_terms(const ir::Op& op, std::span<const SoftmaxTerms> operands) {
  const std::string_view name = op.name();
  if (name == "negate") return sum_of({}, operands[0], -1);
  if (name == "add") return sum_of(operands[0], operands[1], 1);
  if (name == "subtract") return sum_of(operands[0], operands[1], -1);
  if (name == "multiply" || name == "divide") return product_of(operands[0], operands[1], name == "divide");
  return std::nullopt;
}

std::optional<SoftmaxTerms> summed_terms(const SoftmaxTerms& terms) {
  std::optional<SoftmaxTerms> sums = SoftmaxTerms();
  for (SoftmaxTerm term : terms) {
    auto& [e, z, g, m] = term.powers;
    if (e != 1 || g < 0 || g > 1) return std::nullopt;
    e = 0;  // sum(e) = z, sum(g e) = z m
    ++z;
    m += g;
    g = 0;
    sums = sum_of(*sums, {term}, 1);
    if (!sums) return std::nullopt;
  }
  return sums;
}

}  // namespace cornu::inline v0::transform
