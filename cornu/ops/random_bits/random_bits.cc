#include "cornu/ops/random_bits/random_bits.h"

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/random_bits/random_words.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/threefry2x32/threefry2x32.h"

namespace cornu::inline v0::ops {
namespace random_bits_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3);
  const auto& dims = context.attributes.get<ir::Dims>("dims");
  check_random_operands(context.operands, dims);
  return {{ir::DType::kU32, dims}};
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const auto& dims = attributes.get<ir::Dims>("dims");
  const std::vector<ir::Value> words = random_words(builder, operands, dims);
  const ir::Value bits = xor_(builder, words[0], words[1]);
  return {dims.size() == 1 ? bits : reshape(builder, bits, dims)};
}

const ir::OpDef kRandomBits = {.name = "cornu.random_bits", .infer = infer, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kRandomBits>(); }

}  // namespace random_bits_folder

void check_random_operands(std::span<const ir::Value> operands, const ir::Dims& dims) {
  for (const ir::Value& operand : operands)
    if (operand.type() != ir::TensorType{ir::DType::kU32, {}})
      invalid_argument("keys and counter1 must be ui32 scalars; got {}", operand.type().str());
  const ir::TensorType type{ir::DType::kU32, dims};
  ir::check_type(type);
  if (type.num_elements() > std::int64_t{1} << 32)
    invalid_argument("at most 2^32 elements can be drawn with one counter; got shape {}",
                     ir::shape_str(dims));
}

std::vector<ir::Value> random_words(ir::Builder& builder, std::span<const ir::Value> operands,
                                    const ir::Dims& dims) {
  const ir::TensorType flat{ir::DType::kU32, {ir::TensorType{ir::DType::kU32, dims}.num_elements()}};
  const ir::Value counter1 = broadcast_scalar(builder, operands[2], flat.dims);
  return threefry2x32(builder, operands[0], operands[1], iota(builder, flat, 0), counter1);
}

ir::Value random_bits(ir::Builder& builder, ir::Value key0, ir::Value key1, ir::Value counter1,
                      ir::Dims dims) {
  return builder.create(random_bits_folder::kRandomBits, {key0, key1, counter1}, {{"dims", std::move(dims)}})
      .result();
}

}  // namespace cornu::inline v0::ops
