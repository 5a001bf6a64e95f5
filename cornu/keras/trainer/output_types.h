#pragma once

#include <vector>

#include "cornu/keras/layer/layer.h"
#include "cornu/keras/network/network.h"
#include "cornu/keras/trainer/array_data.h"

namespace cornu::inline v0::keras {

// What a layer gives. The first extent of each result is kUnknown: the batch.

/// For inputs of these types, whose first extent is the batch: by the layer's rule, or as building found;
/// else by calling it in a trace that is thrown away, so that errors are those of the call.
std::vector<TensorType> output_types(Layer& layer, const Network& network, std::vector<TensorType> inputs);

/// By calling it on the first row: what its call() does may look at values.
std::vector<TensorType> concrete_output_types(Layer& layer, const ArrayData& data);

}  // namespace cornu::inline v0::keras
