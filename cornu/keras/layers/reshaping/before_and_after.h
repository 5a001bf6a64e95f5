#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras::layers {

/// Amounts before and after each spatial axis, in Keras's forms: one number for all axes, one for each axis,
/// or a pair for each axis.
///
///     1      {1, 2}      {{1, 0}, {2, 2}}
class BeforeAndAfter {
 public:
  using Pair = std::pair<std::int64_t, std::int64_t>;
  BeforeAndAfter(std::int64_t amount) : amounts_{amount}, kind_(Kind::kNumber) {}
  BeforeAndAfter(std::initializer_list<std::int64_t> amounts) : amounts_(amounts), kind_(Kind::kNumbers) {}
  BeforeAndAfter(Dims amounts) : amounts_(std::move(amounts)), kind_(Kind::kNumbers) {}
  BeforeAndAfter(std::initializer_list<Pair> pairs) : BeforeAndAfter(std::vector<Pair>(pairs)) {}
  BeforeAndAfter(std::vector<Pair> pairs) : pairs_(std::move(pairs)), kind_(Kind::kPairs) {}

  /// One pair for each of `num_spatial` axes; empty if the number of axes differs. For a single axis two
  /// numbers are its pair.
  std::vector<Pair> pairs(std::int64_t num_spatial) const;
  /// The amounts in the form in which they were given.
  std::string str() const;
  bool is_number() const { return kind_ == Kind::kNumber; }
  /// One number, or one for each axis; empty for pairs.
  const Dims& amounts() const { return amounts_; }
  /// Empty unless pairs were given.
  const std::vector<Pair>& given_pairs() const { return pairs_; }

 private:
  enum class Kind { kNumber, kNumbers, kPairs };
  Dims amounts_;
  std::vector<Pair> pairs_;
  Kind kind_;
};

}  // namespace cornu::inline v0::keras::layers
