#include "cornu/ops/top_k/top_k.h"

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/ops/sort/sort.h"

namespace cornu::inline v0::ops {
namespace top_k_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  ir::TensorType values = context.type(0);
  const auto k = context.attributes.get<std::int64_t>("k");
  if (values.rank() == 0) invalid_argument("the operand must have a dimension; got {}", values.str());
  if (k < 0 || k > values.dims.back())
    invalid_argument("k must be in [0, {}]; got {}", values.dims.back(), k);
  values.dims.back() = k;
  return {values, {ir::DType::kI32, values.dims}};
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::Value x = operands[0];
  const ir::Value positions = iota(builder, {ir::DType::kI32, x.dims()}, x.rank() - 1);
  const std::vector<ir::Value> sorted =
      sort(builder, {x, positions}, [](ir::Builder& b, std::span<const ir::Value> v) {
        return ir::is_float(v[0].dtype()) ? compare_total_order(b, v[0], v[1], ComparisonDirection::kGt)
                                          : compare(b, v[0], v[1], ComparisonDirection::kGt);
      });
  ir::Dims limits = x.dims();
  limits.back() = attributes.get<std::int64_t>("k");
  std::vector<ir::Value> results;
  for (const ir::Value whole : sorted)
    results.push_back(slice(builder, whole, ir::Dims(limits.size(), 0), limits, ir::Dims(limits.size(), 1)));
  return results;
}

const ir::OpDef kTopK = {
    .name = "chlo.top_k",
    .infer = infer,
    .decompose = decompose,
    .read_attributes = [](ir::OpAttributes& text) -> ir::Attributes { return {{"k", text.integer({"k"})}}; }};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kTopK>(); }

}  // namespace top_k_folder

std::vector<ir::Value> top_k(ir::Builder& builder, ir::Value operand, std::int64_t k) {
  const ir::Op& op = builder.create(top_k_folder::kTopK, {operand}, {{"k", k}});
  return {op.results().begin(), op.results().end()};
}

}  // namespace cornu::inline v0::ops
