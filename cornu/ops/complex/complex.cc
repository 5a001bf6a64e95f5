#include "cornu/ops/complex/complex.h"

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/slice/slice.h"

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

std::vector<ir::TensorType> infer_split(const ir::InferContext& context) {
  check_operands(context, 1);
  ir::TensorType type = context.type(0);
  if (type.dims.empty() || type.dims.back() != 2)
    invalid_argument("(C1) the last dimension must be 2; got {}", type.str());
  type.dims.pop_back();
  return {type, type};
}

std::vector<ir::Value> decompose_split(ir::Builder& b, std::span<const ir::Value> operands,
                                       const ir::Attributes&) {
  const ir::Value x = operands[0];
  std::vector<ir::Value> parts;
  for (const std::int64_t at : {0, 1}) {
    ir::Dims first(x.dims().size(), 0), limits = x.dims();
    first.back() = at;
    limits.back() = at + 1;
    parts.push_back(reshape(b, slice(b, x, first, limits, ir::Dims(x.dims().size(), 1)),
                            {x.dims().begin(), x.dims().end() - 1}));
  }
  return parts;
}

std::vector<ir::TensorType> infer_join(const ir::InferContext& context) {
  check_operands(context, 2);
  if (context.type(0) != context.type(1))
    invalid_argument("(C1) the parts must have one type; got {} and {}", context.type(0).str(),
                     context.type(1).str());
  ir::TensorType type = context.type(0);
  type.dims.push_back(2);
  return {type};
}

std::vector<ir::Value> decompose_join(ir::Builder& b, std::span<const ir::Value> operands,
                                      const ir::Attributes&) {
  ir::Dims dims = operands[0].dims();
  dims.push_back(1);
  return {concatenate(b, {reshape(b, operands[0], dims), reshape(b, operands[1], dims)}, operands[0].rank())};
}

const ir::OpDef kSplitParts = {
    .name = "cornu.split_parts", .infer = infer_split, .decompose = decompose_split};
const ir::OpDef kJoinParts = {.name = "cornu.join_parts", .infer = infer_join, .decompose = decompose_join};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  return ir::list_defs<kReal, kImag, kMakeComplex, kSplitParts, kJoinParts>();
}

}  // namespace complex_folder

ir::Value real(ir::Builder& b, ir::Value x) { return b.create(complex_folder::kReal, {x}).result(); }
ir::Value imag(ir::Builder& b, ir::Value x) { return b.create(complex_folder::kImag, {x}).result(); }
ir::Value complex(ir::Builder& b, ir::Value real, ir::Value imag) {
  return b.create(complex_folder::kMakeComplex, {real, imag}).result();
}

std::vector<ir::Value> split_parts(ir::Builder& b, ir::Value x) {
  const ir::Op& op = b.create(complex_folder::kSplitParts, {x});
  return {op.results().begin(), op.results().end()};
}
ir::Value join_parts(ir::Builder& b, ir::Value real, ir::Value imag) {
  return b.create(complex_folder::kJoinParts, {real, imag}).result();
}

ir::Value conjugate(ir::Builder& b, ir::Value x) {
  return ir::is_complex(x.dtype()) ? complex(b, real(b, x), negate(b, imag(b, x))) : x;
}

}  // namespace cornu::inline v0::ops
