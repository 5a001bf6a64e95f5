#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <vector>

#include "cornu/data/position.h"

namespace cornu::inline v0::data {

/// What waits in a buffer: an element, or the error that came in its place.
struct Waiting {
  Element element;
  std::exception_ptr error;    // null: there is none
  std::size_t size_bytes = 0;  // as the memory budget counts it
};

/// What waits as part of a place: an error is its code, its message and its fields, and is thrown where it
/// would have been. Sizes are left out.
void write_waiting(PositionWriter& writer, std::span<const Waiting> waiting);
std::vector<Waiting> read_waiting(PositionReader& reader);

}  // namespace cornu::inline v0::data
