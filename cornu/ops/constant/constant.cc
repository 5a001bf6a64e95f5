#include "cornu/ops/constant/constant.h"

#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace constant_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 0);
  return {context.attributes.get<ir::Literal>("value").type()};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  return {context.op.attributes().get<ir::Literal>("value")};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  // The short form: constant dense<1.0> : tensor<f32>
  if (text.loose().size() == 1 && text.loose()[0].is(ir::text::SyntaxKind::kLiteral))
    return {{"value", *text.loose()[0].literal}};
  return {{"value", text.literal({"value"})}};
}

const ir::OpDef kConstant = {.name = "constant",
                             .infer = &infer,
                             .gradient = [](const ir::GradientContext&) { return std::vector<ir::Value>(); },
                             .reference = &reference,
                             .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kConstant>(); }

}  // namespace constant_folder

ir::Value constant(ir::Builder& b, ir::Literal value) {
  return b.create(constant_folder::kConstant, {}, {{"value", std::move(value)}}).result();
}

ir::Value scalar(ir::Builder& b, ir::DType dtype, double value) {
  return constant(b, ir::Literal::scalar(dtype, value));
}

ir::Value full(ir::Builder& b, const ir::TensorType& type, double value) {
  const ir::Value one = scalar(b, type.dtype, value);
  return type.rank() == 0 ? one : broadcast_scalar(b, one, type.dims);
}

}  // namespace cornu::inline v0::ops
