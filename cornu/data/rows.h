#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cornu/data/buffer_pool.h"
#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// The number of rows of all leaves, which must be the same. Errors: InvalidArgument, naming `caller`, for
/// scalars, other numbers of rows, and an element without leaves.
std::int64_t num_rows(const Element& stacked, const char* caller);

/// Row `i` of each leaf, which shares the memory.
Element row(const Element& stacked, std::int64_t i);

/// Rows [begin, end) of each leaf, which share the memory.
Element rows(const Element& stacked, std::int64_t begin, std::int64_t end);

/// A batch of copies of these rows of each leaf, in memory from `pool`.
Element gather(const Element& stacked, std::span<const std::int64_t> indices, BufferPool& pool);

/// A batch whose rows are the elements. Errors: InvalidArgument, naming component and element, for elements
/// of other types than the first.
Element stack(std::span<const Element> elements, BufferPool& pool);

/// The same, where rows of different lengths become ragged ones. Their `row_splits` are i64, as in tf.data.
Element stack_ragged(std::span<const Element> elements, BufferPool& pool);

struct Padding {
  /// The shape of each component, with kUnknownExtent for axes that become as long as the longest row. Empty:
  /// all axes do.
  std::vector<Dims> shapes = {};
  /// A number or text for each component. Empty: zeros and empty texts.
  std::vector<Element> values = {};
};

/// The same, where each leaf is padded at its end to one shape. Errors: InvalidArgument for other ranks, and
/// for elements beyond the shape.
Element stack_padded(std::span<const Element> elements, const Padding& padding, BufferPool& pool);

/// Joins batches, one behind the other. Errors: InvalidArgument when their rows differ in type.
Element concatenate(std::span<const Element> batches, BufferPool& pool);

}  // namespace cornu::inline v0::data
