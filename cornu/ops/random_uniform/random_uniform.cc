#include "cornu/ops/random_uniform/random_uniform.h"

#include "cornu/base/check.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/random_bits/random_bits.h"
#include "cornu/ops/random_bits/random_words.h"
#include "cornu/ops/reshape/reshape.h"

namespace cornu::inline v0::ops {
namespace random_uniform_folder {
namespace {

ir::TensorType result_type(const ir::Attributes& attributes) {
  return {attributes.get<ir::DType>("dtype"), attributes.get<ir::Dims>("dims")};
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3);
  const ir::TensorType type = result_type(context.attributes);
  if (type.dtype != ir::DType::kF32 && type.dtype != ir::DType::kF64)
    invalid_argument("the result must be f32 or f64; got {}", type.str());
  check_random_operands(context.operands, type.dims);
  return {type};
}

/// A number in [1, 2) whose mantissa is `bits` without its low ones, minus 1.
ir::Value to_unit_interval(ir::Builder& builder, ir::Value bits, ir::DType dtype) {
  const bool is_single = dtype == ir::DType::kF32;
  const ir::Value mantissa =
      shift_right_logical(builder, bits, full(builder, bits.type(), is_single ? 9 : 12));
  const double one_bits = is_single ? 0x1p23 * 127 : 0x1p52 * 1023;  // 0x3f800000, 0x3ff0000000000000
  const ir::Value number =
      bitcast_convert(builder, or_(builder, mantissa, full(builder, bits.type(), one_bits)), dtype);
  return subtract(builder, number, full(builder, number.type(), 1));
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::TensorType type = result_type(attributes);
  if (type.dtype == ir::DType::kF32) {
    const ir::Value bits = random_bits(builder, operands[0], operands[1], operands[2], type.dims);
    return {to_unit_interval(builder, bits, type.dtype)};
  }
  const std::vector<ir::Value> words = random_words(builder, operands, type.dims);
  const ir::Value high = convert(builder, words[0], ir::DType::kU64),
                  low = convert(builder, words[1], ir::DType::kU64);
  const ir::Value bits = or_(builder, shift_left(builder, high, full(builder, high.type(), 32)), low);
  const ir::Value uniform = to_unit_interval(builder, bits, type.dtype);
  return {type.rank() == 1 ? uniform : reshape(builder, uniform, type.dims)};
}

const ir::OpDef kRandomUniform = {.name = "cornu.random_uniform", .infer = infer, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kRandomUniform>(); }

}  // namespace random_uniform_folder

ir::Value random_uniform(ir::Builder& builder, ir::Value key0, ir::Value key1, ir::Value counter1,
                         const ir::TensorType& type) {
  return builder
      .create(random_uniform_folder::kRandomUniform, {key0, key1, counter1},
              {{"dims", type.dims}, {"dtype", type.dtype}})
      .result();
}

}  // namespace cornu::inline v0::ops
