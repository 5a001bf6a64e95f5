#include "cornu/tensor/ops/conv.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"
#include "cornu/tensor/ops/transposed_padding_support.h"

namespace cornu::inline v0::ops {
using namespace internal;

namespace {

/// Positions of the batch, channel and spatial axes of one call's inputs.
struct Layout {
  std::int64_t num_spatial;
  std::int64_t channel_axis;
  std::int64_t first_spatial;

  Layout(const char* op, const Tensor& inputs, std::string_view data_format)
      : num_spatial(inputs.rank() - 2) {
    if (data_format != "channels_last" && data_format != "channels_first")
      invalid_argument(
          {.argument = "data_format"},
          "[{}] data_format must be \"channels_last\" or \"channels_first\"; got data_format = \"{}\"", op,
          data_format);
    if (num_spatial < 1)
      invalid_argument("[{}] inputs must have a batch, spatial and a channel axis; got shape {}", op,
                       ir::shape_str(inputs.shape()));
    const bool last = data_format == "channels_last";
    channel_axis = last ? inputs.rank() - 1 : 1;
    first_spatial = last ? 1 : 2;
  }
  std::int64_t extent(const Tensor& inputs, std::size_t i) const {
    return inputs.shape()[static_cast<std::size_t>(first_spatial) + i];
  }
  /// One number for each axis: `spatial` for spatial axes, `otherwise` for batch and channels.
  Dims everywhere(const Dims& spatial, std::int64_t otherwise) const {
    Dims all(static_cast<std::size_t>(num_spatial) + 2, otherwise);
    std::copy(spatial.begin(), spatial.end(), all.begin() + first_spatial);
    return all;
  }
};

/// One positive number for each spatial axis.
Dims spatial(const char* op, const char* argument, const IntOrInts& values, const Layout& layout) {
  Dims result = values.values();
  if (!values.is_list()) result.resize(static_cast<std::size_t>(layout.num_spatial), result[0]);
  if (static_cast<std::int64_t>(result.size()) != layout.num_spatial ||
      std::any_of(result.begin(), result.end(), [](auto v) { return v < 1; }))
    invalid_argument({.argument = argument},
                     "[{}] {} must be positive, one number or one for each of {} spatial axes; got {} = {}",
                     op, argument, layout.num_spatial, argument, values.values());
  return result;
}

struct Padding {
  Dims low, high;
};

/// Errors: InvalidArgument if no window fits.
Padding padding_of(const char* op, std::string_view padding, const Tensor& inputs, const Layout& layout,
                   const Dims& windows, const Dims& strides, bool allows_causal = false) {
  const bool is_causal = allows_causal && padding == "causal";
  if (padding != "valid" && padding != "same" && !is_causal)
    invalid_argument({.argument = "padding"},
                     "[{}] padding must be \"valid\"{} \"same\"{}; got padding = \"{}\"", op,
                     allows_causal ? "," : " or", allows_causal ? " or \"causal\"" : "", padding);
  Padding result;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::int64_t n = layout.extent(inputs, i);
    if (is_causal && n > 0) {
      result.low.push_back(windows[i] - 1);
      result.high.push_back(0);
      continue;
    }
    const std::int64_t last =
        n > 0 ? (n - 1) / strides[i] * strides[i] : -strides[i];  // start of the last window
    const std::int64_t total = padding == "valid" ? 0 : std::max<std::int64_t>(0, last - n + windows[i]);
    if (n > 0 && n < windows[i] - total)
      invalid_argument("[{}] inputs of shape {} are smaller than the window of {} (with its dilation)", op,
                       ir::shape_str(inputs.shape()), windows);
    result.low.push_back(total / 2);
    result.high.push_back(total - total / 2);
  }
  return result;
}

ConvolutionDimensions dimensions_of(const Layout& layout) {
  ConvolutionDimensions d;
  d.input_batch_dimension = d.output_batch_dimension = 0;
  d.input_feature_dimension = d.output_feature_dimension = layout.channel_axis;
  for (std::int64_t i = 0; i < layout.num_spatial; ++i) {
    d.input_spatial_dimensions.push_back(layout.first_spatial + i);
    d.kernel_spatial_dimensions.push_back(i);
  }
  d.output_spatial_dimensions = d.input_spatial_dimensions;
  d.kernel_input_feature_dimension = layout.num_spatial;
  d.kernel_output_feature_dimension = layout.num_spatial + 1;
  return d;
}

/// Operations after a convolution.
struct Ending {
  const Tensor& bias;
  std::string_view activation;
};

Tensor convolve(const char* name, const Tensor& inputs, const Tensor& kernel, const ConvolutionDimensions& d,
                const ConvolutionOptions& o, const Ending& ending) {
  const auto& [bias, activation] = ending;
  if (activation != "linear" && (activation != "relu" || !bias.defined()))
    invalid_argument({.argument = "activation"},
                     "[{}] activation must be \"linear\" or, with a bias, \"relu\"; got activation = \"{}\"",
                     name, activation);
  std::vector<Tensor> operands = {as_dtype(inputs, kernel.dtype()), kernel};
  const OpKey key(name, d.input_feature_dimension, d.kernel_input_feature_dimension, o.window_strides,
                  o.padding_low, o.padding_high, o.lhs_dilation, o.rhs_dilation, o.feature_group_count,
                  activation);
  if (!bias.defined())
    return run_op(key, operands, [&](ir::Builder& b, Values v) { return convolution(b, v[0], v[1], d, o); });
  const std::int64_t filters = extent(kernel.shape(), d.kernel_output_feature_dimension);
  if (bias.shape() != Dims{filters})
    invalid_argument("[{}] the bias must have the shape {}; got {}", name, ir::shape_str({filters}),
                     ir::shape_str(bias.shape()));
  operands.push_back(as_dtype(bias, kernel.dtype()));
  const ConvolutionActivation kind =
      activation == "relu" ? ConvolutionActivation::kRelu : ConvolutionActivation::kLinear;
  return run_op(key, operands, [&](ir::Builder& b, Values v) {
    return convolution_bias_activation(b, v[0], v[1], v[2], d, o, kind);
  });
}

void check_kernel(const char* op, const Tensor& inputs, const Tensor& kernel) {
  if (kernel.rank() != inputs.rank())
    invalid_argument(
        "[{}] the kernel must have a dimension for each spatial axis and two for channels; got inputs {} and "
        "kernel {}",
        op, ir::shape_str(inputs.shape()), ir::shape_str(kernel.shape()));
  if (!ir::is_float(kernel.dtype()))
    invalid_argument("[{}] the kernel must be of floats; got {}", op, type_str(kernel.type()));
}

/// The extents of the kernel's spatial part with dilation.
Dims dilated(const Tensor& kernel, const Dims& dilation) {
  Dims result;
  for (std::size_t i = 0; i < dilation.size(); ++i)
    result.push_back(((CheckedSize(kernel.shape()[i]) - 1) * dilation[i] + 1)
                         .value("[conv] the kernel's extent with its dilation"));
  return result;
}

Tensor grouped_conv(const char* op, const Tensor& inputs, const Tensor& kernel, const ConvOptions& options,
                    std::int64_t num_groups) {
  const Layout layout(op, inputs, options.data_format);
  const Dims strides = spatial(op, "strides", options.strides, layout);
  const Dims dilation = spatial(op, "dilation_rate", options.dilation_rate, layout);
  const Padding padding =
      padding_of(op, options.padding, inputs, layout, dilated(kernel, dilation), strides, true);
  return convolve(op, inputs, kernel, dimensions_of(layout),
                  {.window_strides = strides,
                   .padding_low = padding.low,
                   .padding_high = padding.high,
                   .rhs_dilation = dilation,
                   .feature_group_count = num_groups},
                  {options.bias, options.activation});
}

}  // namespace

