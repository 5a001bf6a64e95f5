#include <functional>
#include <numeric>

#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::reshape_folder {
namespace {

std::int64_t product(std::span<const std::int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

// The rows keep their place in row-major order; one axis must hold them whole.
BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence& x = c.operands[0];
  if (!x.is_rows()) return x;
  if (c.op.result().type().num_elements() == 0) return {};  // no element, so none of a padding row
  const ir::Dims &from = c.op.operand(0).dims(), &to = c.op.result().dims();
  const std::int64_t stride = x.inner * product(std::span(from).subspan(at(x.axis) + 1));
  std::int64_t behind = 1;
  for (std::int64_t axis = static_cast<std::int64_t>(to.size()) - 1; axis >= 0; --axis) {
    const std::int64_t extent = to[at(axis)];
    if (extent > 1 && stride < behind * extent) {
      const std::int64_t inner = stride / behind;
      if (stride % behind != 0 || extent % (inner * c.batch) != 0) break;
      BatchDependence result = moved(x, axis);
      result.inner = inner;
      result.outer = extent / (inner * c.batch);
      return result;
    }
    behind *= extent;
  }
  return mixed_by(c.op);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "reshape", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::reshape_folder
