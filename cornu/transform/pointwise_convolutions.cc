#include "cornu/transform/pointwise_convolutions.h"

#include <algorithm>
#include <span>
#include <vector>

#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convolution/convolution.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a convolution of one window, a convolution of 1 x 1

using ir::Value;

constexpr std::int64_t kFewestPositions = 256, kFewestChannels = 32;
constexpr std::int64_t kWideChannels = 64;  // no library's kernel is faster from here on

/// True for [0, 1, ...], which leaves out the last dimension.
bool is_all_but_last(std::int64_t first, const ir::Dims& rest, std::int64_t rank) {
  if (first != 0 || static_cast<std::int64_t>(rest.size()) + 2 != rank) return false;
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest[i] != static_cast<std::int64_t>(i) + 1) return false;
  return true;
}

bool are_all(const ir::Dims& numbers, std::int64_t number) {
  return std::ranges::all_of(numbers, [number](std::int64_t x) { return x == number; });
}

bool is_ungrouped_f32(const ir::Op& op, const ops::ConvolutionOptions& options) {
  const auto is_f32 = [](Value x) { return x.dtype() == ir::DType::kF32; };
  return is_f32(op.operand(0)) && is_f32(op.operand(1)) && is_f32(op.result()) &&
         options.feature_group_count == 1 && options.batch_group_count == 1;
}

/// True for a convolution whose window is the whole lhs, or every k-th element of it, and whose operands are both
/// [positions..., channels].
bool sums_over_positions(const ir::Op& op) {
  const Value lhs = op.operand(0), rhs = op.operand(1);
  const ops::ConvolutionDimensions d = ops::convolution_dimensions(op);
  const ops::ConvolutionOptions o = ops::convolution_options(op);
  if (!is_ungrouped_f32(op, o) ||
      !is_all_but_last(d.input_feature_dimension, d.input_spatial_dimensions, lhs.rank()) ||
      !is_all_but_last(d.kernel_input_feature_dimension, d.kernel_spatial_dimensions, rhs.rank()))
    return false;
  if (!are_all(o.padding_low, 0) || !are_all(o.window_reversal, 0) || !are_all(o.lhs_dilation, 1) ||
      std::ranges::any_of(o.padding_high, [](std::int64_t x) { return x > 0; }))
    return false;
  const std::int64_t channels = lhs.dims().back(), features = rhs.dims().back();
  return d.output_batch_dimension < d.output_feature_dimension &&
         std::min(channels, features) >= kFewestChannels &&
         rhs.type().num_elements() / features >= kFewestPositions &&
         op.result().type().num_elements() == channels * features;
}

/// True for a convolution of single elements: [positions..., channels] by a matrix of channels, with strides or with
/// a dilated lhs along each dimension.
bool multiplies_positions(const ir::Op& op) {
  const Value lhs = op.operand(0), rhs = op.operand(1), result = op.result();
  const ops::ConvolutionDimensions d = ops::convolution_dimensions(op);
  const ops::ConvolutionOptions o = ops::convolution_options(op);
  if (!is_ungrouped_f32(op, o) || !are_all(o.padding_low, 0) ||
      !is_all_but_last(d.input_batch_dimension, d.input_spatial_dimensions, lhs.rank()) ||
      !is_all_but_last(d.output_batch_dimension, d.output_spatial_dimensions, result.rank()))
    return false;
  const std::int64_t channels = lhs.dims().back(), features = result.dims().back();
  if (rhs.type().num_elements() != channels * features || lhs.type().num_elements() == 0) return false;
  for (std::size_t i = 0; i < o.window_strides.size(); ++i) {
    const std::int64_t dilated = (lhs.dims()[i + 1] - 1) * o.lhs_dilation[i] + 1;
    const bool is_inside = (result.dims()[i + 1] - 1) * o.window_strides[i] < dilated;
    if (o.lhs_dilation[i] == 1 ? !is_inside : o.window_strides[i] != 1) return false;
  }
  return std::min(channels, features) >= kWideChannels ||
         lhs.type().num_elements() == lhs.dims()[0] * channels;
}