Tensor conv(const Tensor& inputs, const Tensor& kernel, const ConvOptions& options) {
  const Layout layout("conv", inputs, options.data_format);
  check_kernel("conv", inputs, kernel);
  const std::int64_t channels = extent(inputs.shape(), layout.channel_axis),
                     kernel_channels = extent(kernel.shape(), layout.num_spatial);
  const std::int64_t num_groups = kernel_channels > 0 ? channels / kernel_channels : 0;
  if (num_groups == 0 || channels % kernel_channels != 0 || kernel.shape().back() % num_groups != 0)
    invalid_argument(
        "[conv] the inputs' channels must be a multiple of the kernel's; got inputs {} and kernel {}",
        ir::shape_str(inputs.shape()), ir::shape_str(kernel.shape()));
  return grouped_conv("conv", inputs, kernel, options, num_groups);
}

Tensor depthwise_conv(const Tensor& inputs, const Tensor& kernel, const ConvOptions& options) {
  const Layout layout("depthwise_conv", inputs, options.data_format);
  check_kernel("depthwise_conv", inputs, kernel);
  const std::int64_t channels = extent(inputs.shape(), layout.channel_axis);
  if (extent(kernel.shape(), layout.num_spatial) != channels)
    invalid_argument(
        "[depthwise_conv] the kernel must have the inputs' channels; got inputs {} and kernel {}",
        ir::shape_str(inputs.shape()), ir::shape_str(kernel.shape()));
  Dims dims = kernel.shape();
  extent(dims, layout.num_spatial) = 1;
  dims.back() = checked_extent("depthwise_conv", CheckedSize(dims.back()) * channels);
  return grouped_conv("depthwise_conv", inputs, reshape(kernel, dims), options, channels);
}

Tensor separable_conv(const Tensor& inputs, const Tensor& depthwise_kernel, const Tensor& pointwise_kernel,
                      const ConvOptions& options) {
  ConvOptions depthwise = options, pointwise = options;
  depthwise.bias = {};
  depthwise.activation = "linear";
  pointwise.strides = 1;
  pointwise.padding = "valid";
  return conv(depthwise_conv(inputs, depthwise_kernel, depthwise), pointwise_kernel, pointwise);
}

