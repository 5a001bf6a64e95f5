#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/applications/applications.h"
#include "cornu/keras/layer/keras_tensor.h"

/// Layers by plain arguments, as the tables of the networks use them. The sources of the networks include no
/// header of a layer, so that they compile quickly. Names are copied into the layers; an empty name is
/// automatic.
namespace cornu::inline v0::keras::applications {

/// Rows and columns; one number counts for both.
struct Extents {
  Extents(int both) : rows(both), columns(both) {}
  Extents(std::int64_t r, std::int64_t c) : rows(r), columns(c) {}
  std::int64_t rows;
  std::int64_t columns;
};

/// Initializers of kernels that the networks use.
enum class Kernel { kGlorotUniform, kHeNormal, kFanOutNormal, kThirdFanOutUniform };

struct ConvParts {
  std::int64_t filters = 0;  // not of depthwise convolutions
  Extents kernel = 1;
  Extents strides = 1;
  bool same = true;  // padding "same", else "valid"
  bool bias = false;
  const char* activation = "";
  Kernel initializer = Kernel::kGlorotUniform;
  std::int64_t groups = 1;
  std::int64_t depth_multiplier = 1;
};
KerasTensor conv(const KerasTensor& x, const std::string& name, const ConvParts& parts);
KerasTensor depthwise_conv(const KerasTensor& x, const std::string& name, const ConvParts& parts);
KerasTensor separable_conv(const KerasTensor& x, const std::string& name, const ConvParts& parts);

struct NormParts {
  double epsilon = 1e-3;
  double momentum = 0.99;
  bool scale = true;
  std::int64_t axis = 3;
};
KerasTensor batch_norm(const KerasTensor& x, const std::string& name, const NormParts& parts = {});
KerasTensor layer_norm(const KerasTensor& x, const std::string& name);

/// The layer Activation; its name may be empty.
KerasTensor activation(const KerasTensor& x, const std::string& name, const ActivationSpec& function);
/// The layer ReLU; 0 for no largest value.
KerasTensor relu(const KerasTensor& x, const std::string& name, double max_value = 0);
KerasTensor dense(const KerasTensor& x, const std::string& name, std::int64_t units,
                  const ActivationSpec& function, Kernel initializer = Kernel::kGlorotUniform,
                  bool constant_bias = false);
KerasTensor dropout(const KerasTensor& x, const std::string& name, double rate);
/// Dropout of whole examples.
KerasTensor drop_examples(const KerasTensor& x, const std::string& name, double rate);
KerasTensor flatten(const KerasTensor& x, const std::string& name);
KerasTensor reshape(const KerasTensor& x, const std::string& name, const Dims& shape);
KerasTensor rescaling(const KerasTensor& x, double scale, double offset);
/// The layer Normalization over channels; empty lists: its defaults.
KerasTensor normalization(const KerasTensor& x, const std::string& name, std::int64_t axis,
                          const std::vector<float>& mean, const std::vector<float>& variance);

struct PoolParts {
  Extents size = 3;
  Extents strides = 2;
  bool same = false;
};
KerasTensor max_pool(const KerasTensor& x, const std::string& name, const PoolParts& parts);
KerasTensor average_pool(const KerasTensor& x, const std::string& name, const PoolParts& parts);
KerasTensor global_average_pool(const KerasTensor& x, const std::string& name, bool keepdims = false);
KerasTensor global_max_pool(const KerasTensor& x, const std::string& name);

/// Zeros before and after the rows, then the columns.
KerasTensor zero_padding(const KerasTensor& x, const std::string& name,
                         std::pair<std::int64_t, std::int64_t> rows,
                         std::pair<std::int64_t, std::int64_t> columns);
/// Zeros so that a "valid" convolution with strides of 2 has the windows that Keras's networks use.
KerasTensor stride_padding(const KerasTensor& x, const std::string& name, std::int64_t kernel);
KerasTensor crop_first(const KerasTensor& x);

KerasTensor add(const std::vector<KerasTensor>& inputs, const std::string& name);
KerasTensor multiply(const std::vector<KerasTensor>& inputs, const std::string& name);
KerasTensor concatenate(const std::vector<KerasTensor>& inputs, const std::string& name,
                        std::int64_t axis = 3);
KerasTensor layer_scale(const KerasTensor& x, const std::string& name, std::int64_t channels);
KerasTensor stochastic_depth(const KerasTensor& x, const std::string& name, double rate);
KerasTensor scaled_sum(const KerasTensor& x, const KerasTensor& y, double scale);
/// A Sequential of a LayerNormalization and a Conv2D whose strides are its kernel, in either order.
KerasTensor patches(const KerasTensor& x, const std::string& name, bool norm_first,
                    const std::string& norm_name, const std::string& conv_name, const ConvParts& parts);

/// The arguments that all networks share.
struct Arguments {
  const char* network;  // class of the network, for errors
  bool include_top;
  std::string weights;
  KerasTensor input_tensor;
  Dims input_shape;
  std::string pooling;
  std::int64_t classes;
  ActivationSpec classifier_activation;
  std::string name;
};
template <typename Options>
Arguments arguments_of(const char* network, const Options& options) {
  return {network,
          options.include_top,
          options.weights,
          options.input_tensor,
          options.input_shape,
          options.pooling,
          options.classes,
          options.classifier_activation,
          options.name};
}

/// Smallest and usual extent of an image.
struct Sizes {
  std::int64_t usual;
  std::int64_t smallest = 32;
};
/// The input of a network after checks of its arguments. Errors: InvalidArgument naming network and argument.
KerasTensor image_input(const Arguments& arguments, Sizes sizes);
/// The features of a network without top: pooled by `pooling`, under these names.
KerasTensor pooled(const Arguments& arguments, const KerasTensor& x, const std::string& average_name = {},
                   const std::string& max_name = {});
/// Average pooling and a dense layer, or pooled().
KerasTensor dense_top(const Arguments& arguments, const KerasTensor& x, const std::string& average_name,
                      bool names_pooling);
/// The model from the sources of `input` to `output`, with the weights of the file, if any.
Model finish(const Arguments& arguments, const KerasTensor& input, const KerasTensor& output,
             const std::string& name);

}  // namespace cornu::inline v0::keras::applications
