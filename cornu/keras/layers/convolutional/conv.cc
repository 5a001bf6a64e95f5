#include "cornu/keras/layers/convolutional/conv.h"

#include "cornu/base/check.h"
#include "cornu/keras/layers/convolutional/convolution_layer_support.h"
#include "cornu/keras/layers/core/lora_support.h"
#include "cornu/tensor/ops/conv.h"

namespace cornu::inline v0::keras::layers {
namespace {

class ConvLayer : public WithLora<ConvolutionLayer> {
 public:
  ConvLayer(const char* class_name, std::int64_t num_spatial, ConvOptions options)
      : WithLora(convolution_settings(class_name, options), num_spatial, num_spatial == 1),
        options_(std::move(options)) {
    check_positive("filters", options_.filters);
    check_positive("groups", options_.groups);
    if (options_.filters % options_.groups != 0)
      option_error(fmt::format("groups must divide filters; got groups = {}, filters = {}", options_.groups,
                               options_.filters));
    refuse_strides_with_dilation();
    check_kernel_options("kernel", options_.kernel_initializer, options_.kernel_regularizer,
                         options_.kernel_constraint);
    set_lora_options(options_.lora_rank, options_.lora_alpha, options_.kernel_constraint.get() != nullptr);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    return convolved_shape(input_shape, options_.filters);
  }

 protected:
  void build(const Dims& input_shape) override {
    const std::int64_t channels = known_channels(input_shape);
    if (channels % options_.groups != 0)
      option_error(fmt::format(
          "groups must divide the input's channels; got groups = {} for {} channels of the shape {}",
          options_.groups, channels, shape_with_none_str(input_shape)));
    (void)compute_output_shape(input_shape);
    kernel_ = add_weight({.name = "kernel",
                          .shape = kernel_shape(channels / options_.groups, options_.filters),
                          .initializer = options_.kernel_initializer,
                          .regularizer = options_.kernel_regularizer,
                          .constraint = options_.kernel_constraint});
    build_bias(input_shape, options_.filters);
    set_lora_weight(kernel_, options_.kernel_regularizer);
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    return activated(ops::conv(input, lora_weight(), conv_options<ops::ConvOptions>()));
  }

 private:
  ConvOptions options_;
  Variable kernel_;
};

}  // namespace

Conv1D::Conv1D(Conv1DOptions options)
    : LoraHandle(std::make_shared<ConvLayer>("Conv1D", 1, std::move(options))) {}
Conv2D::Conv2D(Conv2DOptions options)
    : LoraHandle(std::make_shared<ConvLayer>("Conv2D", 2, std::move(options))) {}
Conv3D::Conv3D(Conv3DOptions options)
    : LoraHandle(std::make_shared<ConvLayer>("Conv3D", 3, std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
