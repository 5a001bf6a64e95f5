#include "cornu/keras/layers/convolutional/separable_conv.h"

#include "cornu/keras/layers/convolutional/convolution_layer_support.h"
#include "cornu/tensor/ops/conv.h"

namespace cornu::inline v0::keras::layers {
namespace {

class SeparableConvLayer : public ConvolutionLayer {
 public:
  SeparableConvLayer(const char* class_name, std::int64_t num_spatial, SeparableConvOptions options)
      : ConvolutionLayer(convolution_settings(class_name, options), num_spatial),
        options_(std::move(options)) {
    check_positive("filters", options_.filters);
    check_positive("depth_multiplier", options_.depth_multiplier);
    check_kernel_options("depthwise", options_.depthwise_initializer, options_.depthwise_regularizer,
                         options_.depthwise_constraint);
    check_kernel_options("pointwise", options_.pointwise_initializer, options_.pointwise_regularizer,
                         options_.pointwise_constraint);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    return convolved_shape(input_shape, options_.filters);
  }

 protected:
  void build(const Dims& input_shape) override {
    const std::int64_t inputs = known_channels(input_shape);
    (void)compute_output_shape(input_shape);
    depthwise_kernel_ = add_weight({.name = "depthwise_kernel",
                                    .shape = kernel_shape(inputs, options_.depth_multiplier),
                                    .initializer = options_.depthwise_initializer,
                                    .regularizer = options_.depthwise_regularizer,
                                    .constraint = options_.depthwise_constraint});
    Dims pointwise(static_cast<std::size_t>(num_spatial()), 1);
    pointwise.push_back(
        checked_extent("the number of channels between", CheckedSize(inputs) * options_.depth_multiplier));
    pointwise.push_back(options_.filters);
    pointwise_kernel_ = add_weight({.name = "pointwise_kernel",
                                    .shape = pointwise,
                                    .initializer = options_.pointwise_initializer,
                                    .regularizer = options_.pointwise_regularizer,
                                    .constraint = options_.pointwise_constraint});
    build_bias(input_shape, options_.filters);
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    return activated(
        ops::separable_conv(input, depthwise_kernel_, pointwise_kernel_, conv_options<ops::ConvOptions>()));
  }

 private:
  SeparableConvOptions options_;
  Variable depthwise_kernel_, pointwise_kernel_;
};

}  // namespace

SeparableConv1D::SeparableConv1D(SeparableConv1DOptions options)
    : LayerHandle(std::make_shared<SeparableConvLayer>("SeparableConv1D", 1, std::move(options))) {}
SeparableConv2D::SeparableConv2D(SeparableConv2DOptions options)
    : LayerHandle(std::make_shared<SeparableConvLayer>("SeparableConv2D", 2, std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
