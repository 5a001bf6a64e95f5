#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cornu/data/buffer_pool.h"
#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// The rows of all leaves, which have one number of them. Errors: InvalidArgument, naming `caller`, for
/// scalars, other numbers of rows, and an element without leaves.
std::int64_t num_rows(const Element& stacked, const char* caller);

/// Row `i` of each leaf, which shares the memory.
Element row(const Element& stacked, std::int64_t i);

/// Rows [begin, end) of each leaf, which share the memory.
Element rows(const Element& stacked, std::int64_t begin, std::int64_t end);

/// Copies of these rows of each leaf, one batch. `pool`: where the memory comes from.
Element gather(const Element& stacked, std::span<const std::int64_t> indices, BufferPool& pool);

/// One batch of elements, each a row. Errors: InvalidArgument, naming component and element, for elements of
/// other types than the first.
Element stack(std::span<const Element> elements, BufferPool& pool);

/// The same with rows of different lengths as ragged ones. `row_splits` of i64 as in tf.data.
Element stack_ragged(std::span<const Element> elements, BufferPool& pool);

struct Padding {
  /// The shape of each component; kUnknownExtent for an axis as long as the longest. Empty: all axes are.
  std::vector<Dims> shapes = {};
  /// A number or text for each component. Empty: zeros and empty texts.
  std::vector<Element> values = {};
};

/// The same with each leaf padded behind to one shape. Errors: InvalidArgument for other ranks, and elements
/// beyond the shape.
Element stack_padded(std::span<const Element> elements, const Padding& padding, BufferPool& pool);

/// Batches, one behind the other. Errors: InvalidArgument when their rows differ in type.
Element concatenate(std::span<const Element> batches, BufferPool& pool);

}  // namespace cornu::inline v0::data
