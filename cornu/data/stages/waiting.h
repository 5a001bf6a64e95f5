#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <vector>

#include "cornu/data/position.h"

namespace cornu::inline v0::data {

/// A buffered element, or the error at its position.
struct Waiting {
  Element element;
  std::exception_ptr error;    // null: no error
  std::size_t size_bytes = 0;  // as the memory budget counts it
};

/// Serializes buffered elements as part of a position. An error is its code, its message and its fields; it
/// is thrown at its original position. Sizes are omitted.
void write_waiting(PositionWriter& writer, std::span<const Waiting> waiting);
std::vector<Waiting> read_waiting(PositionReader& reader);

}  // namespace cornu::inline v0::data
