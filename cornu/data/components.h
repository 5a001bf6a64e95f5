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

/// Calls `combine` with one component of all elements at a time, and puts what it gives in their structure.
/// Errors: InvalidArgument when the elements have not one structure.
Element combine_components(std::span<const Element> elements, const CombineLeaves& combine);

class BufferPool;
/// One component of a batch, whose rows are the leaves. Errors: those of stack().
Element stack_component(Leaves leaves, std::size_t component, BufferPool& pool);

/// The type of a number or tensor. Errors: InvalidArgument for anything else.
TensorType numeric_type(const Element& leaf);

}  // namespace cornu::inline v0::data
