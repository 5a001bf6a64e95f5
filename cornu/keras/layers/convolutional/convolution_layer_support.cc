#include "cornu/keras/layers/convolutional/convolution_layer_support.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras::layers {

ConvolutionLayer::ConvolutionLayer(ConvolutionSettings settings, std::int64_t num_spatial, bool allows_causal)
    : SpatialLayer(std::move(settings.layer), num_spatial, settings.data_format),
      kernel_size_(spatial_option("kernel_size", settings.kernel_size)),
      strides_(spatial_option("strides", settings.strides)),
      dilation_rate_(spatial_option("dilation_rate", settings.dilation_rate)),
      activation_(std::move(settings.activation)),
      use_bias_(settings.use_bias),
      is_fused_(use_bias_ && canonical_name(activation_.name()) == "relu"),
      bias_initializer_(std::move(settings.bias_initializer)),
      bias_regularizer_(std::move(settings.bias_regularizer)),
      bias_constraint_(std::move(settings.bias_constraint)) {
  std::vector<std::string> paddings = {"valid", "same"};
  if (allows_causal) paddings.push_back("causal");
  padding_ = choice_option("padding", settings.padding, paddings);
  check_activation(activation_);
  check_initializer("bias_initializer", bias_initializer_);
  check_regularizer("bias_regularizer", bias_regularizer_);
  check_constraint("bias_constraint", bias_constraint_);
}

void ConvolutionLayer::refuse_strides_with_dilation() const {
  const auto above_one = [](const Dims& values) {
    return std::any_of(values.begin(), values.end(), [](auto value) { return value > 1; });
  };
  if (above_one(strides_) && above_one(dilation_rate_))
    option_error(
        fmt::format("strides and dilation_rate cannot both be above 1; got strides = {}, dilation_rate = {}",
                    list_str(strides_), list_str(dilation_rate_)));
}

void ConvolutionLayer::check_kernel_options(const std::string& kernel, const InitializerSpec& initializer,
                                            const RegularizerSpec& regularizer,
                                            const ConstraintSpec& constraint) const {
  check_initializer((kernel + "_initializer").c_str(), initializer);
  check_regularizer((kernel + "_regularizer").c_str(), regularizer);
  check_constraint((kernel + "_constraint").c_str(), constraint);
}

Dims ConvolutionLayer::convolved_shape(const Dims& input_shape, std::int64_t filters) const {
  Dims windows;
  for (std::size_t i = 0; i < kernel_size_.size(); ++i)
    windows.push_back(checked_extent("the kernel with its dilation",
                                     (CheckedSize(kernel_size_[i]) - 1) * dilation_rate_[i] + 1));
  const std::string window =
      fmt::format("the kernel (kernel_size = {}, dilation_rate = {}, padding = \"{}\")",
                  list_str(kernel_size_), list_str(dilation_rate_), padding_);
  if (padding_ == "causal" && spatial(input_shape, 0) == 0)
    option_error(fmt::format("a causal convolution needs at least one step; got an input of shape {}",
                             shape_with_none_str(input_shape)));
  return with_spatial(input_shape, count_windows(input_shape, windows, strides_, padding_ != "valid", window),
                      filters);
}

Dims ConvolutionLayer::kernel_shape(std::int64_t inputs, std::int64_t outputs) const {
  Dims shape = kernel_size_;
  shape.push_back(inputs);
  shape.push_back(outputs);
  return shape;
}

void ConvolutionLayer::build_bias(const Dims& input_shape, std::int64_t filters) {
  if (use_bias_) {
    bias_ = add_weight({.name = "bias",
                        .shape = {filters},
                        .initializer = bias_initializer_,
                        .regularizer = bias_regularizer_,
                        .constraint = bias_constraint_});
  }
  set_input_spec({.ndim = num_spatial() + 2, .axes = {{channel_axis(), channels(input_shape)}}});
}

}  // namespace cornu::inline v0::keras::layers
