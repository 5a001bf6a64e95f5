#pragma once

#include <memory>
#include <vector>

#include "cornu/keras/initializers/initializers.h"

namespace cornu::inline v0::keras::layers {

/// Adapts `initializer` to a kernel with several input axes and output axes: initializers that scale by the
/// numbers of inputs and outputs use the products of their extents, unless their options name axes.
InitializerSpec for_kernel_axes(const InitializerSpec& initializer, std::vector<std::size_t> input_axes,
                                std::vector<std::size_t> output_axes);

}  // namespace cornu::inline v0::keras::layers
