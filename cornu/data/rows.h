#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cornu/data/buffer_pool.h"
#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// The common number of rows of all leaves. Errors: InvalidArgument, with `caller`, for scalars, different
/// numbers of rows, and an element without leaves.
std::int64_t num_rows(const Element& stacked, const char* caller);

/// Row `i` of each leaf; shares the memory.
Element row(const Element& stacked, std::int64_t i);

/// Rows [begin, end) of each leaf; shares the memory.
Element rows(const Element& stacked, std::int64_t begin, std::int64_t end);

/// Copies these rows of each leaf into a batch, in memory from `pool`.
Element gather(const Element& stacked, std::span<const std::int64_t> indices, BufferPool& pool);

/// Stacks the elements as rows of a batch. Errors: InvalidArgument, with component and element, for elements
/// that differ in type from the first.
Element stack(std::span<const Element> elements, BufferPool& pool);

/// Stacks the elements; rows of different lengths become ragged. Their `row_splits` are i64, as in tf.data.
Element stack_ragged(std::span<const Element> elements, BufferPool& pool);

struct Padding {
  /// The shape of each component, with kUnknownExtent for axes that are padded to the longest row. Empty: all
  /// axes are.
  std::vector<Dims> shapes = {};
  /// A number or text for each component. Empty: zeros and empty texts.
  std::vector<Element> values = {};
};

/// Stacks the elements; each leaf is padded at its end to one shape. Errors: InvalidArgument for different
/// ranks, and for elements that exceed the shape.
Element stack_padded(std::span<const Element> elements, const Padding& padding, BufferPool& pool);

/// Concatenates batches. Errors: InvalidArgument if their rows differ in type.
Element concatenate(std::span<const Element> batches, BufferPool& pool);

}  // namespace cornu::inline v0::data