Tensor conv_transpose(const Tensor& inputs, const Tensor& kernel, const ConvTransposeOptions& options) {
  const Layout layout("conv_transpose", inputs, options.data_format);
  check_kernel("conv_transpose", inputs, kernel);
  if (extent(inputs.shape(), layout.channel_axis) != kernel.shape().back())
    invalid_argument(
        "[conv_transpose] the kernel's last extent must be the inputs' channels; got inputs {} and kernel {}",
        ir::shape_str(inputs.shape()), ir::shape_str(kernel.shape()));
  if (options.padding != "valid" && options.padding != "same")
    invalid_argument({.argument = "padding"},
                     "[conv_transpose] padding must be \"valid\" or \"same\"; got padding = \"{}\"",
                     options.padding);
  const Dims strides = spatial("conv_transpose", "strides", options.strides, layout);
  const Dims dilation = spatial("conv_transpose", "dilation_rate", options.dilation_rate, layout);
  const Dims windows = dilated(kernel, dilation);
  ConvolutionOptions o = {
      .lhs_dilation = strides, .rhs_dilation = dilation, .window_reversal = Dims(strides.size(), 1)};
  for (std::size_t i = 0; i < strides.size(); ++i) {
    std::optional<std::int64_t> extra;
    if (options.output_padding) {
      const Dims& given = options.output_padding->values();
      if (options.output_padding->is_list() && given.size() != strides.size())
        invalid_argument(
            "[conv_transpose] output_padding must be one number or one for each of {} spatial axes; got "
            "output_padding = {}",
            strides.size(), given);
      extra = given.size() == 1 ? given[0] : given[i];
      if (*extra < 0)
        invalid_argument({.argument = "output_padding"},
                         "[conv_transpose] output_padding must not be negative; got output_padding = {}",
                         given);
    }
    const TransposedPadding padding =
        transposed_padding(options.padding == "same", windows[i], strides[i], extra);
    o.padding_low.push_back(padding.low);
    o.padding_high.push_back(padding.high);
  }
  ConvolutionDimensions d = dimensions_of(layout);
  std::swap(d.kernel_input_feature_dimension, d.kernel_output_feature_dimension);
  return convolve("conv_transpose", inputs, kernel, d, o, {options.bias, options.activation});
}

namespace {

/// The windows of one pooling, in all dimensions.
WindowOptions pool_window(const char* op, const Tensor& inputs, const IntOrInts& pool_size,
                          const PoolOptions& options) {
  const Layout layout(op, inputs, options.data_format);
  const Dims size = spatial(op, "pool_size", pool_size, layout);
  const Dims strides = spatial(op, "strides", options.strides.value_or(pool_size), layout);
  const Padding padding = padding_of(op, options.padding, inputs, layout, size, strides);
  return {.dimensions = layout.everywhere(size, 1),
          .strides = layout.everywhere(strides, 1),
          .padding_low = layout.everywhere(padding.low, 0),
          .padding_high = layout.everywhere(padding.high, 0)};
}

template <typename Build>
Tensor run_pool(const char* op, const Tensor& inputs, const WindowOptions& window, Build build) {
  return run_op(OpKey(op, window.dimensions, window.strides, window.padding_low, window.padding_high),
                {&inputs, 1}, [&](ir::Builder& b, Values v) { return build(b, v[0]); });
}

Tensor sum_pool(const Tensor& inputs, const IntOrInts& pool_size, const PoolOptions& options) {
  const WindowOptions window = pool_window("average_pool", inputs, pool_size, options);
  return run_pool("average_pool", inputs, window,
                  [&](ir::Builder& b, ir::Value x) { return reduce_window_sum(b, x, window); });
}

}  // namespace

Tensor max_pool(const Tensor& inputs, const IntOrInts& pool_size, const PoolOptions& options) {
  const WindowOptions window = pool_window("max_pool", inputs, pool_size, options);
  if (!ir::is_float(inputs.dtype()))
    return run_pool("max_pool", inputs, window,
                    [&](ir::Builder& b, ir::Value x) { return reduce_window_max(b, x, window); });
  return run_pool("max_pool", inputs, window, [&](ir::Builder& b, ir::Value x) {
    return max_pool(b, x, {window.dimensions, window.strides, window.padding_low, window.padding_high});
  });
}

Tensor average_pool(const Tensor& inputs, const IntOrInts& pool_size, const PoolOptions& options) {
  const Tensor values = as_float(inputs);
  const Tensor sums = sum_pool(values, pool_size, options);
  const Layout layout("average_pool", inputs, options.data_format);
  if (options.padding == "valid") {
    const Dims window = spatial("average_pool", "pool_size", pool_size, layout);
    return sums / static_cast<double>(CheckedSize::product(window).value("[average_pool] the window"));
  }
  // The number of valid inputs of each window does not depend on batch and channels.
  Dims dims = inputs.shape();
  dims[0] = 1;
  extent(dims, layout.channel_axis) = 1;
  return sums / sum_pool(ones(dims, values.dtype()), pool_size, options);
}

}  // namespace cornu::inline v0::ops
