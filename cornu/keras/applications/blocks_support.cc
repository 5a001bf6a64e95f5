#include "cornu/keras/applications/blocks_support.h"

#include <algorithm>
#include <array>
#include <optional>

#include "cornu/base/check.h"
#include "cornu/keras/config/global_settings.h"
#include "cornu/keras/files/load_model.h"
#include "cornu/keras/layers/applications/application_layers_support.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/models/source_inputs.h"

namespace cornu::inline v0::keras::applications {
namespace {

ops::IntOrInts both(const Extents& extents) { return Dims{extents.rows, extents.columns}; }

InitializerSpec initializer_of(Kernel kernel) {
  switch (kernel) {
    case Kernel::kHeNormal: return "he_normal";
    case Kernel::kFanOutNormal:
      return initializers::VarianceScaling(
          {.scale = 2.0, .mode = "fan_out", .distribution = "truncated_normal"});
    case Kernel::kThirdFanOutUniform:
      return initializers::VarianceScaling(
          {.scale = 1.0 / 3.0, .mode = "fan_out", .distribution = "uniform"});
    case Kernel::kGlorotUniform: break;
  }
  return "glorot_uniform";
}

ActivationSpec activation_of(const char* name) {
  return *name == '\0' ? ActivationSpec{} : ActivationSpec(name);
}

const char* padding_of(bool same) { return same ? "same" : "valid"; }

layers::ConvOptions conv_options(const std::string& name, const ConvParts& parts) {
  return {.filters = parts.filters,
          .kernel_size = both(parts.kernel),
          .strides = both(parts.strides),
          .padding = padding_of(parts.same),
          .groups = parts.groups,
          .activation = activation_of(parts.activation),
          .use_bias = parts.bias,
          .kernel_initializer = initializer_of(parts.initializer),
          .name = name};
}

}  // namespace

KerasTensor conv(const KerasTensor& x, const std::string& name, const ConvParts& parts) {
  return layers::Conv2D(conv_options(name, parts))(x);
}

KerasTensor depthwise_conv(const KerasTensor& x, const std::string& name, const ConvParts& parts) {
  return layers::DepthwiseConv2D({.kernel_size = both(parts.kernel),
                                  .strides = both(parts.strides),
                                  .padding = padding_of(parts.same),
                                  .depth_multiplier = parts.depth_multiplier,
                                  .use_bias = parts.bias,
                                  .depthwise_initializer = initializer_of(parts.initializer),
                                  .name = name})(x);
}

KerasTensor separable_conv(const KerasTensor& x, const std::string& name, const ConvParts& parts) {
  return layers::SeparableConv2D({.filters = parts.filters,
                                  .kernel_size = both(parts.kernel),
                                  .strides = both(parts.strides),
                                  .padding = padding_of(parts.same),
                                  .use_bias = parts.bias,
                                  .name = name})(x);
}

KerasTensor batch_norm(const KerasTensor& x, const std::string& name, const NormParts& parts) {
  return layers::BatchNormalization({.axis = parts.axis,
                                     .momentum = parts.momentum,
                                     .epsilon = parts.epsilon,
                                     .scale = parts.scale,
                                     .name = name})(x);
}

KerasTensor layer_norm(const KerasTensor& x, const std::string& name) {
  return layers::LayerNormalization({.epsilon = 1e-6, .name = name})(x);
}

KerasTensor activation(const KerasTensor& x, const std::string& name, const ActivationSpec& function) {
  return layers::Activation({.activation = function, .name = name})(x);
}

KerasTensor relu(const KerasTensor& x, const std::string& name, double max_value) {
  layers::ReLUOptions options{.name = name};
  if (max_value > 0) options.max_value = max_value;
  return layers::ReLU(options)(x);
}

KerasTensor dense(const KerasTensor& x, const std::string& name, std::int64_t units,
                  const ActivationSpec& function, Kernel initializer, bool constant_bias) {
  layers::DenseOptions options{.units = units,
                               .activation = function,
                               .kernel_initializer = initializer_of(initializer),
                               .name = name};
  if (constant_bias) options.bias_initializer = initializers::Constant(0.0);
  return layers::Dense(options)(x);
}

KerasTensor dropout(const KerasTensor& x, const std::string& name, double rate) {
  return layers::Dropout({.rate = rate, .name = name})(x);
}

KerasTensor drop_examples(const KerasTensor& x, const std::string& name, double rate) {
  return layers::Dropout({.rate = rate, .noise_shape = Dims{kUnknown, 1, 1, 1}, .name = name})(x);
}

KerasTensor flatten(const KerasTensor& x, const std::string& name) {
  return layers::Flatten({.name = name})(x);
}

KerasTensor reshape(const KerasTensor& x, const std::string& name, const Dims& shape) {
  return layers::Reshape({.target_shape = shape, .name = name})(x);
}

KerasTensor rescaling(const KerasTensor& x, double scale, double offset) {
  return layers::Rescaling({.scale = scale, .offset = offset})(x);
}

KerasTensor normalization(const KerasTensor& x, const std::string& name, std::int64_t axis,
                          const std::vector<float>& mean, const std::vector<float>& variance) {
  layers::NormalizationOptions options{.axis = axis, .name = name};
  if (!mean.empty()) {
    options.mean = Tensor(mean);
    options.variance = Tensor(variance);
  }
  return layers::Normalization(options)(x);
}

KerasTensor max_pool(const KerasTensor& x, const std::string& name, const PoolParts& parts) {
  return layers::MaxPooling2D({.pool_size = both(parts.size),
                               .strides = Dims{parts.strides.rows, parts.strides.columns},
                               .padding = padding_of(parts.same),
                               .name = name})(x);
}

KerasTensor average_pool(const KerasTensor& x, const std::string& name, const PoolParts& parts) {
  return layers::AveragePooling2D({.pool_size = both(parts.size),
                                   .strides = Dims{parts.strides.rows, parts.strides.columns},
                                   .padding = padding_of(parts.same),
                                   .name = name})(x);
}

KerasTensor global_average_pool(const KerasTensor& x, const std::string& name, bool keepdims) {
  return layers::GlobalAveragePooling2D({.keepdims = keepdims, .name = name})(x);
}

KerasTensor global_max_pool(const KerasTensor& x, const std::string& name) {
  return layers::GlobalMaxPooling2D({.name = name})(x);
}

KerasTensor zero_padding(const KerasTensor& x, const std::string& name,
                         std::pair<std::int64_t, std::int64_t> rows,
                         std::pair<std::int64_t, std::int64_t> columns) {
  return layers::ZeroPadding2D({.padding = {rows, columns}, .name = name})(x);
}

KerasTensor stride_padding(const KerasTensor& x, const std::string& name, std::int64_t kernel) {
  const auto around = [kernel](std::int64_t extent) {
    const std::int64_t less = extent == kUnknown || extent % 2 == 0 ? 1 : 0;
    return std::pair(kernel / 2 - less, kernel / 2);
  };
  return zero_padding(x, name, around(x.shape()[1]), around(x.shape()[2]));
}

KerasTensor crop_first(const KerasTensor& x) {
  using Pair = layers::BeforeAndAfter::Pair;
  return layers::Cropping2D({.cropping = {Pair{1, 0}, Pair{1, 0}}})(x);
}

KerasTensor add(const std::vector<KerasTensor>& inputs, const std::string& name) {
  return layers::Add({.name = name})(inputs);
}

KerasTensor multiply(const std::vector<KerasTensor>& inputs, const std::string& name) {
  return layers::Multiply({.name = name})(inputs);
}

KerasTensor concatenate(const std::vector<KerasTensor>& inputs, const std::string& name, std::int64_t axis) {
  return layers::Concatenate({.axis = axis, .name = name})(inputs);
}

KerasTensor layer_scale(const KerasTensor& x, const std::string& name, std::int64_t channels) {
  return layers::LayerScale({.init_values = 1e-6, .projection_dim = channels, .name = name})(x);
}

KerasTensor stochastic_depth(const KerasTensor& x, const std::string& name, double rate) {
  return layers::StochasticDepth({.drop_path_rate = rate, .name = name})(x);
}

KerasTensor scaled_sum(const KerasTensor& x, const KerasTensor& y, double scale) {
  return layers::CustomScaleLayer({.scale = scale})({x, y});
}

KerasTensor patches(const KerasTensor& x, const std::string& name, bool norm_first,
                    const std::string& norm_name, const std::string& conv_name, const ConvParts& parts) {
  LayerHandle first = layers::Conv2D(conv_options(conv_name, parts));
  LayerHandle second = layers::LayerNormalization({.epsilon = 1e-6, .name = norm_name});
  if (norm_first) std::swap(first, second);
  return Sequential({first, second}, {.name = name})(x);
}

KerasTensor image_input(const Arguments& a, Sizes sizes) {
  const auto refuse = [&a](const char* argument, const std::string& requirement) {
    invalid_argument({.op = a.network, .argument = argument}, "{} {}", argument, requirement);
  };
  if (config::image_data_format() != "channels_last")
    invalid_argument({.op = a.network, .argument = "data_format"},
                     "the network is made for the data format \"channels_last\"; call "
                     "config::set_image_data_format(\"channels_last\") before");
  if (a.classes <= 0) refuse("classes", fmt::format("must be positive; got {}", a.classes));
  if (!a.pooling.empty() && a.pooling != "avg" && a.pooling != "max")
    refuse("pooling", fmt::format("must be \"avg\", \"max\" or empty; got \"{}\"", a.pooling));
  Dims shape = a.input_tensor.defined() && a.input_shape.empty() && a.input_tensor.rank() == 4
                   ? Dims(a.input_tensor.shape().begin() + 1, a.input_tensor.shape().end())
                   : a.input_shape;
  if (shape.empty()) {
    const std::int64_t extent = a.include_top ? sizes.usual : kUnknown;
    shape = {extent, extent, 3};
  }
  if (shape.size() != 3) refuse("input_shape", "must be {rows, columns, channels}");
  for (std::size_t i = 0; i < 2; ++i) {
    if (shape[i] == kUnknown ? a.include_top && sizes.usual != kUnknown : shape[i] < sizes.smallest)
      refuse("input_shape",
             fmt::format("must have at least {0} rows and {0} columns{1}; got {2}", sizes.smallest,
                         a.include_top ? ", both known with include_top" : "", shape[i]));
  }
  if (shape[2] <= 0) refuse("input_shape", "must have a positive number of channels");
  if (a.input_tensor.defined()) {
    if (a.input_tensor.rank() != 4) refuse("input_tensor", "must be a batch of images");
    return a.input_tensor;
  }
  return Input({.shape = shape});
}

KerasTensor pooled(const Arguments& a, const KerasTensor& x, const std::string& average_name,
                   const std::string& max_name) {
  if (a.pooling == "avg") return global_average_pool(x, average_name);
  if (a.pooling == "max") return global_max_pool(x, max_name);
  return x;
}

KerasTensor dense_top(const Arguments& a, const KerasTensor& x, const std::string& average_name,
                      bool names_pooling) {
  if (!a.include_top) return names_pooling ? pooled(a, x, "avg_pool", "max_pool") : pooled(a, x);
  return dense(global_average_pool(x, average_name), "predictions", a.classes, a.classifier_activation);
}

Model finish(const Arguments& a, const KerasTensor& input, const KerasTensor& output,
             const std::string& name) {
  Model model(
      {.inputs = utils::get_source_inputs(input), .outputs = output, .name = a.name.empty() ? name : a.name});
  if (!a.weights.empty()) model.load_weights(a.weights);
  return model;
}

}  // namespace cornu::inline v0::keras::applications
