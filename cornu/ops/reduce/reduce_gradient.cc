#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/reduce/reduce_rules.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops {
namespace reduce_folder {
namespace {

/// For each element the product of the others it is reduced with: no division, so that zeros are no
/// exception.
ir::Value product_of_others(ir::Builder& builder, ir::Value x, const ir::Dims& dimensions) {
  const ir::Dims kept = remaining_dimensions(x.rank(), dimensions);
  const ir::Dims order = concatenated(kept, dimensions);
  const ir::Value moved = transpose(builder, x, order);
  // [kept..., reduced...] -> [kept..., n] -> [kept..., n, n]: row i holds all values, but 1 at i.
  ir::Dims flat = extents(x.dims(), kept);
  std::int64_t count = 1;
  for (std::int64_t extent : extents(x.dims(), dimensions)) count *= extent;
  flat.push_back(count);
  const std::int64_t last = static_cast<std::int64_t>(kept.size());
  ir::Dims square = concatenated(flat, {count});
  const ir::Value rows = broadcast_in_dim(builder, reshape(builder, moved, flat), square,
                                          concatenated(counting(last), {last + 1}));
  const ir::TensorType positions{ir::DType::kI64, square};
  const ir::Value row = iota(builder, positions, last), column = iota(builder, positions, last + 1);
  const ir::Value diagonal = compare(builder, row, column, ComparisonDirection::kEq);
  const ir::Value others = select(builder, diagonal, full(builder, rows.type(), 1), rows);
  const ir::Value product = reduce_product(builder, others, {last + 1});
  return transpose(builder, reshape(builder, product, moved.dims()), inverse_permutation(order));
}

}  // namespace
}  // namespace reduce_folder

std::vector<ir::Value> reduce_gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Op& op = context.op;
  const std::string_view kind = simple_reduce_kind(op);
  const bool sum = kind == "add", product = kind == "multiply",
             extreme = kind == "maximum" || kind == "minimum";
  if (!sum && !product && !extreme)
    fail(ErrorCode::kUnimplemented,
         "only reductions by one add, multiply, maximum or minimum have a gradient");
  const ir::Value x = op.operand(0), init = op.operand(1), dy = context.result_gradients[0];
  const auto& dimensions = op.attributes().get<ir::Dims>("dimensions");
  const ir::Dims kept = remaining_dimensions(x.rank(), dimensions);
  auto spread = [&](ir::Value value) { return broadcast_in_dim(builder, value, x.dims(), kept); };
  if (sum) {
    const ir::Value init_gradient =
        context.wants(init) ? reduce_sum(builder, dy, counting(dy.rank())) : ir::Value();
    return {spread(dy), init_gradient};
  }
  if (!is_constant(init))
    fail(ErrorCode::kUnimplemented, "the gradient of a reduction by {} needs a constant init_value", kind);
  if (product) {
    const ir::Value scaled = multiply(builder, dy, broadcast_scalar(builder, init, dy.dims()));
    const ir::Value others = reduce_folder::product_of_others(builder, x, dimensions);
    return {multiply(builder, spread(scaled), others), ir::Value()};
  }
  const ir::Value chosen = compare(builder, x, spread(op.result()), ComparisonDirection::kEq);
  const ir::Value ones = convert(builder, chosen, x.dtype());
  ir::Value count = reduce_sum(builder, ones, dimensions);
  // Where another init value than the neutral one wins no element has the extremum.
  if (init.op()->attributes().get<ir::Literal>("value") !=
      (kind == "maximum" ? least_value(x.dtype()) : greatest_value(x.dtype())))
    count = maximum(builder, count, full(builder, count.type(), 1));
  const ir::Value share = divide(builder, dy, count);
  return {multiply(builder, ones, spread(share)), ir::Value()};
}

}  // namespace cornu::inline v0::ops
