#pragma once

#include <cstddef>
#include <vector>

#include "cornu/keras/files/array_files_support.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::files {

/// Converts the weights of CuDNNLSTM and CuDNNGRU, layers of Keras 2 for one library on GPUs, for the layers
/// LSTM and GRU that compute the same. `arrays` are those of a file for `variables`, the weights of `layer`;
/// all others stay as they are. A layer of cuDNN has a second bias, by whose extent it is known.
void convert_cudnn_weights(const Layer& layer, const std::vector<Variable>& variables,
                           std::vector<FoundArray>& arrays);

/// How a file keeps the kernels of convolutions and of recurrent layers.
struct KernelForm {
  bool is_keras_1 = false;  // other axes; a matrix for each gate of an LSTM or a GRU
  bool is_turned = false;   // by 180 degrees: Theano computes convolutions, not correlations
};

/// Converts the arrays of a file for `variables`, the weights of `layer` and of layers inside it. All others
/// stay as they are.
void convert_old_weights(const Layer& layer, const std::vector<Variable>& variables, const KernelForm& form,
                         std::vector<FoundArray>& arrays);

/// True if such a file has a kernel of the layer, or of one inside it, with other axes or turned.
bool rearranges_kernels(const Layer& layer, const KernelForm& form);

/// All elements of an array.
std::vector<std::byte> bytes_of(const FoundArray& array);

}  // namespace cornu::inline v0::keras::files
