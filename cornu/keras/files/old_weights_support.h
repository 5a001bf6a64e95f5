#pragma once

#include <cstddef>
#include <vector>

#include "cornu/keras/files/array_files_support.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::files {

/// Converts the weights of CuDNNLSTM and CuDNNGRU, GPU layers of Keras 2, for the equivalent layers LSTM and
/// GRU. `arrays` are those of a file for `variables`, the weights of `layer`; other arrays stay unchanged. A
/// cuDNN layer is recognized by the extent of its bias, which includes a second bias.
void convert_cudnn_weights(const Layer& layer, const std::vector<Variable>& variables,
                           std::vector<FoundArray>& arrays);

/// The form of convolutional and recurrent kernels in a file.
struct KernelForm {
  bool is_keras_1 = false;  // other axes; a matrix for each gate of an LSTM or GRU
  bool is_turned = false;   // rotated by 180 degrees: Theano computes convolutions, not correlations
};

/// Converts the arrays of a file for `variables`, the weights of `layer` and its inner layers. Other arrays
/// stay unchanged.
void convert_old_weights(const Layer& layer, const std::vector<Variable>& variables, const KernelForm& form,
                         std::vector<FoundArray>& arrays);

/// True if such a file has a kernel of the layer, or of an inner layer, with other axes or rotated.
bool rearranges_kernels(const Layer& layer, const KernelForm& form);

/// All elements of an array.
std::vector<std::byte> bytes_of(const FoundArray& array);

}  // namespace cornu::inline v0::keras::files
