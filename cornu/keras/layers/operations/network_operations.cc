#include "cornu/base/check.h"
#include "cornu/keras/layers/operations/operation_adapters_support.h"
#include "cornu/tensor/function_calls_support.h"
#include "cornu/tensor/ops/epsilon.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

/// LayerNorm with rms_scaling, which in Keras divides by the standard deviation.
Tensor scaled_by_deviation(const Call& c) {
  const DType dtype = c[0].dtype();
  const Tensor x = ops::cast(c[0], dtype == DType::kF64 ? DType::kF64 : DType::kF32);
  const ops::Axes axis = c.get("axis", ops::Axes(-1));
  const double epsilon = c.get("epsilon", std::optional<double>()).value_or(cornu::detail::small_number());
  Tensor y = x * ops::rsqrt(ops::var(x, {.axis = axis, .keepdims = true}) + epsilon);
  if (Tensor gamma = c.tensor("gamma"); gamma.defined()) {
    Dims along(x.shape().size(), 1);
    for (const std::int64_t d : axis.normalized(x.rank(), "layer_normalization"))
      along[static_cast<std::size_t>(d)] = x.shape()[static_cast<std::size_t>(d)];
    if (gamma.rank() != x.rank()) gamma = ops::reshape(gamma, along);
    y = y * ops::cast(gamma, x.dtype());
  }
  return ops::cast(y, dtype);
}

}  // namespace

/// A null axis means that all elements are classes of one row.
Tensors call_categorical_crossentropy(const Call& c) {
  if (!c.is_null("axis")) return ops::calls::categorical_crossentropy(c);
  return {ops::categorical_crossentropy(ops::ravel(c[0]), ops::ravel(c[1]),
                                        {.from_logits = c.get("from_logits", false)})};
}

Tensors call_moments(const Call& c) {
  const auto [mean, variance] =
      ops::moments(c[0], c.get_nullable<ops::Axes>("axes"), ops::calls::moments_options(c));
  return {mean, variance};
}

Tensors call_layer_normalization(const Call& c) {
  if (c.get("rms_scaling", false)) return {scaled_by_deviation(c)};
  return {ops::layer_normalization(c[0], ops::calls::layer_normalization_options(c))};
}

Tensors call_dot_product_attention(const Call& c) {
  if (c.get("attn_logits_soft_cap", std::optional<double>()).has_value())
    fail(ErrorCode::kUnimplemented, {.argument = "attn_logits_soft_cap"},
         "[operation] DotProductAttention: attn_logits_soft_cap is for TPUs; leave it out");
  return {ops::dot_product_attention(c[0], c[1], c[2], ops::calls::attention_options(c))};
}

Tensors call_tensordot(const Call& c) {
  const Config* const axes = c.find("axes");
  if (axes == nullptr || !axes->is_list())
    return {ops::tensordot(c[0], c[1], c.get<std::int64_t>("axes", 2))};
  if (axes->size() != 2) saving::wrong_type({"Tensordot", "axes"}, "two lists of axes", *axes);
  std::vector<std::int64_t> both[2];
  for (std::size_t i = 0; i < 2; ++i) {
    ops::Axes of_one;
    saving::read_value(axes->at(i), {"Tensordot", "axes"}, of_one);
    both[i] = of_one.given();
  }
  return {ops::tensordot(c[0], c[1], both[0], both[1])};
}

}  // namespace cornu::inline v0::keras::layers
