#include "cornu/ops/threefry2x32/threefry2x32.h"

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace threefry2x32_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 4);
  for (std::size_t i = 0; i < 2; ++i)
    if (context.type(i) != ir::TensorType{ir::DType::kU32, {}})
      invalid_argument("keys must be ui32 scalars; got {}", context.type(i).str());
  for (std::size_t i = 2; i < 4; ++i)
    if (context.type(i).dtype != ir::DType::kU32 || context.type(i) != context.type(2))
      invalid_argument("counters must be ui32 of one shape; got {} and {}", context.type(2).str(),
                       context.type(i).str());
  return {context.type(2), context.type(3)};
}

ir::Value rotate_left(ir::Builder& builder, ir::Value x, int bits) {
  const ir::Value left = shift_left(builder, x, full(builder, x.type(), bits));
  const ir::Value right = shift_right_logical(builder, x, full(builder, x.type(), 32 - bits));
  return or_(builder, left, right);
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes&) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  constexpr double kParity = 0x1BD11BDA;
  constexpr int kNumGroups = 5;  // of four rounds
  const ir::TensorType type = operands[2].type();
  const ir::Value parity = scalar(builder, ir::DType::kU32, kParity);
  const ir::Value keys[3] = {operands[0], operands[1],
                             xor_(builder, xor_(builder, operands[0], operands[1]), parity)};
  // Scalar sums first: they are shared by all elements.
  auto key = [&](int index, int round) {
    const ir::Value sum =
        round == 0 ? keys[index % 3] : add(builder, keys[index % 3], scalar(builder, ir::DType::kU32, round));
    return broadcast_scalar(builder, sum, type.dims);
  };
  ir::Value x0 = add(builder, operands[2], key(0, 0));
  ir::Value x1 = add(builder, operands[3], key(1, 0));
  for (int group = 0; group < kNumGroups; ++group) {
    for (int rotation : kRotations[group % 2]) {
      x0 = add(builder, x0, x1);
      x1 = xor_(builder, x0, rotate_left(builder, x1, rotation));
    }
    x0 = add(builder, x0, key(group + 1, 0));
    x1 = add(builder, x1, key(group + 2, group + 1));
  }
  return {x0, x1};
}

const ir::OpDef kThreefry2x32 = {.name = "cornu.threefry2x32", .infer = infer, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kThreefry2x32>(); }

}  // namespace threefry2x32_folder

std::vector<ir::Value> threefry2x32(ir::Builder& builder, ir::Value key0, ir::Value key1, ir::Value counter0,
                                    ir::Value counter1) {
  const ir::Op& op = builder.create(threefry2x32_folder::kThreefry2x32, {key0, key1, counter0, counter1});
  return {op.results().begin(), op.results().end()};
}

}  // namespace cornu::inline v0::ops
