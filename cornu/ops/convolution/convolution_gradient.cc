#include <algorithm>
#include <utility>

#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convolution/convolution_gradient.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce_window/window_rules.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/reverse/reverse.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops {
namespace convolution_folder {
namespace {

/// Splits dimension `from` into [groups, rest] and merges the groups, as the slower part, into dimension
/// `into`.
ir::Value move_groups(ir::Builder& builder, ir::Value x, std::int64_t groups, std::int64_t from,
                      std::int64_t into) {
  ir::Dims split = x.dims(), merged = x.dims();
  const auto at = static_cast<std::size_t>(from);
  split[at] /= groups;
  split.insert(split.begin() + from, groups);
  merged[at] /= groups;
  merged[static_cast<std::size_t>(into)] *= groups;
  ir::Dims order;  // the split dimensions, the groups moved to just before `into`
  for (std::int64_t d = 0; d < x.rank(); ++d) {
    if (d == into) order.push_back(from);
    order.push_back(d < from ? d : d + 1);
  }
  return reshape(builder, transpose(builder, reshape(builder, x, split), order), merged);
}

/// The kernel's gradient is lhs under a window of dy or, the same sums the other way round, dy under a window
/// of lhs. The second spares a transposed convolution the zeros in its lhs, and turning the result round.
/// Groups are of features that only the first has outside.
bool gradient_slides_over_lhs(const ConvolutionOptions& o) {
  const auto is_one = [](std::int64_t x) { return x == 1; };
  const auto is_set = [](std::int64_t x) { return x != 0; };
  return o.feature_group_count * o.batch_group_count == 1 &&
         std::all_of(o.window_strides.begin(), o.window_strides.end(), is_one) &&
         std::any_of(o.window_reversal.begin(), o.window_reversal.end(), is_set);
}

}  // namespace
}  // namespace convolution_folder

ir::Value convolution_lhs_gradient(ir::Builder& builder, ir::Value lhs, ir::Value rhs, ir::Value dy,
                                   const ConvolutionDimensions& d, const ConvolutionOptions& o) {
  ConvolutionOptions transposed = {
      .window_strides = o.lhs_dilation, .lhs_dilation = o.window_strides, .rhs_dilation = o.rhs_dilation};
  for (std::size_t i = 0; i < o.window_strides.size(); ++i) {
    const auto extent = [i](ir::Value x, const ir::Dims& spatial) {
      return x.dims()[static_cast<std::size_t>(spatial[i])];
    };
    const std::int64_t reach =
        dilated_extent(extent(rhs, d.kernel_spatial_dimensions), o.rhs_dilation[i]) - 1;
    const TransposedPadding padding = transposed_padding(
        dilated_extent(extent(lhs, d.input_spatial_dimensions), o.lhs_dilation[i]), reach, o.padding_low[i],
        dilated_extent(extent(dy, d.output_spatial_dimensions), o.window_strides[i]));
    transposed.padding_low.push_back(padding.low);
    transposed.padding_high.push_back(padding.high);
    transposed.window_reversal.push_back(o.window_reversal[i] == 0);
  }
  const std::int64_t groups = o.feature_group_count * o.batch_group_count;  // one of them is 1
  transposed.feature_group_count = groups;
  ir::Value kernel = rhs;
  if (groups > 1)
    kernel = convolution_folder::move_groups(builder, rhs, groups, d.kernel_output_feature_dimension,
                                             d.kernel_input_feature_dimension);
  const ir::Value dx = convolution(builder, dy, kernel,
                                   {.input_batch_dimension = d.output_batch_dimension,
                                    .input_feature_dimension = d.output_feature_dimension,
                                    .input_spatial_dimensions = d.output_spatial_dimensions,
                                    .kernel_input_feature_dimension = d.kernel_output_feature_dimension,
                                    .kernel_output_feature_dimension = d.kernel_input_feature_dimension,
                                    .kernel_spatial_dimensions = d.kernel_spatial_dimensions,
                                    .output_batch_dimension = d.input_batch_dimension,
                                    .output_feature_dimension = d.input_feature_dimension,
                                    .output_spatial_dimensions = d.input_spatial_dimensions},
                                   transposed);
  if (o.batch_group_count == 1) return dx;
  return convolution_folder::move_groups(builder, dx, o.batch_group_count, d.input_feature_dimension,
                                         d.input_batch_dimension);
}

