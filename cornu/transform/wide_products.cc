#include "cornu/transform/wide_products.h"

#include "cornu/ops/convert/convert.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

bool is_half(ir::DType dtype) { return dtype == ir::DType::kF16 || dtype == ir::DType::kBF16; }

/// The same op in f32, with conversions.
std::vector<ir::Value> widened(ir::Builder& builder, const ir::Op& op, std::span<const ir::Value> operands) {
  std::vector<ir::Value> wide;
  for (const ir::Value operand : operands)
    wide.push_back(is_half(operand.dtype()) ? ops::convert(builder, operand, ir::DType::kF32) : operand);
  const ir::Op& made = builder.create(op.def(), std::move(wide), op.attributes());
  std::vector<ir::Value> results;
  for (std::size_t i = 0; i < op.results().size(); ++i)
    results.push_back(ops::convert(builder, made.results()[i], op.results()[i].dtype()));
  return results;
}

}  // namespace

std::unique_ptr<ir::Function> upcast_low_precision_products(
    const ir::Function& function, const std::function<bool(const ir::Op&)>& is_product) {
  const auto is_half_product = [&](const ir::Op& op) {
    return is_product(op) && is_half(op.result(0).dtype());
  };
  return replace_matching(function, is_half_product, &widened);
}

}  // namespace cornu::inline v0::transform
