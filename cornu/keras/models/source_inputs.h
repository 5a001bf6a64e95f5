#pragma once

#include <vector>

#include "cornu/keras/layer/keras_tensor.h"

namespace cornu::inline v0::keras::utils {

/// The input tensors that `tensor` is computed from, each once, in the order in which its calls use them.
/// Source: keras.utils.get_source_inputs.
std::vector<KerasTensor> get_source_inputs(const KerasTensor& tensor);

}  // namespace cornu::inline v0::keras::utils
