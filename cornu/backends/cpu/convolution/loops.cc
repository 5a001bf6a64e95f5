#include "cornu/backends/cpu/convolution/loops.h"

#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::backends::cpu {

ConvolutionLoops::ConvolutionLoops(const ir::Op& op) {
  const ops::ConvolutionDimensions d = ops::convolution_dimensions(op);
  const ops::ConvolutionOptions o = ops::convolution_options(op);
  const ir::Dims &lhs = op.operand(0).dims(), &rhs = op.operand(1).dims(), &result = op.result().dims();
  const ir::Dims lhs_strides = ir::row_major_strides(lhs), rhs_strides = ir::row_major_strides(rhs),
                 result_strides = ir::row_major_strides(result);
  const auto at = [](const ir::Dims& dims, std::int64_t dimension) {
    return dims[static_cast<std::size_t>(dimension)];
  };
  groups = o.feature_group_count * o.batch_group_count;  // one of them is 1
  batch = at(lhs, d.input_batch_dimension) / o.batch_group_count;
  channels = at(rhs, d.kernel_input_feature_dimension);
  features = at(rhs, d.kernel_output_feature_dimension) / groups;
  lhs_batch = at(lhs_strides, d.input_batch_dimension);
  lhs_channel = at(lhs_strides, d.input_feature_dimension);
  lhs_group = o.batch_group_count > 1 ? batch * lhs_batch : channels * lhs_channel;
  rhs_channel = at(rhs_strides, d.kernel_input_feature_dimension);
  rhs_feature = at(rhs_strides, d.kernel_output_feature_dimension);
  rhs_group = features * rhs_feature;
  result_batch = at(result_strides, d.output_batch_dimension);
  result_feature = at(result_strides, d.output_feature_dimension);
  result_group = features * result_feature;
  rhs_taps = {0};
  for (std::size_t i = 0; i < o.window_strides.size(); ++i) {
    const std::int64_t position_count = at(result, d.output_spatial_dimensions[i]),
                       tap_count = at(rhs, d.kernel_spatial_dimensions[i]);
    axes.push_back({.window_stride = o.window_strides[i],
                    .rhs_dilation = o.rhs_dilation[i],
                    .padding_low = o.padding_low[i],
                    .lhs_dilation = o.lhs_dilation[i],
                    .input = at(lhs, d.input_spatial_dimensions[i]),
                    .lhs_stride = at(lhs_strides, d.input_spatial_dimensions[i])});
    positions.push_back(position_count);
    taps.push_back(tap_count);
    num_positions *= position_count;
    num_taps *= tap_count;
    result_axes.push_back(at(result_strides, d.output_spatial_dimensions[i]));
    std::vector<std::int64_t> offsets;
    for (const std::int64_t outer : rhs_taps)
      for (std::int64_t tap = 0; tap < tap_count; ++tap)
        offsets.push_back(outer + (o.window_reversal[i] != 0 ? tap_count - 1 - tap : tap) *
                                      at(rhs_strides, d.kernel_spatial_dimensions[i]));
    rhs_taps = std::move(offsets);
  }
}

std::int64_t ConvolutionLoops::fill_offsets(std::int64_t position, std::int64_t* tap_offsets) const {
  // Multiplies out the taps of the axes so far, the last of them fastest; backwards, so that nothing is
  // overwritten early. An axis without taps leaves none, however many the others have: then nothing is
  // written, and there is no space for it.
  std::int64_t result = 0, count = num_taps == 0 ? 0 : 1, outer = num_positions;
  if (count != 0) tap_offsets[0] = 0;
  for (std::size_t axis = 0; axis < taps.size(); ++axis) {
    outer /= positions[axis];
    const std::int64_t index = position / outer;
    position %= outer;
    result += index * result_axes[axis];
    for (std::int64_t before = count; before-- > 0;) {
      const std::int64_t base = tap_offsets[before];
      for (std::int64_t tap = taps[axis]; tap-- > 0;) {
        const std::int64_t more = base < 0 ? -1 : lhs_offset(axis, index, tap);
        tap_offsets[before * taps[axis] + tap] = more < 0 ? -1 : base + more;
      }
    }
    count *= taps[axis];
  }
  return result;
}

}  // namespace cornu::inline v0::backends::cpu
