#include "cornu/tensor/ops/attention.h"

#include <cmath>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ops/dot_product_attention/dot_product_attention.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/linalg.h"
#include "cornu/tensor/ops/nn.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
namespace {

constexpr const char* kOp = "dot_product_attention";

/// Repeats each head of keys or values for the queries that share it.
Tensor with_heads(const char* what, const Tensor& x, const Tensor& query) {
  if (x.rank() != 4)
    invalid_argument({.argument = what}, "[{}] {} must be [batch, steps, heads, features]; got shape {}", kOp,
                     what, ir::shape_str(x.shape()));
  const std::int64_t heads = query.shape()[2], groups = x.shape()[2];
  if (groups < 1 || heads % groups != 0)
    invalid_argument({.argument = what}, "[{}] the {} heads of {} must divide the {} of query", kOp, groups,
                     what, heads);
  return groups == heads ? x : repeat(x, heads / groups, {.axis = 2});
}

/// Reshapes x to [batch, heads, T, S], in which any extent may be 1.
Tensor with_score_axes(const char* what, const Tensor& x, const Dims& scores) {
  Dims shape = x.shape();
  if (shape.size() > 4)
    invalid_argument({.argument = what}, "[{}] {} must broadcast to {}; got shape {}", kOp, what,
                     ir::shape_str(scores), ir::shape_str(shape));
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  for (std::size_t i = 0; i < 4; ++i)
    if (shape[i] != 1 && shape[i] != scores[i])
      invalid_argument({.argument = what}, "[{}] {} must broadcast to {}; got shape {}", kOp, what,
                       ir::shape_str(scores), ir::shape_str(x.shape()));
  Tensor whole = shape == x.shape() ? x : reshape(x, shape);
  if (shape[3] == scores[3]) return whole;
  shape[3] = scores[3];
  return broadcast_to(whole, shape);
}

/// Attention as the composite whose kernel stores no scores.
Tensor by_blocks(std::vector<Tensor> operands, const DotProductAttentionOptions& options) {
  return internal::run_op_many(internal::OpKey(kOp, options.scale, options.is_causal), operands,
                               [&](ir::Builder& b, std::span<const ir::Value> v) {
                                 const DotProductAttentionResult y = dot_product_attention(
                                     b, v[0], v[1], v[2], v.size() > 3 ? v[3] : ir::Value(), options);
                                 return std::vector<ir::Value>{y.output, y.largest, y.sum};
                               })[0];
}

Tensor with_bias(const std::vector<Tensor>& operands, const Tensor& bias,
                 const DotProductAttentionOptions& options) {
  const DType dtype = operands[0].dtype(), wide = internal::accumulation_dtype(dtype);
  const std::int64_t num_queries = operands[0].shape()[1], num_keys = operands[1].shape()[1];
  Tensor scores = einsum("btnh,bsnh->bnts", {cast(operands[0], wide), cast(operands[1], wide)});
  scores = scores * options.scale + cast(bias, wide);
  std::optional<Tensor> seen;
  if (operands.size() > 3) seen = operands[3];
  if (options.is_causal) {
    const Tensor earlier = expand_dims(arange(num_queries), 1) >= expand_dims(arange(num_keys), 0);
    seen = seen.has_value() ? logical_and(*seen, earlier) : earlier;
  }
  constexpr double kLowest[] = {-0.7 * 3.4028234663852886e38, -0.7 * 1.7976931348623157e308};
  if (seen.has_value()) scores = where(*seen, scores, kLowest[wide == DType::kF64 ? 1 : 0]);
  return einsum("bnts,bsnh->btnh", {cast(softmax(scores), dtype), operands[2]});
}

}  // namespace

Tensor dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const AttentionOptions& options) {
  const Tensor all[] = {query, key, value};
  DType dtype = internal::promote_all(all, kOp);
  if (!ir::is_float(dtype)) dtype = internal::default_float();
  if (query.rank() != 4)
    invalid_argument({.argument = "query"},
                     "[{}] query must be [batch, steps, heads, features]; got shape {}", kOp,
                     ir::shape_str(query.shape()));
  std::vector<Tensor> operands = {cast(query, dtype), cast(with_heads("key", key, query), dtype),
                                  cast(with_heads("value", value, query), dtype)};
  const Dims &q = query.shape(), &k = key.shape();
  const Dims scores = {q[0], q[2], q[1], k[1]};
  if (options.mask.defined())
    operands.push_back(cast(with_score_axes("mask", options.mask, scores), DType::kI1));
  const DotProductAttentionOptions of_op{
      .scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(q[3]))),
      .is_causal = options.is_causal};
  if (!options.bias.defined()) return by_blocks(std::move(operands), of_op);
  return with_bias(operands, with_score_axes("bias", options.bias, scores), of_op);
}

}  // namespace cornu::inline v0::ops
