#include "cornu/base/check.h"
#include "cornu/keras/layers/operations/operation_call_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/attention.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

ops::ConvOptions conv_options(const Call& c) {
  using O = ops::ConvOptions;
  return c.options<O>("strides", &O::strides, "padding", &O::padding, "data_format",
                      null_is_default(&O::data_format), "dilation_rate", &O::dilation_rate);
}

template <Tensor (*kFunction)(const Tensor&, const ops::IntOrInts&, const ops::PoolOptions&)>
Tensors pooled(const Call& c) {
  using O = ops::PoolOptions;
  const O options = c.options<O>("strides", &O::strides, "padding", &O::padding, "data_format",
                                 null_is_default(&O::data_format));
  return {kFunction(c[0], c.get<ops::IntOrInts>("pool_size", 1), options)};
}

template <Tensor (*kFunction)(const Tensor&, const Tensor&, const ops::CrossentropyOptions&)>
Tensors crossentropy(const Call& c) {
  using O = ops::CrossentropyOptions;
  return {kFunction(c[0], c[1], c.options<O>("from_logits", &O::from_logits, "axis", &O::axis))};
}

/// A null axis means that all elements are classes of one row.
Tensors categorical_crossentropy(const Call& c) {
  if (!c.is_null("axis")) return crossentropy<&ops::categorical_crossentropy>(c);
  return {ops::categorical_crossentropy(ops::ravel(c[0]), ops::ravel(c[1]),
                                        {.from_logits = c.get("from_logits", false)})};
}

