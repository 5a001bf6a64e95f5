#include "cornu/transform/wide_products.h"

#include "cornu/ops/convert/convert.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

bool is_half(ir::DType dtype) { return dtype == ir::DType::kF16 || dtype == ir::DType::kBF16; }

double flops_of(const ir::Op& dot) {
  auto products = static_cast<double>(dot.result().type().num_elements());
  const ir::Dims& lhs = dot.operand(0).dims();
  for (const std::int64_t axis : ops::dot_dimensions(dot).lhs_contracting)
    products *= static_cast<double>(lhs[static_cast<std::size_t>(axis)]);
  return 2 * products;
}

bool is_wanted(const ir::Op& op, double least_flops) {
  // pattern: a product of halves, which conversions are put around
  return op.name() == "dot_general" && is_half(op.result().type().dtype) && flops_of(op) >= least_flops;
}

bool has_wanted(const ir::Block& block, double least_flops) {
  for (const auto& op : block.ops()) {
    if (is_wanted(*op, least_flops)) return true;
    for (const auto& region : op->regions())
      if (has_wanted(*region, least_flops)) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<ir::Function> widen_half_products(const ir::Function& function, double least_flops) {
  if (!has_wanted(function.body, least_flops)) return nullptr;
  return replace_ops(function,
                     [&](ir::Builder& builder, const ir::Op& op,
                         std::span<const ir::Value> operands) -> std::optional<std::vector<ir::Value>> {
                       if (!is_wanted(op, least_flops)) return std::nullopt;
                       const ir::Value x = ops::convert(builder, operands[0], ir::DType::kF32),
                                       y = ops::convert(builder, operands[1], ir::DType::kF32);
                       const ir::Value product = ops::dot_general(builder, x, y, ops::dot_dimensions(op));
                       return std::vector{ops::convert(builder, product, op.result().type().dtype)};
                     });
}

}  // namespace cornu::inline v0::transform
