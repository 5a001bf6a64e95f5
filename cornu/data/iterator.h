#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cornu/data/element.h"
#include "cornu/tensor/trace/infeed.h"

namespace cornu::inline v0::data {

/// A place in one pass over a dataset. Copies are handles to the same place.
///
/// It may be an argument of a `function`, where next(iterator) becomes an argument of the program,
/// in loops too:
///
///     auto train_steps = function([&](data::Iterator batches, const Tensor& count) {
///       fori_loop(0, count, [&](const Tensor&) { train_on(next(batches)); });
///     });
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
  // Moves copy: an iterator always has a place.
  Iterator(const Iterator&) = default;
  Iterator& operator=(const Iterator&) = default;

  /// The next element; nothing at the end, which a traced function does not see (its call throws OutOfRange).
  std::optional<Element> next();
  /// Reads up to `count` elements ahead, which are still to come. Returns how many of them, from the next one
  /// on, are of one type, which is how many a call of a function can take:
  ///
  ///     while (const std::int64_t steps = batches.read_ahead(100))
  ///       train_steps(batches, Tensor::of<std::int64_t>({}, {steps}));
  std::int64_t read_ahead(std::int64_t count);
  /// Passes over up to `count` elements; returns how many there were.
  /// Errors: InvalidArgument below 0; what an element that fails throws.
  std::int64_t skip(std::int64_t count);

  /// The place, for restore(). An error that waits in a buffer in the place of an element is part of it.
  /// Errors: InvalidArgument for an element in a buffer that cannot be kept, a dataset without end.
  std::vector<std::byte> save();
  /// Goes to a place that an iterator of the same pipeline saved. Errors: InvalidArgument for another
  /// pipeline's, DataLoss for bytes that are no place.
  void restore(std::span<const std::byte> place);

  /// The iterator at its first element.
  Iterator first();
  const Element& operator*() const;
  Iterator& operator++();
  void operator++(int) { ++*this; }
  bool operator==(std::default_sentinel_t) const;

  /// For function(). Lifetime: the iterator's copies.
  cornu::detail::ElementSource& element_source() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// The next element; in a traced function, of the iterator that it was called with.
/// Errors: OutOfRange at the end.
Element next(Iterator iterator);

}  // namespace cornu::inline v0::data
