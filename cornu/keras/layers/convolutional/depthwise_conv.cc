#include "cornu/keras/layers/convolutional/depthwise_conv.h"

#include "cornu/keras/layers/convolutional/convolution_layer_support.h"
#include "cornu/tensor/ops/conv.h"

namespace cornu::inline v0::keras::layers {
namespace {

class DepthwiseConvLayer : public ConvolutionLayer {
 public:
  DepthwiseConvLayer(const char* class_name, std::int64_t num_spatial, DepthwiseConvOptions options)
      : ConvolutionLayer(convolution_settings(class_name, options), num_spatial),
        options_(std::move(options)) {
    check_positive("depth_multiplier", options_.depth_multiplier);
    check_kernel_options("depthwise", options_.depthwise_initializer, options_.depthwise_regularizer,
                         options_.depthwise_constraint);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    const std::int64_t inputs = channels(input_shape);
    return convolved_shape(input_shape, inputs == kUnknown ? kUnknown : num_outputs(inputs));
  }

 protected:
  void build(const Dims& input_shape) override {
    const std::int64_t inputs = known_channels(input_shape);
    (void)compute_output_shape(input_shape);
    kernel_ = add_weight({.name = "kernel",
                          .shape = kernel_shape(inputs, options_.depth_multiplier),
                          .initializer = options_.depthwise_initializer,
                          .regularizer = options_.depthwise_regularizer,
                          .constraint = options_.depthwise_constraint});
    build_bias(input_shape, num_outputs(inputs));
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    return activated(ops::depthwise_conv(input, kernel_, conv_options<ops::ConvOptions>()));
  }

 private:
  std::int64_t num_outputs(std::int64_t inputs) const {
    return checked_extent("the number of output channels", CheckedSize(inputs) * options_.depth_multiplier);
  }

  DepthwiseConvOptions options_;
  Variable kernel_;
};

}  // namespace

DepthwiseConv1D::DepthwiseConv1D(DepthwiseConv1DOptions options)
    : LayerHandle(std::make_shared<DepthwiseConvLayer>("DepthwiseConv1D", 1, std::move(options))) {}
DepthwiseConv2D::DepthwiseConv2D(DepthwiseConv2DOptions options)
    : LayerHandle(std::make_shared<DepthwiseConvLayer>("DepthwiseConv2D", 2, std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
