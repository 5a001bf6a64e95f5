#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// A place in one pass over a dataset. Copies are handles to the same place.
///
/// Its place can be saved and gone back to: the elements after that are those that would have come, through
/// shuffles and interleaves too. A saved place takes a few numbers, and what waits in the buffers of stages.
/// Threads: one at a time. Lifetime: threads that stages started end with it.
class Iterator {
 public:
  // For `for (const Element& element : dataset)`.
  using iterator_concept = std::input_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = Element;

  explicit Iterator(const std::shared_ptr<const Stage>& stage);

  /// The next element; nothing at the end.
  std::optional<Element> next();
  /// Passes over elements; how many there were.
  std::int64_t skip(std::int64_t count);

  /// Errors: what waits in a buffer in place of an element.
  std::vector<std::byte> save();
  /// Goes to a place that an iterator of the same pipeline saved. Errors: InvalidArgument for another
  /// pipeline's, DataLoss for bytes that are no place.
  void restore(std::span<const std::byte> place);

  /// At its first element.
  Iterator first();
  const Element& operator*() const;
  Iterator& operator++();
  void operator++(int) { ++*this; }
  bool operator==(std::default_sentinel_t) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace cornu::inline v0::data
