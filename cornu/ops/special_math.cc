#include "cornu/ops/special_math.h"

#include <numbers>

#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/run_reference.h"

namespace cornu::inline v0::ops {

ir::Value number(ir::Builder& builder, ir::Value x, double value) { return full(builder, x.type(), value); }

ir::Value polynomial(ir::Builder& builder, ir::Value x, std::span<const double> coefficients) {
  ir::Value sum = full(builder, x.type(), coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;)
    sum = add(builder, multiply(builder, sum, x), full(builder, x.type(), coefficients[i]));
  return sum;
}

ir::Value fraction_of_turn(ir::Builder& builder, ir::Value x) {
  const ir::Value fraction = subtract(builder, x, round_nearest_even(builder, x));
  return multiply(builder, fraction, full(builder, x.type(), std::numbers::pi));
}

std::vector<ir::TensorType> infer_float_function(const ir::InferContext& context) {
  check_operands(context, 1);
  check_float(context.type(0));
  return {context.type(0)};
}

std::vector<ir::TensorType> infer_float_or_complex_function(const ir::InferContext& context) {
  check_operands(context, 1);
  if (!ir::is_complex(context.type(0).dtype)) check_float(context.type(0));
  return {context.type(0)};
}

ir::Value to_working_precision(ir::Builder& builder, ir::Value x) {
  return is_half(x.dtype()) ? convert(builder, x, ir::DType::kF32) : x;
}

ir::Value to_double_precision(ir::Builder& builder, ir::Value x) {
  return x.dtype() == ir::DType::kF64 ? x : convert(builder, x, ir::DType::kF64);
}

ir::Value from_working_precision(ir::Builder& builder, ir::Value y, ir::DType dtype) {
  return y.dtype() == dtype ? y : convert(builder, y, dtype);
}

}  // namespace cornu::inline v0::ops
