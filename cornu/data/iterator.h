#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cornu/data/element.h"
#include "cornu/tensor/trace/element_source.h"

namespace cornu::inline v0::data {

/// A position in one pass over a dataset. Copies share the position.
///
/// An iterator may be an argument of a `function`, in which next(iterator) becomes an argument of the
/// program, also in loops:
///
///     auto train_steps = function([&](data::Iterator batches, const Tensor& count) {
///       fori_loop(0, count, [&](const Tensor&) { train_on(next(batches)); });
///     });
///
/// The position can be saved and restored: the same elements follow, also after shuffles and interleaves. A
/// saved position takes a few numbers, and the elements in the buffers of stages.
/// Threads: one at a time. Lifetime: threads of stages end with the iterator.
class Iterator {
 public:
  // For `for (const Element& element : dataset)`.
  using iterator_concept = std::input_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = Element;

  explicit Iterator(const std::shared_ptr<const Stage>& stage);
  // Moves copy: an iterator always has a position.
  Iterator(const Iterator&) = default;
  Iterator& operator=(const Iterator&) = default;

  /// The next element; nullopt at the end. A traced function gets no nullopt (its call throws OutOfRange).
  std::optional<Element> next();
  /// Reads up to `count` elements ahead without consuming them. Returns the number of available elements of
  /// the next one's type, which a call of a function can take:
  ///
  ///     while (const std::int64_t steps = batches.read_ahead(100))
  ///       train_steps(batches, Tensor::of<std::int64_t>({}, {steps}));
  std::int64_t read_ahead(std::int64_t count);
  /// Skips up to `count` elements; returns the number skipped.
  /// Errors: InvalidArgument for a negative count; the error of a failed element.
  std::int64_t skip(std::int64_t count);

  /// Saves the position, for restore(). It includes buffered elements and errors.
  /// Errors: InvalidArgument for a buffered element that cannot be saved, such as an infinite dataset.
  std::vector<std::byte> save();
  /// Restores a position saved by an iterator of the same pipeline. Errors: InvalidArgument for another
  /// pipeline's, DataLoss for invalid bytes.
  void restore(std::span<const std::byte> place);

  /// The iterator at its first element.
  Iterator first();
  const Element& operator*() const;
  Iterator& operator++();
  void operator++(int) { ++*this; }
  bool operator==(std::default_sentinel_t) const;

  /// For function(). Lifetime: that of the iterator's copies.
  cornu::detail::ElementSource& element_source() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// The next element; in a traced function, that of the iterator argument.
/// Errors: OutOfRange at the end.
Element next(Iterator iterator);

}  // namespace cornu::inline v0::data
