#include "cornu/ops/complex/complex.h"

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace complex_folder {
namespace {

std::vector<ir::TensorType> infer_part(const ir::InferContext& context) {
  check_operands(context, 1);
  const ir::TensorType& type = context.type(0);
  if (!contains(kFloat | kComplex, type.dtype))
    invalid_argument("(I1) operand must be of {}; got {}", dtype_set_str(kFloat | kComplex), type.str());
  return {{ir::real_dtype(type.dtype), type.dims}};
}

std::vector<ir::TensorType> infer_complex(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &real = context.type(0), &imag = context.type(1);
  if (real != imag)
    invalid_argument("(C1) lhs and rhs must have one type; got {} and {}", real.str(), imag.str());
  if (real.dtype != ir::DType::kF32 && real.dtype != ir::DType::kF64)
    invalid_argument("(I1) lhs must be of f32 or f64; got {}", real.str());
  return {{ir::complex_dtype(real.dtype), real.dims}};
}

std::vector<ir::Value> real_gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  if (!g || !ir::is_complex(context.op.operand(0).dtype())) return {g};
  return {complex(context.builder, g, full(context.builder, g.type(), 0))};
}

std::vector<ir::Value> imag_gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  if (!g || !ir::is_complex(context.op.operand(0).dtype())) return {ir::Value()};
  return {complex(context.builder, full(context.builder, g.type(), 0), negate(context.builder, g))};
}

std::vector<ir::Value> complex_gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  if (!g) return std::vector<ir::Value>(2);
  return {real(context.builder, g), negate(context.builder, imag(context.builder, g))};
}

std::vector<ir::Literal> real_reference(const ir::ReferenceContext& context) {
  const ir::Literal& x = context.operands[0];
  return {ir::is_complex(x.type().dtype) ? ir::real_part(x) : x};
}

std::vector<ir::Literal> imag_reference(const ir::ReferenceContext& context) {
  const ir::Literal& x = context.operands[0];
  return {ir::is_complex(x.type().dtype) ? ir::imag_part(x) : ir::Literal(x.type())};
}

std::vector<ir::Literal> complex_kernel(const ir::ReferenceContext& context) {
  return {ir::complex_literal(context.operands[0], context.operands[1])};
}

const ir::OpDef kReal = {.name = "real",
                         .infer = infer_part,
                         .gradient = real_gradient,
                         .reference = real_reference,
                         .elementwise = true};
const ir::OpDef kImag = {.name = "imag",
                         .infer = infer_part,
                         .gradient = imag_gradient,
                         .reference = imag_reference,
                         .elementwise = true};
const ir::OpDef kMakeComplex = {.name = "complex",
                                .infer = infer_complex,
                                .gradient = complex_gradient,
                                .reference = complex_kernel,
                                .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kReal, kImag, kMakeComplex>(); }

}  // namespace complex_folder

ir::Value real(ir::Builder& b, ir::Value x) { return b.create(complex_folder::kReal, {x}).result(); }
ir::Value imag(ir::Builder& b, ir::Value x) { return b.create(complex_folder::kImag, {x}).result(); }
ir::Value complex(ir::Builder& b, ir::Value real, ir::Value imag) {
  return b.create(complex_folder::kMakeComplex, {real, imag}).result();
}

ir::Value conjugate(ir::Builder& b, ir::Value x) {
  return ir::is_complex(x.dtype()) ? complex(b, real(b, x), negate(b, imag(b, x))) : x;
}

}  // namespace cornu::inline v0::ops
