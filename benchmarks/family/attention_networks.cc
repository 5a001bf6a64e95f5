#include <cmath>

#include "benchmarks/family/family.h"
#include "cornu/keras/keras.h"

namespace cornu::inline v0::benchmarks {
namespace {

using keras::CallContext;
using keras::Input;
using keras::KerasTensor;
using keras::Layer;
using keras::LayerHandle;
using keras::Model;
namespace layers = keras::layers;

constexpr std::int64_t kWidth = 128;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kHeadWidth = kWidth / kHeads;

/// How users write the two products of attention.
enum class Products { kHeadsInside, kHeadsAsRows, kTransposed };

/// x + a weight of [steps, width].
class Positions : public Layer {
 public:
  Positions() : Layer("Positions", "") {}

 protected:
  void build(const Dims& input_shape) override {
    positions_ = add_weight(
        {.name = "positions", .shape = {input_shape[1], input_shape[2]}, .initializer = "uniform"});
  }
  Tensor call(const Tensor& x, const CallContext&) override { return x + positions_; }

 private:
  Variable positions_;
};

/// Each step's mean of the values of all steps (with `causal`: of those up to it), weighed by the softmax of
/// query times key.
class SelfAttention : public Layer {
 public:
  SelfAttention(Products products, bool causal)
      : Layer("SelfAttention", ""), products_(products), causal_(causal) {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    const std::int64_t steps = x.shape()[1];
    const Tensor query = split(query_(x)) * (1 / std::sqrt(static_cast<double>(kHeadWidth)));
    const Tensor key = split(key_(x)), value = split(value_(x));
    return output_(joined(product(ops::softmax(masked(scores(query, key), steps)), value), steps));
  }

 private:
  Tensor split(const Tensor& x) const {
    const std::int64_t steps = x.shape()[1];
    Tensor heads = ops::reshape(x, {-1, steps, kHeads, kHeadWidth});
    if (products_ == Products::kHeadsInside) return heads;
    const Tensor before_steps = ops::transpose(heads, {0, 2, 1, 3});
    return products_ == Products::kTransposed ? before_steps
                                              : ops::reshape(before_steps, {-1, steps, kHeadWidth});
  }

  Tensor scores(const Tensor& query, const Tensor& key) const {
    switch (products_) {
      case Products::kHeadsInside: return ops::einsum("bqhd,bkhd->bhqk", {query, key});
      case Products::kHeadsAsRows: return ops::einsum("nqd,nkd->nqk", {query, key});
      case Products::kTransposed: break;
    }
    return ops::matmul(query, ops::transpose(key, {0, 1, 3, 2}));
  }

  Tensor masked(const Tensor& scores, std::int64_t steps) const {
    return causal_ ? ops::where(ops::tri(steps, {.dtype = DType::kI1}), scores, -1e9) : scores;
  }

  Tensor product(const Tensor& weights, const Tensor& value) const {
    switch (products_) {
      case Products::kHeadsInside: return ops::einsum("bhqk,bkhd->bqhd", {weights, value});
      case Products::kHeadsAsRows: return ops::einsum("nqk,nkd->nqd", {weights, value});
      case Products::kTransposed: break;
    }
    return ops::matmul(weights, value);
  }

  Tensor joined(const Tensor& x, std::int64_t steps) const {
    if (products_ == Products::kHeadsInside) return ops::reshape(x, {-1, steps, kWidth});
    return ops::reshape(ops::transpose(ops::reshape(x, {-1, kHeads, steps, kHeadWidth}), {0, 2, 1, 3}),
                        {-1, steps, kWidth});
  }

  Products products_;
  bool causal_;
  LayerHandle query_ = track(layers::Dense({.units = kWidth}));
  LayerHandle key_ = track(layers::Dense({.units = kWidth}));
  LayerHandle value_ = track(layers::Dense({.units = kWidth}));
  LayerHandle output_ = track(layers::Dense({.units = kWidth}));
};

KerasTensor positioned(const KerasTensor& x) { return LayerHandle(std::make_shared<Positions>())(x); }

KerasTensor attention(const KerasTensor& x, Products products, bool causal = false) {
  return LayerHandle(std::make_shared<SelfAttention>(products, causal))(x);
}

KerasTensor layer_normalized(const KerasTensor& x) { return layers::LayerNormalization()(x); }

KerasTensor dense(const KerasTensor& x, std::int64_t units, const char* activation = nullptr) {
  return layers::Dense({.units = units, .activation = activation})(x);
}

KerasTensor embedded(const KerasTensor& ids, std::int64_t num_ids) {
  return positioned(layers::Embedding({.input_dim = num_ids, .output_dim = kWidth})(ids));
}

/// Normalizes in front of what is added.
KerasTensor pre_norm_block(const KerasTensor& x, std::int64_t hidden, Products products, bool causal) {
  const KerasTensor attended = x + attention(layer_normalized(x), products, causal);
  return attended + dense(dense(layer_normalized(attended), hidden, "gelu"), kWidth);
}

/// Normalizes what was added.
KerasTensor post_norm_block(const KerasTensor& x, std::int64_t hidden, Products products) {
  const layers::Dropout first({.rate = 0.1}), second({.rate = 0.1});
  const KerasTensor attended = layer_normalized(x + first(attention(x, products)));
  return layer_normalized(attended + second(dense(dense(attended, hidden, "relu"), kWidth)));
}

}  // namespace

Model text_transformer() {
  const Input words({.shape = {128}, .dtype = DType::kI32});
  KerasTensor x = embedded(words, 20000);
  for (int i = 0; i < 2; ++i) x = post_norm_block(x, 512, Products::kHeadsInside);
  x = dense(layers::GlobalAveragePooling1D()(x), 1, "sigmoid");
  return Model({.inputs = words, .outputs = x});
}

Model vision_transformer() {
  const Input picture({.shape = {32, 32, 3}});
  KerasTensor x = layers::Conv2D({.filters = kWidth, .kernel_size = 4, .strides = 4})(picture);
  x = positioned(layers::Reshape({.target_shape = {64, kWidth}})(x));
  for (int i = 0; i < 4; ++i) x = pre_norm_block(x, 256, Products::kHeadsAsRows, false);
  x = dense(layers::GlobalAveragePooling1D()(layer_normalized(x)), 10, "softmax");
  return Model({.inputs = picture, .outputs = x});
}

Model char_gpt() {
  const Input characters({.shape = {128}, .dtype = DType::kI32});
  KerasTensor x = embedded(characters, 96);
  for (int i = 0; i < 3; ++i) x = pre_norm_block(x, 512, Products::kTransposed, true);
  return Model({.inputs = characters, .outputs = dense(layer_normalized(x), 96)});
}

}  // namespace cornu::inline v0::benchmarks
