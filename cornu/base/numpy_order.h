#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace cornu::inline v0 {

/// The order that the shuffle of NumPy's RandomState gives `count` things, and Keras by it: element i of the
/// result says which one stands at i. Takes numbers from `bits`, as the shuffle does.
///
///     std::mt19937 bits(seed);  // RandomState(seed)
///
/// `count` below 2^32.
std::vector<std::size_t> numpy_order(std::size_t count, std::mt19937& bits);

}  // namespace cornu::inline v0
