#include "cornu/ops/int4_dot/int4_dot.h"

#include <vector>

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace int4_dot_folder {
namespace {

constexpr const char* kGroup = "group";

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 4);
  const ir::TensorType &x = context.type(0), &packed = context.type(1), &scale = context.type(2),
                       &zero = context.type(3);
  const auto group = context.attributes.get<std::int64_t>(kGroup);
  if (group <= 0) invalid_argument({.argument = kGroup}, "group must be positive; got group = {}", group);
  if (x.dtype != ir::DType::kF32 || x.rank() != 2)
    invalid_argument("x must be a matrix of f32; got {}", x.str());
  if (scale.dtype != ir::DType::kF32 || scale.rank() != 2)
    invalid_argument("scale must be a matrix of f32; got {}", scale.str());
  if (zero != scale) invalid_argument("zero must be {}; got {}", scale.str(), zero.str());
  const std::int64_t rows = x.dims[1], columns = scale.dims[1];
  const ir::TensorType expected{ir::DType::kI8, {rows, (columns + 1) / 2}};
  if (packed != expected) invalid_argument("packed must be {}; got {}", expected.str(), packed.str());
  if (scale.dims[0] != (rows + group - 1) / group)
    invalid_argument("scale must have {} rows, one for each {} of {}; got {}", (rows + group - 1) / group,
                     group, rows, scale.str());
  return {{ir::DType::kF32, {x.dims[0], columns}}};
}

/// The integers as f32, [rows, columns].
ir::Value unpacked(ir::Builder& b, ir::Value packed, std::int64_t columns) {
  const std::int64_t rows = packed.dims()[0], bytes = packed.dims()[1];
  const ir::Value four = full(b, packed.type(), 4);
  const ir::Value even = shift_right_arithmetic(b, shift_left(b, packed, four), four),
                  odd = shift_right_arithmetic(b, packed, four);
  const ir::Value pairs =
      concatenate(b, {reshape(b, even, {rows, bytes, 1}), reshape(b, odd, {rows, bytes, 1})}, 2);
  const ir::Value whole = reshape(b, pairs, {rows, 2 * bytes});
  const ir::Value kept = 2 * bytes == columns ? whole : slice(b, whole, {0, 0}, {rows, columns}, {1, 1});
  return convert(b, kept, ir::DType::kF32);
}

/// Each row of x [groups, columns] `group` times; the first `rows` of them.
ir::Value repeated(ir::Builder& b, ir::Value x, std::int64_t group, std::int64_t rows) {
  const std::int64_t groups = x.dims()[0], columns = x.dims()[1];
  const ir::Value each = broadcast_in_dim(b, x, {groups, group, columns}, {0, 2});
  return slice(b, reshape(b, each, {groups * group, columns}), {0, 0}, {rows, columns}, {1, 1});
}

std::vector<ir::Value> decompose(ir::Builder& b, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const auto group = attributes.get<std::int64_t>(kGroup);
  const std::int64_t rows = operands[0].dims()[1], columns = operands[2].dims()[1];
  const ir::Value integers = unpacked(b, operands[1], columns);
  const ir::Value weights = multiply(b, subtract(b, integers, repeated(b, operands[3], group, rows)),
                                     repeated(b, operands[2], group, rows));
  return {dot_general(b, operands[0], weights, {.lhs_contracting = {1}, .rhs_contracting = {0}})};
}

const ir::OpDef kInt4Dot = {.name = "cornu.int4_dot", .infer = infer, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kInt4Dot>(); }

}  // namespace int4_dot_folder

ir::Value int4_dot(ir::Builder& builder, ir::Value x, ir::Value packed, ir::Value scale, ir::Value zero,
                   std::int64_t group) {
  ir::Attributes attributes;
  attributes.set(int4_dot_folder::kGroup, group);
  return builder.create(int4_dot_folder::kInt4Dot, {x, packed, scale, zero}, std::move(attributes)).result();
}

}  // namespace cornu::inline v0::ops
