#include "cornu/transform/pointwise_convolutions.h"

#include <algorithm>
#include <optional>

#include "cornu/ops/convolution/convolution.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a convolution of one window

using ir::Value;

constexpr std::int64_t kFewestPositions = 256, kFewestChannels = 32;

/// True for [0, 1, ...], which leaves out the last dimension.
bool is_all_but_last(std::int64_t first, const ir::Dims& rest, std::int64_t rank) {
  if (first != 0 || static_cast<std::int64_t>(rest.size()) + 2 != rank) return false;
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest[i] != static_cast<std::int64_t>(i) + 1) return false;
  return true;
}

/// True for a convolution whose window is the whole lhs, and whose operands are both [positions..., channels].
bool sums_over_positions(const ir::Op& op) {
  if (op.name() != "convolution") return false;
  const Value lhs = op.operand(0), rhs = op.operand(1);
  if (op.result().dtype() != ir::DType::kF32 || lhs.dtype() != ir::DType::kF32 ||
      rhs.dtype() != ir::DType::kF32)
    return false;
  const ops::ConvolutionDimensions d = ops::convolution_dimensions(op);
  const ops::ConvolutionOptions o = ops::convolution_options(op);
  const ir::Dims zeros(o.window_strides.size(), 0), ones(o.window_strides.size(), 1);
  if (!is_all_but_last(d.input_feature_dimension, d.input_spatial_dimensions, lhs.rank()) ||
      !is_all_but_last(d.kernel_input_feature_dimension, d.kernel_spatial_dimensions, rhs.rank()))
    return false;
  if (o.padding_low != zeros || o.padding_high != zeros || o.window_reversal != zeros ||
      o.lhs_dilation != ones || o.rhs_dilation != ones || o.feature_group_count != 1 ||
      o.batch_group_count != 1)
    return false;
  const std::int64_t channels = lhs.dims().back(), features = rhs.dims().back();
  return std::equal(lhs.dims().begin(), lhs.dims().end() - 1, rhs.dims().begin()) &&
         d.output_batch_dimension < d.output_feature_dimension &&
         std::min(channels, features) >= kFewestChannels &&
         lhs.type().num_elements() / channels >= kFewestPositions &&
         op.result().type().num_elements() == channels * features;
}

Value as_matrix(ir::Builder& b, Value x) {
  const std::int64_t channels = x.dims().back();
  return ops::reshape(b, x, {x.type().num_elements() / channels, channels});
}

}  // namespace

std::unique_ptr<ir::Function> multiply_single_windows(const ir::Function& function) {
  return replace_matching(
      function, &sums_over_positions, [](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
        const Value product = ops::dot_general(b, as_matrix(b, operands[0]), as_matrix(b, operands[1]),
                                               {.lhs_contracting = {0}, .rhs_contracting = {0}});
        return std::vector{ops::reshape(b, product, op.result().dims())};
      });
}

}  // namespace cornu::inline v0::transform
