#include "cornu/ops/select/select.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace select_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3);
  const ir::TensorType &pred = context.type(0), &on_true = context.type(1), &on_false = context.type(2);
  if (pred.dtype != ir::DType::kI1) invalid_argument("(I1) pred must be of i1; got {}", pred.str());
  if (on_true != on_false)
    invalid_argument("(C2) on_true and on_false must have one type; got {} and {}", on_true.str(),
                     on_false.str());
  if (pred.rank() != 0 && pred.dims != on_true.dims)
    invalid_argument("(C1) pred must be a scalar or have on_true's shape {}; got {}",
                     ir::shape_str(on_true.dims), pred.str());
  return {on_true};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  if (!g) return std::vector<ir::Value>(3);
  ir::Builder& b = context.builder;
  const ir::Value pred = context.op.operand(0);
  const ir::Value zero = full(b, g.type(), 0);
  return {ir::Value(), select(b, pred, g, zero), select(b, pred, zero, g)};
}

/// Moves bytes, so every dtype works.
std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const std::span<const bool> pred = context.operands[0].data<bool>();
  const bool is_scalar = context.operands[0].type().rank() == 0;
  const std::size_t size = ir::size_bytes(result.type().dtype);
  for (std::size_t i = 0; i < static_cast<std::size_t>(result.type().num_elements()); ++i) {
    const ir::Literal& chosen = context.operands[pred[is_scalar ? 0 : i] ? 1 : 2];
    std::ranges::copy(chosen.bytes().subspan(i * size, size),
                      result.mutable_bytes().subspan(i * size, size).begin());
  }
  return {result};
}

// Not marked elementwise: pred may be a scalar beside tensors.
const ir::OpDef kSelect = {.name = "select", .infer = &infer, .gradient = &gradient, .reference = &reference};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSelect>(); }

}  // namespace select_folder

ir::Value select(ir::Builder& b, ir::Value pred, ir::Value on_true, ir::Value on_false) {
  return b.create(select_folder::kSelect, {pred, on_true, on_false}).result();
}

}  // namespace cornu::inline v0::ops
