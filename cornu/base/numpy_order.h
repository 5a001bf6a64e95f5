#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace cornu::inline v0 {

/// The order in which NumPy's RandomState, and therefore Keras, shuffles `count` items: element i of the
/// result is the item at position i. Takes the same numbers from `bits` as NumPy's shuffle.
///
///     std::mt19937 bits(seed);  // RandomState(seed)
///
/// `count` must be below 2^32.
std::vector<std::size_t> numpy_order(std::size_t count, std::mt19937& bits);

}  // namespace cornu::inline v0
