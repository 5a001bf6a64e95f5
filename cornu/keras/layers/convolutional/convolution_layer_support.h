#pragma once

#include <string>

#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/spatial/spatial_layer_support.h"

namespace cornu::inline v0::keras::layers {

/// The options that all convolution layers have.
struct ConvolutionSettings {
  LayerSettings layer;
  ops::IntOrInts kernel_size;
  ops::IntOrInts strides;
  std::string padding;
  std::string data_format;
  ops::IntOrInts dilation_rate;
  ActivationSpec activation;
  bool use_bias;
  InitializerSpec bias_initializer;
  RegularizerSpec bias_regularizer;
  ConstraintSpec bias_constraint;
};

template <typename Options>
ConvolutionSettings convolution_settings(const char* class_name, const Options& options) {
  return {.layer = layer_settings(class_name, options),
          .kernel_size = options.kernel_size,
          .strides = options.strides,
          .padding = options.padding,
          .data_format = options.data_format,
          .dilation_rate = options.dilation_rate,
          .activation = options.activation,
          .use_bias = options.use_bias,
          .bias_initializer = options.bias_initializer,
          .bias_regularizer = options.bias_regularizer,
          .bias_constraint = options.bias_constraint};
}

/// The common base of convolution layers: windows, the bias, the activation.
class ConvolutionLayer : public SpatialLayer {
 public:
  std::string activation_name() const override { return activation_.name(); }

 protected:
  ConvolutionLayer(ConvolutionSettings settings, std::int64_t num_spatial, bool allows_causal = false);

  DType output_dtype(DType) const override { return compute_dtype(); }
  void unbuild() override { set_input_spec({.ndim = num_spatial() + 2}); }

  const Dims& kernel_size() const { return kernel_size_; }
  const Dims& strides() const { return strides_; }
  const Dims& dilation_rate() const { return dilation_rate_; }
  const std::string& padding() const { return padding_; }

  /// For constructors: throws if strides and dilation_rate both exceed 1, which Keras refuses.
  void refuse_strides_with_dilation() const;
  /// For constructors: checks the names in a kernel's options.
  void check_kernel_options(const std::string& kernel, const InitializerSpec& initializer,
                            const RegularizerSpec& regularizer, const ConstraintSpec& constraint) const;
  /// The shape of a convolution's output. Errors: InvalidArgument if no window fits.
  Dims convolved_shape(const Dims& input_shape, std::int64_t filters) const;
  /// The kernel's extents, followed by `inputs` and `outputs`.
  Dims kernel_shape(std::int64_t inputs, std::int64_t outputs) const;
  /// Makes the bias, if there is one, and fixes the number of channels of later inputs.
  void build_bias(const Dims& input_shape, std::int64_t filters);
  /// The options for ops::conv or ops::conv_transpose: windows, bias, and the activation if it can be part of
  /// the operation.
  template <typename Options>
  Options conv_options() const {
    Options options;
    options.strides = strides_;
    options.padding = padding_;
    options.data_format = data_format();
    options.dilation_rate = dilation_rate_;
    if (use_bias_) options.bias = bias_;
    if (is_fused_) options.activation = "relu";
    return options;
  }
  /// Applies the activation if it is not part of conv_options().
  Tensor activated(const Tensor& output) const { return is_fused_ ? output : activation_(output); }

 private:
  Dims kernel_size_, strides_, dilation_rate_;
  std::string padding_;
  ActivationSpec activation_;
  bool use_bias_;
  bool is_fused_;  // bias and activation are part of the convolution
  InitializerSpec bias_initializer_;
  RegularizerSpec bias_regularizer_;
  ConstraintSpec bias_constraint_;
  Variable bias_;
};

}  // namespace cornu::inline v0::keras::layers
