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

KerasTensor dense_layer(const KerasTensor& x, std::int64_t units, const char* activation = "relu") {
  return layers::Dense({.units = units, .activation = activation})(x);
}

/// Draws a code from mean and logarithm of the variance while training, else takes the mean; adds the
/// divergence from the normal distribution, as a mean over the pixels that the reconstruction's loss is a
/// mean over.
class Sampling : public Layer {
 public:
  explicit Sampling(std::int64_t pixels) : Layer("Sampling", ""), pixels_(pixels) {}

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override {
    const Tensor &mean = inputs[0], &log_variance = inputs[1];
    const Tensor terms = 1.0 + log_variance - ops::square(mean) - ops::exp(log_variance);
    const Tensor divergence = ops::sum(terms, {.axis = -1}) * (-0.5 / static_cast<double>(pixels_));
    add_loss(context.rows.defined() ? ops::sum(context.rows.zero_padding(divergence)) / context.rows.num_valid
                                    : ops::mean(divergence));
    if (!context.training) return {mean};
    return {mean + ops::exp(0.5 * log_variance) * random::normal(mean.shape())};
  }

 private:
  std::int64_t pixels_;
};

}  // namespace

Model dense_layernorm() {
  const Input features({.shape = {1024}});
  KerasTensor x = features;
  for (int i = 0; i < 5; ++i)
    x = layers::Activation("gelu")(layers::LayerNormalization()(layers::Dense({.units = 1024})(x)));
  return Model({.inputs = features, .outputs = dense_layer(x, 10, "softmax")});
}

Model vae() {
  const Input picture({.shape = {784}});
  const KerasTensor hidden = dense_layer(picture, 400);
  const KerasTensor mean = dense_layer(hidden, 20, nullptr), log_variance = dense_layer(hidden, 20, nullptr);
  const KerasTensor code = LayerHandle(std::make_shared<Sampling>(784))({mean, log_variance});
  return Model({.inputs = picture, .outputs = dense_layer(dense_layer(code, 400), 784, "sigmoid")});
}

Model dilated_conv1d() {
  const Input signal({.shape = {512, 8}});
  KerasTensor x = layers::Conv1D({.filters = 64, .kernel_size = 1})(signal);
  for (int dilation = 1; dilation <= 64; dilation *= 2)
    x = x + layers::Conv1D({.filters = 64,
                            .kernel_size = 3,
                            .padding = "causal",
                            .dilation_rate = dilation,
                            .activation = "relu"})(x);
  return Model(
      {.inputs = signal, .outputs = dense_layer(layers::GlobalAveragePooling1D()(x), 10, "softmax")});
}

Model gru_stack() {
  const Input signal({.shape = {64, 32}});
  KerasTensor x = layers::GRU({.units = 128, .return_sequences = true})(signal);
  x = layers::GRU({.units = 128, .return_sequences = true})(x);
  return Model({.inputs = signal, .outputs = dense_layer(layers::GRU({.units = 128})(x), 10, "softmax")});
}

Model dlrm() {
  const Input facts({.shape = {13}, .name = "facts"});
  const Input ids({.shape = {8}, .dtype = DType::kI32, .name = "ids"});
  const KerasTensor bottom = dense_layer(dense_layer(facts, 64), 32);
  std::vector<KerasTensor> vectors = {bottom};
  for (std::int64_t column = 0; column < 8; ++column) {
    const layers::Lambda one(
        [column](const Tensor& x) { return ops::unstack(x, 1)[static_cast<std::size_t>(column)]; });
    vectors.push_back(layers::Embedding({.input_dim = 10000, .output_dim = 32})(one(ids)));
  }
  const layers::Lambda products([](std::span<const Tensor> all) {
    const Tensor stacked = ops::stack(all, 1);
    return ops::matmul(stacked, ops::transpose(stacked, {0, 2, 1}));
  });
  KerasTensor x = layers::concatenate({bottom, layers::Flatten()(products(vectors))});
  for (const std::int64_t units : {128, 64}) x = dense_layer(x, units);
  return Model({.inputs = {facts, ids}, .outputs = dense_layer(x, 1, "sigmoid")});
}

Model wide_deep() {
  const Input facts({.shape = {8}, .name = "facts"});
  const Input ids({.shape = {10}, .dtype = DType::kI32, .name = "ids"});
  const auto with_vectors = [&](std::int64_t width) {
    const layers::Embedding vectors({.input_dim = 20000, .output_dim = width});
    return layers::concatenate({layers::Flatten()(vectors(ids)), facts});
  };
  const KerasTensor wide = dense_layer(with_vectors(1), 1, nullptr);
  KerasTensor deep = with_vectors(16);
  for (const std::int64_t units : {256, 128, 64}) deep = dense_layer(deep, units);
  const KerasTensor sum = wide + dense_layer(deep, 1, nullptr);
  return Model({.inputs = {facts, ids}, .outputs = layers::Activation("sigmoid")(sum)});
}

}  // namespace cornu::inline v0::benchmarks
