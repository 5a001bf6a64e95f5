#include "cornu/ops/redirect_gradient/redirect_gradient.h"

#include "cornu/base/check.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace redirect_gradient_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  if (context.type(0) != context.type(1))
    invalid_argument("value and source must have one type; got {} and {}", context.type(0).str(),
                     context.type(1).str());
  return {context.type(0)};
}

std::vector<ir::Value> decompose(ir::Builder&, std::span<const ir::Value> operands, const ir::Attributes&) {
  return {operands[0]};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  return {ir::Value(), context.result_gradients[0]};
}
bool passes_gradient_to(const ir::Op&, std::size_t operand) { return operand == 1; }

const ir::OpDef kRedirectGradient = {.name = "cornu.redirect_gradient",
                                     .infer = infer,
                                     .gradient = gradient,
                                     .passes_gradient_to = passes_gradient_to,
                                     .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kRedirectGradient>(); }

}  // namespace redirect_gradient_folder

ir::Value redirect_gradient(ir::Builder& builder, ir::Value value, ir::Value source) {
  return builder.create(redirect_gradient_folder::kRedirectGradient, {value, source}).result();
}

bool is_redirect_gradient(const ir::Op& op) {
  return op.name() == redirect_gradient_folder::kRedirectGradient.name;
}

}  // namespace cornu::inline v0::ops