ir::Value convolution_rhs_gradient(ir::Builder& builder, ir::Value lhs, ir::Value rhs, ir::Value dy,
                                   const ConvolutionDimensions& d, const ConvolutionOptions& o) {
  const bool mirrored = convolution_folder::gradient_slides_over_lhs(o);
  const ir::Value wide = mirrored ? dy : lhs, narrow = mirrored ? lhs : dy;
  // Features take the place of the batch: a group of one kind becomes one of the other.
  ConvolutionOptions swapped = {.window_strides = o.rhs_dilation,
                                .lhs_dilation = mirrored ? o.window_strides : o.lhs_dilation,
                                .rhs_dilation = mirrored ? o.lhs_dilation : o.window_strides,
                                .feature_group_count = o.batch_group_count,
                                .batch_group_count = o.feature_group_count};
  ConvolutionDimensions dims = {.input_batch_dimension = d.input_feature_dimension,
                                .input_feature_dimension = d.input_batch_dimension,
                                .input_spatial_dimensions = d.input_spatial_dimensions,
                                .kernel_input_feature_dimension = d.output_batch_dimension,
                                .kernel_output_feature_dimension = d.output_feature_dimension,
                                .kernel_spatial_dimensions = d.output_spatial_dimensions,
                                .output_batch_dimension = d.kernel_input_feature_dimension,
                                .output_feature_dimension = d.kernel_output_feature_dimension,
                                .output_spatial_dimensions = d.kernel_spatial_dimensions};
  if (mirrored) {
    std::swap(dims.input_batch_dimension, dims.kernel_output_feature_dimension);
    std::swap(dims.input_feature_dimension, dims.kernel_input_feature_dimension);
    std::swap(dims.input_spatial_dimensions, dims.kernel_spatial_dimensions);
    std::swap(dims.output_batch_dimension, dims.output_feature_dimension);
  }
  ir::Dims reversed;
  for (std::size_t i = 0; i < o.window_strides.size(); ++i) {
    const auto extent = [i](ir::Value x, const ir::Dims& spatial) {
      return x.dims()[static_cast<std::size_t>(spatial[i])];
    };
    const std::int64_t from =
        dilated_extent(extent(wide, dims.input_spatial_dimensions), swapped.lhs_dilation[i]);
    const std::int64_t over =
        dilated_extent(extent(narrow, dims.kernel_spatial_dimensions), swapped.rhs_dilation[i]);
    const std::int64_t reach =
        dilated_extent(extent(rhs, d.kernel_spatial_dimensions), o.rhs_dilation[i]) - 1;
    const CheckedSize low = mirrored ? CheckedSize(reach) - o.padding_low[i] : o.padding_low[i];
    swapped.padding_low.push_back(low.value("the padding of a kernel's gradient"));
    swapped.padding_high.push_back(
        (CheckedSize(over) + reach - from - low).value("the padding of a kernel's gradient"));
    // The other way round taps come out backwards.
    if ((o.window_reversal[i] != 0) != mirrored) reversed.push_back(d.kernel_spatial_dimensions[i]);
  }
  const ir::Value kernel = convolution(builder, wide, narrow, dims, swapped);
  return reversed.empty() ? kernel : reverse(builder, kernel, reversed);
}

std::vector<ir::Value> convolution_gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Value lhs = context.op.operand(0), rhs = context.op.operand(1), dy = context.result_gradients[0];
  const ConvolutionDimensions d = convolution_dimensions(context.op);
  const ConvolutionOptions o = convolution_options(context.op);
  std::vector<ir::Value> gradients(2);
  // Nothing was multiplied: no gradient (and a window of no elements has no place to be transposed to).
  if (lhs.type().num_elements() == 0 || rhs.type().num_elements() == 0 || dy.type().num_elements() == 0)
    return gradients;
  if (context.wants(lhs)) gradients[0] = convolution_lhs_gradient(builder, lhs, rhs, dy, d, o);
  if (context.wants(rhs)) gradients[1] = convolution_rhs_gradient(builder, lhs, rhs, dy, d, o);
  return gradients;
}

}  // namespace cornu::inline v0::ops