/// LayerNorm with rms_scaling, which in Keras divides by the standard deviation.
Tensor scaled_by_deviation(const Call& c) {
  const DType dtype = c[0].dtype();
  const Tensor x = ops::cast(c[0], dtype == DType::kF64 ? DType::kF64 : DType::kF32);
  const ops::Axes axis = c.get("axis", ops::Axes(-1));
  const double epsilon = c.get("epsilon", std::optional<double>()).value_or(1e-7);
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

Tensors layer_norm(const Call& c) {
  using O = ops::LayerNormalizationOptions;
  if (c.get("rms_scaling", false)) return {scaled_by_deviation(c)};
  return {ops::layer_normalization(
      c[0], c.options<O>("axis", &O::axis, "epsilon", &O::epsilon, "gamma", &O::gamma, "beta", &O::beta))};
}

Tensors attention(const Call& c) {
  using O = ops::AttentionOptions;
  if (c.get("attn_logits_soft_cap", std::optional<double>()).has_value())
    fail(ErrorCode::kUnimplemented, {.argument = "attn_logits_soft_cap"},
         "[operation] DotProductAttention: attn_logits_soft_cap is for TPUs; leave it out");
  return {ops::dot_product_attention(
      c[0], c[1], c[2],
      c.options<O>("is_causal", &O::is_causal, "scale", &O::scale, "bias", &O::bias, "mask", &O::mask))};
}

Tensors tensordot(const Call& c) {
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

}  // namespace

std::vector<OperationRow> network_operations() {
  return {
      {"Relu", kNnModule, "x", &of_one<&ops::relu>},
      {"Relu6", kNnModule, "x", &of_one<&ops::relu6>},
      {"Selu", kNnModule, "x", &of_one<&ops::selu>},
      {"Sigmoid", kNnModule, "x", &of_one<&ops::sigmoid>},
      {"LogSigmoid", kNnModule, "x", &of_one<&ops::log_sigmoid>},
      {"HardSigmoid", kNnModule, "x", &of_one<&ops::hard_sigmoid>},
      {"SparseSigmoid", kNnModule, "x", &of_one<&ops::sparse_sigmoid>},
      {"Silu", kNnModule, "x", &of_one<&ops::silu>},
      {"HardSilu", kNnModule, "x", &of_one<&ops::hard_silu>},
      {"Softplus", kNnModule, "x", &of_one<&ops::softplus>},
      {"Softsign", kNnModule, "x", &of_one<&ops::softsign>},
      {"TanhShrink", kNnModule, "x", &of_one<&ops::tanh_shrink>},
      {"HardTanh", kNnModule, "x", &of_one<&ops::hard_tanh>},
      {"SparsePlus", kNnModule, "x", &of_one<&ops::sparse_plus>},
      {"Matmul", kNumpyModule, "x1 x2", &of_two<&ops::matmul>},
      {"Dot", kNumpyModule, "x1 x2", &of_two<&ops::dot>},
      {"Inner", kNumpyModule, "x1 x2", &of_two<&ops::inner>},
      {"Outer", kNumpyModule, "x1 x2", &of_two<&ops::outer>},
      {"Vdot", kNumpyModule, "x1 x2", &of_two<&ops::vdot>},
      {"Kron", kNumpyModule, "x1 x2", &of_two<&ops::kron>},
      {"LeakyRelu", kNnModule, "x",
       [](const Call& c) { return Tensors{ops::leaky_relu(c[0], c.get("negative_slope", 0.2))}; }},
      {"Elu", kNnModule, "x", [](const Call& c) { return Tensors{ops::elu(c[0], c.get("alpha", 1.0))}; }},
      {"Celu", kNnModule, "x", [](const Call& c) { return Tensors{ops::celu(c[0], c.get("alpha", 1.0))}; }},
      {"SoftShrink", kNnModule, "x",
       [](const Call& c) { return Tensors{ops::soft_shrink(c[0], c.get("threshold", 0.5))}; }},
      {"HardShrink", kNnModule, "x",
       [](const Call& c) { return Tensors{ops::hard_shrink(c[0], c.get("threshold", 0.5))}; }},
      {"Squareplus", kNnModule, "x",
       [](const Call& c) { return Tensors{ops::squareplus(c[0], c.get("b", 4.0))}; }},
      {"Glu", kNnModule, "x",
       [](const Call& c) { return Tensors{ops::glu(c[0], c.get<std::int64_t>("axis", -1))}; }},
      {"Sparsemax", kNnModule, "x",
       [](const Call& c) { return Tensors{ops::sparsemax(c[0], c.get<std::int64_t>("axis", -1))}; }},
      {"Softmax", kNnModule, "x",
       [](const Call& c) { return Tensors{ops::softmax(c[0], {.axis = c.get("axis", ops::Axes(-1))})}; }},
      {"LogSoftmax", kNnModule, "x",
       [](const Call& c) { return Tensors{ops::log_softmax(c[0], {.axis = c.get("axis", ops::Axes(-1))})}; }},
      {"CategoricalCrossentropy", kNnModule, "target output", &categorical_crossentropy},
      {"SparseCategoricalCrossentropy", kNnModule, "target output",
       &crossentropy<&ops::sparse_categorical_crossentropy>},
      {"MaxPool", kNnModule, "inputs", &pooled<&ops::max_pool>},
      {"AveragePool", kNnModule, "inputs", &pooled<&ops::average_pool>},
      {"Gelu", kNnModule, "x",
       [](const Call& c) { return Tensors{ops::gelu(c[0], c.get("approximate", true))}; }},
      {"Threshold", kNnModule, "x",
       [](const Call& c) {
         return Tensors{ops::threshold(c[0], c.get<double>("threshold"), c.get<double>("default_value"))};
       }},
      {"BinaryCrossentropy", kNnModule, "target output",
       [](const Call& c) {
         return Tensors{ops::binary_crossentropy(c[0], c[1], {.from_logits = c.get("from_logits", false)})};
       }},
      {"Moments", kNnModule, "x",
       [](const Call& c) {
         const auto [mean, variance] =
             ops::moments(c[0], c.get_nullable<ops::Axes>("axes"), {.keepdims = c.get("keepdims", false)});
         return Tensors{mean, variance};
       }},
      {"Normalize", kNnModule, "x",
       [](const Call& c) {
         using O = ops::NormalizeOptions;
         return Tensors{ops::normalize(
             c[0], c.options<O>("axis", &O::axis, "order", &O::order, "epsilon", &O::epsilon))};
       }},
      {"BatchNorm", kNnModule, "x mean variance offset? scale?",
       [](const Call& c) {
         using O = ops::BatchNormalizationOptions;
         return Tensors{ops::batch_normalization(c[0], c[1], c[2],
                                                 c.options<O>("axis", &O::axis, "epsilon", &O::epsilon,
                                                              "offset", &O::offset, "scale", &O::scale))};
       }},
      {"LayerNorm", kNnModule, "x gamma? beta?", &layer_norm},
      {"RMSNorm", kNnModule, "x scale?",
       [](const Call& c) {
         using O = ops::RmsNormalizationOptions;
         return Tensors{ops::rms_normalization(
             c[0], c.options<O>("axis", &O::axis, "epsilon", &O::epsilon, "scale", &O::scale))};
       }},
      {"DotProductAttention", kNnModule, "query key value bias? mask? scale?", &attention},
      {"Conv", kNnModule, "inputs kernel",
       [](const Call& c) { return Tensors{ops::conv(c[0], c[1], conv_options(c))}; }},
      {"DepthwiseConv", kNnModule, "inputs kernel",
       [](const Call& c) { return Tensors{ops::depthwise_conv(c[0], c[1], conv_options(c))}; }},
      {"SeparableConv", kNnModule, "inputs depthwise_kernel pointwise_kernel",
       [](const Call& c) { return Tensors{ops::separable_conv(c[0], c[1], c[2], conv_options(c))}; }},
      {"ConvTranspose", kNnModule, "inputs kernel",
       [](const Call& c) {
         using O = ops::ConvTransposeOptions;
         const O options = c.options<O>("strides", &O::strides, "padding", &O::padding, "output_padding",
                                        &O::output_padding, "data_format", null_is_default(&O::data_format),
                                        "dilation_rate", &O::dilation_rate);
         return Tensors{ops::conv_transpose(c[0], c[1], options)};
       }},
      {"Tensordot", kNumpyModule, "x1 x2", &tensordot},
      {"Cross", kNumpyModule, "x1 x2",
       [](const Call& c) {
         using O = ops::CrossOptions;
         const O options =
             c.options<O>("axisa", &O::axisa, "axisb", &O::axisb, "axisc", &O::axisc, "axis", &O::axis);
         return Tensors{ops::cross(c[0], c[1], options)};
       }},
      {"Einsum", kNumpyModule, "*operands",
       [](const Call& c) {
         return Tensors{ops::einsum(c.get<std::string_view>("subscripts"), c.tensors("operands"))};
       }},
  };
}

}  // namespace cornu::inline v0::keras::layers
