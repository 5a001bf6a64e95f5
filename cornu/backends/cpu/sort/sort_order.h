#pragma once

#include <cstdint>
#include <vector>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// The results of a comparator on keys x and y, a bit for each case: x < y, x == y, x > y, only x is NaN,
/// only y is NaN, both are.
struct SortOrder {
  std::size_t key = 0;  // which input is compared
  std::uint8_t before = 0;
  /// The key is compared by IEEE 754's totalOrder: by its bits, in three cases only.
  bool is_total = false;

  static constexpr std::uint8_t kLess = 1, kEqual = 2, kGreater = 4, kLeftNan = 8, kRightNan = 16,
                                kBothNan = 32;
};

/// The order of a comparator, by keys: a later one decides where all earlier ones are equal, x < y or (x == y and
/// (the order of the others)). Empty: it has no such form. A comparison of a key consists of comparisons of one input's two elements, and of `and`, `or`,
/// `xor` and `not` of these. The elements may be compared in total order after zeros and NaN have been replaced
/// by one zero and one positive NaN, as JAX does.
std::vector<SortOrder> sort_orders(const ir::Block& comparator);

}  // namespace cornu::inline v0::backends::cpu
