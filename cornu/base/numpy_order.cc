#include "cornu/base/numpy_order.h"

#include <cstdint>
#include <numeric>
#include <utility>

namespace cornu::inline v0 {

// Indices are drawn by masking the Mersenne twister's bits.
std::vector<std::size_t> numpy_order(std::size_t count, std::mt19937& bits) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i-- > 1;) {
    auto mask = static_cast<std::uint32_t>(i);
    for (const int shift : {1, 2, 4, 8, 16}) mask |= mask >> shift;
    std::uint32_t j = 0;
    do j = static_cast<std::uint32_t>(bits()) & mask;
    while (j > i);
    std::swap(order[i], order[j]);
  }
  return order;
}

}  // namespace cornu::inline v0
