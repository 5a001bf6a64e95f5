#include "cornu/transform/attention_matrices.h"

#include <algorithm>

#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/index_space.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {

// patterns: products of matrices, and views of them

using ir::Dims;
using ir::Op;
using ir::Value;

namespace {

/// A dot_general without dimensions of extent 1, with one contracted dimension and one free one on each side.
struct MatrixProduct {
  Dims batching[2];  // of the left and right operand
  std::int64_t contracted[2] = {}, free[2] = {};

  std::size_t num_batch() const { return batching[0].size(); }
};

std::optional<MatrixProduct> matrix_product(const Op& op) {
  if (op.name() != "dot_general" || op.result().dtype() != ir::DType::kF32 ||
      op.operand(0).dtype() != ir::DType::kF32)
    return std::nullopt;
  const ops::DotDimensions d = ops::dot_dimensions(op);
  if (op.attributes() != ops::dot_attributes(d)) return std::nullopt;
  MatrixProduct product;
  for (const std::size_t side : {0, 1}) {
    const Dims& dims = op.operand(side).dims();
    product.batching[side] = wide_dimensions(side == 0 ? d.lhs_batching : d.rhs_batching, dims);
    const Dims contracted = wide_dimensions(side == 0 ? d.lhs_contracting : d.rhs_contracting, dims);
    const Dims free = ops::remaining_dimensions(std::ssize(wide_extents(dims)),
                                                ops::concatenated(product.batching[side], contracted));
    if (contracted.size() != 1 || free.size() != 1) return std::nullopt;
    product.contracted[side] = contracted[0];
    product.free[side] = free[0];
  }
  return product;
}

}  // namespace

Dims wide_extents(const Dims& dims) {
  Dims wide;
  std::ranges::copy_if(dims, std::back_inserter(wide), [](std::int64_t extent) { return extent != 1; });
  return wide;
}

Dims wide_dimensions(Value value) { return ops::counting(std::ssize(wide_extents(value.dims()))); }

Dims wide_dimensions(const Dims& list, const Dims& dims) {
  Dims wide;
  for (const std::int64_t dimension : list)
    if (dims[static_cast<std::size_t>(dimension)] != 1)
      wide.push_back(dimension - std::count(dims.begin(), dims.begin() + dimension, 1));
  return wide;
}

std::pair<Value, Dims> under_views(Value value, Dims order) {
  for (const Op* op = value.op(); op != nullptr; op = value.op()) {
    const bool keeps_order =
        op->name() == "reshape" && wide_extents(op->operand(0).dims()) == wide_extents(value.dims());
    if (op->name() == "transpose")
      order = ops::extents(wide_dimensions(op->attributes().get<Dims>("permutation"), op->operand(0).dims()),
                           order);
    else if (!keeps_order)
      break;
    value = op->operand(0);
  }
  return {value, order};
}

std::optional<std::pair<Value, std::int64_t>> spread_value(Value value) {
  const Op* const broadcast = made_by(value, "broadcast_in_dim");
  if (broadcast == nullptr) return std::nullopt;
  const Value source = broadcast->operand(0);
  const Dims& at = broadcast->attributes().get<Dims>("broadcast_dimensions");
  Dims kept;  // dimensions of the value, for the wide ones of the source
  for (std::size_t i = 0; i < at.size(); ++i)
    if (source.dims()[i] != 1) kept.push_back(at[i]);
  kept = wide_dimensions(kept, value.dims());
  const Dims others = ops::remaining_dimensions(std::ssize(wide_extents(value.dims())), kept);
  if (others.size() != 1 || !ops::is_sorted(kept)) return std::nullopt;
  return std::pair(source, others[0]);
}

Value AttentionMatrix::value() const { return dot->operand(operand); }

Dims AttentionMatrix::dims() const { return ops::extents(wide_extents(value().dims()), order); }

bool are_same(const AttentionMatrix& x, const AttentionMatrix& y) {
  return under_views(x.value(), x.order) == under_views(y.value(), y.order);
}

std::optional<AttentionAxes> axes_of(Value products, std::int64_t key) {
  const auto [value, at] = under_views(products, wide_dimensions(products));
  const std::optional<MatrixProduct> product =
      value.op() == nullptr ? std::nullopt : matrix_product(*value.op());
  if (!product) return std::nullopt;
  AttentionAxes axes{.key = key};
  for (std::int64_t axis = 0; axis < std::ssize(at); ++axis) {
    const bool is_batch =
        at[static_cast<std::size_t>(axis)] < static_cast<std::int64_t>(product->num_batch());
    if (is_batch && axis == key) return std::nullopt;
    if (is_batch)
      axes.batch.push_back(axis);
    else if (axis != key)
      axes.query = axis;
  }
  return axes;
}

std::optional<AttentionFactors> factors_of(Value products, const AttentionAxes& axes) {
  const auto [value, at] = under_views(products, wide_dimensions(products));
  const std::optional<MatrixProduct> product =
      value.op() == nullptr ? std::nullopt : matrix_product(*value.op());
  if (!product || axes.batch.size() != product->num_batch()) return std::nullopt;
  AttentionMatrix sides[] = {{.dot = value.op(), .operand = 0}, {.dot = value.op(), .operand = 1}};
  for (const std::size_t side : {0, 1}) {
    for (const std::int64_t axis : axes.batch) {
      const auto number = static_cast<std::size_t>(at[static_cast<std::size_t>(axis)]);
      if (number >= product->num_batch()) return std::nullopt;
      sides[side].order.push_back(product->batching[side][number]);
    }
    sides[side].order.insert(sides[side].order.end(), {product->free[side], product->contracted[side]});
  }
  // The left operand's free dimension comes first in the product.
  const bool is_query_left =
      at[static_cast<std::size_t>(axes.query)] < at[static_cast<std::size_t>(axes.key)];
  return AttentionFactors{sides[is_query_left ? 0 : 1], sides[is_query_left ? 1 : 0]};
}

std::optional<AttentionMix> mix_of(const Op& op, Value scores, const AttentionAxes& axes) {
  const std::optional<MatrixProduct> product = matrix_product(op);
  if (!product || op.operand(0) == op.operand(1) || axes.batch.size() != product->num_batch())
    return std::nullopt;
  const std::size_t side = op.operand(0) == scores ? 0 : 1, other = 1 - side;
  AttentionMix mix{.matrix = {.dot = &op, .operand = other},
                   .product = {.dot = &op},
                   .is_over_keys = product->contracted[side] == axes.key};
  if (!mix.is_over_keys && product->contracted[side] != axes.query) return std::nullopt;
  const Dims& batching = product->batching[side];
  for (const std::int64_t axis : axes.batch) {
    const auto found = std::find(batching.begin(), batching.end(), axis);
    if (found == batching.end()) return std::nullopt;
    mix.matrix.order.push_back(product->batching[other][static_cast<std::size_t>(found - batching.begin())]);
    mix.product.order.push_back(found - batching.begin());
  }
  const auto first_free = static_cast<std::int64_t>(batching.size());
  const std::int64_t left = side == 0 ? 0 : 1;
  mix.matrix.order.insert(mix.matrix.order.end(), {product->contracted[other], product->free[other]});
  mix.product.order.insert(mix.product.order.end(), {first_free + left, first_free + 1 - left});
  return mix;
}

}  // namespace cornu::inline v0::transform