bool is_product(const ir::Op& op) {
  return op.name() == "convolution" && (sums_over_positions(op) || multiplies_positions(op));
}

Value as_matrix(ir::Builder& b, Value x) {
  const std::int64_t channels = x.dims().back();
  return ops::reshape(b, x, {x.type().num_elements() / channels, channels});
}

/// The elements of `x` [batch, spatial..., channels] at multiples of `strides`, `extents` along each dimension.
Value elements_at(ir::Builder& b, Value x, const ir::Dims& strides, std::span<const std::int64_t> extents) {
  ir::Dims limits = x.dims(), all_strides(limits.size(), 1);
  for (std::size_t i = 0; i < strides.size(); ++i) {
    limits[i] = (extents[i] - 1) * strides[i] + 1;
    all_strides[i] = strides[i];
  }
  if (limits == x.dims() && are_all(all_strides, 1)) return x;
  return ops::slice(b, x, ir::Dims(limits.size(), 0), limits, all_strides);
}

/// `x` with zeros between its elements along dimensions 1, ..., and up to the extents of `dims`.
Value with_zeros_between(ir::Builder& b, Value x, const ir::Dims& dilation, const ir::Dims& dims) {
  ir::Dims interior(dims.size(), 0), high(dims.size(), 0);
  for (std::size_t i = 0; i < dilation.size(); ++i) {
    interior[i + 1] = dilation[i] - 1;
    high[i + 1] = dims[i + 1] - ((x.dims()[i + 1] - 1) * dilation[i] + 1);
  }
  if (x.dims() == dims) return x;
  return ops::pad(b, x, ops::scalar(b, ir::DType::kF32, 0), ir::Dims(dims.size(), 0), high, interior);
}

Value sum_over_positions(ir::Builder& b, const ir::Op& op, Value lhs, Value rhs) {
  ir::Dims strides = {1};  // of the batch
  const ir::Dims dilation = ops::convolution_options(op).rhs_dilation;
  // The window's dimensions are the batch, which is the feature dimension of these convolutions, and the
  // images'.
  strides.insert(strides.end(), dilation.begin(), dilation.end());
  const Value product = ops::dot_general(b, as_matrix(b, elements_at(b, lhs, strides, rhs.dims())),
                                         as_matrix(b, rhs), {.lhs_contracting = {0}, .rhs_contracting = {0}});
  return ops::reshape(b, product, op.result().dims());
}

Value multiply_positions(ir::Builder& b, const ir::Op& op, Value lhs, Value rhs) {
  const ops::ConvolutionDimensions d = ops::convolution_dimensions(op);
  const ops::ConvolutionOptions o = ops::convolution_options(op);
  const ir::Dims& result = op.result().dims();
  const bool is_transposed = d.kernel_output_feature_dimension < d.kernel_input_feature_dimension;
  const std::int64_t channels = lhs.dims().back(), features = result.back();
  const Value matrix =
      ops::reshape(b, rhs, is_transposed ? ir::Dims{features, channels} : ir::Dims{channels, features});
  ir::Dims dims = lhs.dims(), strides = {1};
  for (std::size_t i = 0; i < o.window_strides.size(); ++i) {
    strides.push_back(o.window_strides[i]);
    if (o.lhs_dilation[i] == 1) dims[i + 1] = result[i + 1];
  }
  const Value product =
      ops::dot_general(b, as_matrix(b, elements_at(b, lhs, strides, dims)), matrix,
                       {.lhs_contracting = {1}, .rhs_contracting = {is_transposed ? 1 : 0}});
  dims.back() = features;
  return with_zeros_between(b, ops::reshape(b, product, dims), o.lhs_dilation, result);
}

}  // namespace

std::unique_ptr<ir::Function> multiply_single_windows(const ir::Function& function) {
  return replace_matching(
      function, &is_product, [](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
        const auto multiply = sums_over_positions(op) ? &sum_over_positions : &multiply_positions;
        return std::vector{multiply(b, op, operands[0], operands[1])};
      });
}

}  // namespace cornu::inline v0::transform
