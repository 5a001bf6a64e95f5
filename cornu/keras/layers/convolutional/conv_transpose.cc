#include "cornu/keras/layers/convolutional/conv_transpose.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/layers/convolutional/convolution_layer_support.h"
#include "cornu/tensor/ops/conv.h"

namespace cornu::inline v0::keras::layers {
namespace {

class ConvTransposeLayer : public ConvolutionLayer {
 public:
  ConvTransposeLayer(const char* class_name, std::int64_t num_spatial, ConvTransposeOptions options)
      : ConvolutionLayer(convolution_settings(class_name, options), num_spatial),
        options_(std::move(options)) {
    check_positive("filters", options_.filters);
    refuse_strides_with_dilation();
    if (options_.output_padding) set_output_padding(*options_.output_padding);
    check_kernel_options("kernel", options_.kernel_initializer, options_.kernel_regularizer,
                         options_.kernel_constraint);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    Dims extents;
    for (std::size_t i = 0; i < kernel_size().size(); ++i) {
      const std::int64_t extent = spatial(input_shape, i);
      extents.push_back(extent == kUnknown ? kUnknown : output_extent(extent, i));
      if (extent == 0 || extents.back() == 0) {
        option_error(
            fmt::format("nothing would come out along spatial axis {}; got kernel_size = {}, strides = {} "
                        "for an input of shape {}",
                        i, list_str(kernel_size()), list_str(strides()), shape_with_none_str(input_shape)));
      }
    }
    return with_spatial(input_shape, extents, options_.filters);
  }

 protected:
  void build(const Dims& input_shape) override {
    const std::int64_t channels = known_channels(input_shape);
    (void)compute_output_shape(input_shape);
    kernel_ = add_weight({.name = "kernel",
                          .shape = kernel_shape(options_.filters, channels),
                          .initializer = options_.kernel_initializer,
                          .regularizer = options_.kernel_regularizer,
                          .constraint = options_.kernel_constraint});
    build_bias(input_shape, options_.filters);
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    auto options = conv_options<ops::ConvTransposeOptions>();
    if (!output_padding_.empty()) options.output_padding = output_padding_;
    return activated(ops::conv_transpose(input, kernel_, options));
  }

 private:
  void set_output_padding(const ops::IntOrInts& values) {
    output_padding_ = spatial_option("output_padding", values, 0);
    for (std::size_t i = 0; i < output_padding_.size(); ++i) {
      if (output_padding_[i] >= strides()[i])
        option_error(fmt::format(
            "output_padding must be below strides along every axis; got output_padding = {}, strides = {}",
            list_str(output_padding_), list_str(strides())));
    }
  }

  std::int64_t output_extent(std::int64_t extent, std::size_t i) const {
    const std::int64_t stride = strides()[i];
    const std::int64_t window = checked_extent("the kernel with its dilation",
                                               (CheckedSize(kernel_size()[i]) - 1) * dilation_rate()[i] + 1);
    const bool is_valid = padding() == "valid";
    const CheckedSize spread = (CheckedSize(extent) - 1) * stride;
    const CheckedSize result = output_padding_.empty()
                                   ? spread + (is_valid ? std::max(window, stride) : stride)
                                   : spread + (is_valid ? window : window % 2) + output_padding_[i];
    return checked_extent("an extent of the output", result);
  }

  ConvTransposeOptions options_;
  Dims output_padding_;  // empty: unset
  Variable kernel_;
};

}  // namespace

Conv1DTranspose::Conv1DTranspose(Conv1DTransposeOptions options)
    : LayerHandle(std::make_shared<ConvTransposeLayer>("Conv1DTranspose", 1, std::move(options))) {}
Conv2DTranspose::Conv2DTranspose(Conv2DTransposeOptions options)
    : LayerHandle(std::make_shared<ConvTransposeLayer>("Conv2DTranspose", 2, std::move(options))) {}
Conv3DTranspose::Conv3DTranspose(Conv3DTransposeOptions options)
    : LayerHandle(std::make_shared<ConvTransposeLayer>("Conv3DTranspose", 3, std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
