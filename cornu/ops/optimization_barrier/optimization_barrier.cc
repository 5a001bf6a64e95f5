#include "cornu/ops/optimization_barrier/optimization_barrier.h"

#include "cornu/ir/op_def.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace optimization_barrier_folder {
namespace {

const ir::OpDef kOptimizationBarrier = {
    .name = "optimization_barrier",
    .infer =
        [](const ir::InferContext& context) {
          check_operands(context, 0, kAnyNumber);
          std::vector<ir::TensorType> types;
          for (const ir::Value& operand : context.operands) types.push_back(operand.type());
          return types;
        },
    .gradient =
        [](const ir::GradientContext& context) {
          return std::vector<ir::Value>(context.result_gradients.begin(), context.result_gradients.end());
        },
    .decompose =
        [](ir::Builder&, std::span<const ir::Value> operands, const ir::Attributes&) {
          return std::vector<ir::Value>(operands.begin(), operands.end());
        }};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kOptimizationBarrier>(); }

}  // namespace optimization_barrier_folder

std::vector<ir::Value> optimization_barrier(ir::Builder& builder, std::vector<ir::Value> operands) {
  const ir::Op& op = builder.create(optimization_barrier_folder::kOptimizationBarrier, std::move(operands));
  return {op.results().begin(), op.results().end()};
}

}  // namespace cornu::inline v0::ops
