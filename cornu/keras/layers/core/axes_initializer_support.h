#pragma once

#include <memory>
#include <vector>

#include "cornu/keras/initializers/initializers.h"

namespace cornu::inline v0::keras::layers {

/// `initializer` for a kernel of which some axes are those of the input and the others those of the output:
/// an initializer that scales by the numbers of these takes the products of their extents.
InitializerSpec for_kernel_axes(const InitializerSpec& initializer, std::vector<std::size_t> input_axes,
                                std::vector<std::size_t> output_axes);

}  // namespace cornu::inline v0::keras::layers
