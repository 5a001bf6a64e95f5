#pragma once

#include <vector>

#include "cornu/keras/files/array_files_support.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::files {

/// Converts the weights of CuDNNLSTM and CuDNNGRU, layers of Keras 2 for one library on GPUs, for the layers
/// LSTM and GRU that compute the same. `arrays` are those of a file for `variables`, the weights of `layer`;
/// all others stay as they are. A layer of cuDNN has a second bias, by whose extent it is known.
void convert_cudnn_weights(const Layer& layer, const std::vector<Variable>& variables,
                           std::vector<FoundArray>& arrays);

/// Joins the matrices of single gates that Keras 1 keeps of an LSTM or a GRU, also inside Bidirectional, and
/// takes the second extent out of kernels of a Conv1D. All others stay as they are.
void convert_keras_1_weights(const Layer& layer, std::vector<FoundArray>& arrays);

}  // namespace cornu::inline v0::keras::files
