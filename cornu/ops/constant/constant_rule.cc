#include <algorithm>

#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::constant_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const auto& value = c.op.attributes().get<ir::Literal>("value");
  BatchDependence result;
  if (value.type().num_elements() == 0 || !value.is_splat()) return result;
  ir::Literal scalar(ir::TensorType{value.type().dtype, {}});
  std::copy_n(value.bytes().begin(), scalar.bytes().size(), scalar.mutable_bytes().begin());
  result.padding = scalar;
  return result;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "constant", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::constant_folder
