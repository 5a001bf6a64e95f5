#include "cornu/ops/convolution/convolution.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::convolution_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence &x = c.operands[0], &y = c.operands[1];
  if (x.is_none() && y.is_none()) return {};
  const ops::ConvolutionDimensions dims = ops::convolution_dimensions(c.op);
  const ops::ConvolutionOptions options = ops::convolution_options(c.op);
  const bool sums_x = x.is_none() || x.axis == dims.input_feature_dimension;
  const bool sums_y = y.is_none() || y.axis == dims.kernel_input_feature_dimension;
  if (sums_x && sums_y && options.feature_group_count == 1) return contracted(c, x, y);
  if (y.is_none() && x.axis == dims.input_batch_dimension && options.batch_group_count == 1)
    return product_at(c, x, dims.output_batch_dimension);
  return mixed_by(c.op);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "convolution", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::convolution_folder
