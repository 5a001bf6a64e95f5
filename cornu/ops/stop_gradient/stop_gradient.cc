#include "cornu/ops/stop_gradient/stop_gradient.h"

#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace stop_gradient_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  return {context.type(0)};
}

std::vector<ir::Value> decompose(ir::Builder&, std::span<const ir::Value> operands, const ir::Attributes&) {
  return {operands[0]};
}

std::vector<ir::Value> gradient(const ir::GradientContext&) { return {ir::Value()}; }
bool passes_gradient_to(const ir::Op&, std::size_t) { return false; }

const ir::OpDef kStopGradient = {.name = "cornu.stop_gradient",
                                 .infer = infer,
                                 .gradient = gradient,
                                 .passes_gradient_to = passes_gradient_to,
                                 .decompose = decompose,
                                 .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kStopGradient>(); }

}  // namespace stop_gradient_folder

ir::Value stop_gradient(ir::Builder& builder, ir::Value x) {
  return builder.create(stop_gradient_folder::kStopGradient, {x}).result();
}

}  // namespace cornu::inline v0::ops
