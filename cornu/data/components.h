#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// One component of several elements.
using Leaves = std::span<const Element* const>;
using CombineLeaves = std::function<Element(Leaves leaves, std::size_t component)>;

/// Calls `combine` for each component of all elements, and returns the results in the elements' structure.
/// Errors: InvalidArgument if the elements differ in structure.
Element combine_components(std::span<const Element> elements, const CombineLeaves& combine);

class BufferPool;
/// Stacks one component as rows of a batch. Errors: those of stack().
Element stack_component(Leaves leaves, std::size_t component, BufferPool& pool);

/// The type of a number or tensor. Errors: InvalidArgument for anything else.
TensorType numeric_type(const Element& leaf);

}  // namespace cornu::inline v0::data
