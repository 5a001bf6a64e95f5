#include "cornu/ops/run_reference.h"

#include <algorithm>

#include "cornu/ir/builder.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::ops {
namespace {

bool has_half(std::span<const ir::Value> values) {
  return std::any_of(values.begin(), values.end(), [](ir::Value value) { return is_half(value.dtype()); });
}

/// The op's attributes with f32 for a half (the dtype of an iota's result is an attribute).
ir::Attributes widened(const ir::Attributes& attributes) {
  ir::Attributes wide = attributes;
  for (const auto& [name, value] : attributes)
    if (const auto* dtype = std::get_if<ir::DType>(&value); dtype != nullptr && is_half(*dtype))
      wide.set(name, ir::DType::kF32);
  return wide;
}

}  // namespace

ir::Literal with_float_dtype(const ir::Literal& literal, ir::DType dtype) {
  if (literal.type().dtype == dtype) return literal;
  ir::Literal result(ir::TensorType{dtype, literal.type().dims});
  const std::size_t size = ir::size_bytes(dtype);
  for (std::int64_t i = 0; i < literal.type().num_elements(); ++i)
    copy_element(result.mutable_bytes(), i, ir::Literal::scalar(dtype, literal.at(i)).bytes(), 0, size);
  return result;
}

std::vector<ir::Literal> run_reference(const ir::ReferenceContext& context) {
  const ir::Op& op = context.op;
  if (!op.def().reference_by_f32 || (!has_half(op.operands()) && !has_half(op.results())))
    return op.def().reference(context);
  ir::Block scratch;
  std::vector<ir::Value> operands;
  std::vector<ir::Literal> literals;
  for (const ir::Literal& operand : context.operands) {
    literals.push_back(is_half(operand.type().dtype) ? with_float_dtype(operand, ir::DType::kF32) : operand);
    operands.push_back(scratch.add_argument(literals.back().type()));
  }
  ir::Builder builder(scratch);
  const ir::Op& wide = builder.create(op.def(), operands, widened(op.attributes()));
  std::vector<ir::Literal> results = op.def().reference({wide, literals, context.evaluate});
  for (std::size_t i = 0; i < results.size(); ++i)
    if (is_half(op.result(i).dtype())) results[i] = with_float_dtype(results[i], op.result(i).dtype());
  return results;
}

}  // namespace cornu::inline v0::ops
