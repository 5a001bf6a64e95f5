#pragma once

#include <vector>

#include "cornu/keras/layer/layer.h"
#include "cornu/keras/trainer/array_data.h"

namespace cornu::inline v0::keras {

// The types of a layer's outputs. The first extent of each is kUnknown, the batch.

/// The output types for inputs of these types, whose first extent is the batch. For the shapes that the layer
/// was built for, the layer declares them. For other shapes its call is traced and the traces are discarded,
/// so that errors are those of the call.
std::vector<TensorType> output_types(Layer& layer, std::vector<TensorType> inputs);

/// The output types found by calling the layer on one row of the data and on two rows, or on the declared
/// batch size; call() may then look at values. If the data have one row, it is used twice. Errors: those of
/// the call and of common_types().
std::vector<TensorType> concrete_output_types(Layer& layer, const ArrayData& data);

/// True for each result that carries a Keras mask, for such data. `by_values`: call() may look at values.
std::vector<bool> masked_outputs(Layer& layer, const ArrayData& data, bool by_values);

}  // namespace cornu::inline v0::keras
