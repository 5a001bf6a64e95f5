#pragma once

#include <vector>

#include "cornu/keras/layer/layer.h"
#include "cornu/keras/trainer/array_data.h"

namespace cornu::inline v0::keras {

// What a layer gives. The first extent of each result is kUnknown: the batch.

/// For inputs of these types, whose first extent is the batch: as the layer says of the shapes that it
/// was built for. Other shapes go through its call in traces that are thrown away, so that errors are
/// those of the call.
std::vector<TensorType> output_types(Layer& layer, std::vector<TensorType> inputs);

/// By calling it on one row of the data and on two, or on as many as it was declared for: what its call()
/// does may look at values. Data of one row serve twice. Errors: those of the call and of common_types().
std::vector<TensorType> concrete_output_types(Layer& layer, const ArrayData& data);

/// Which results for such data carry a Keras mask. `by_values`: its call() may look at values.
std::vector<bool> masked_outputs(Layer& layer, const ArrayData& data, bool by_values);

}  // namespace cornu::inline v0::keras
