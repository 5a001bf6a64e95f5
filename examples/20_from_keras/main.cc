// The programs of docs/guide/from_keras.md, run and checked: tools/check_guide.py sees that the guide shows
// what stands here.

#include <filesystem>
#include <memory>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

/// Numbers in [-1, 1) that follow from the seed.
Tensor numbers(const Dims& shape, std::uint64_t seed) {
  return random::uniform(shape, {.minval = -1, .maxval = 1, .seed = seed});
}

void optional_arguments() {
  const Tensor x = numbers({2, 3}, 1);
  const Tensor both = ops::concatenate({x, x}, {.axis = 1});  // keras.ops.concatenate([x, x], axis=1)
  // keras.ops.mean(both, axis=0, keepdims=True)
  const Tensor mean = ops::mean(both, {.axis = 0, .keepdims = true});
  const Tensor flat = ops::reshape(both, {-1});                 // keras.ops.reshape(both, (-1,))
  const Tensor none = ops::zeros({4}, {.dtype = DType::kI32});  // keras.ops.zeros((4,), dtype="int32")

  expect(mean.shape() == Dims{1, 6} && flat.shape() == Dims{12} && none.dtype() == DType::kI32,
         "optional arguments");
}

/// z = mean + exp(log_variance / 2) * noise, and the loss that keeps z near normally distributed.
class SamplingLayer : public Layer {
 public:
  explicit SamplingLayer(std::uint64_t seed) : Layer("Sampling", ""), noise_(add_seed_generator(seed)) {}

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override {
    const Tensor &mean = inputs[0], &log_variance = inputs[1];
    const Tensor divergence =
        -0.5 * ops::sum(1 + log_variance - ops::square(mean) - ops::exp(log_variance), {.axis = 1});
    const Tensor rows =
        context.rows.defined() ? context.rows.num_valid : Tensor(static_cast<float>(mean.num_rows()));
    add_loss(0.01 * ops::sum(context.rows.defined() ? context.rows.zero_padding(divergence) : divergence) /
             rows);
    return {mean + ops::exp(0.5 * log_variance) * random::normal(mean.shape(), {.seed = noise_})};
  }

 private:
  SeedGenerator noise_;
};
using Sampling = LayerOf<SamplingLayer>;

void variational_autoencoder() {
  const Tensor x_train = numbers({200, 8}, 2);

  const Input x({.shape = {8}});
  const KerasTensor h = layers::Dense({.units = 16, .activation = "relu"})(x);
  const KerasTensor mean = layers::Dense({.units = 2, .name = "mean"})(h);
  const KerasTensor log_variance = layers::Dense({.units = 2, .name = "log_variance"})(h);
  const KerasTensor z = Sampling(7)({mean, log_variance});  // Sampling(seed=7)([mean, log_variance])
  const KerasTensor y = layers::Dense({.units = 8})(layers::Dense({.units = 16, .activation = "relu"})(z));
  Model vae({.inputs = x, .outputs = y, .name = "vae"});
  vae.compile({.optimizer = optimizers::Adam({.learning_rate = 0.01}), .loss = "mse"});
  const auto history = vae.fit(x_train, x_train, {.batch_size = 32, .epochs = 10, .verbose = 0});

  const Model encoder({.inputs = x, .outputs = mean});
  expect(history["loss"].back() < history["loss"].front(), "a variational autoencoder learns");
  expect(encoder(x_train).shape() == Dims{200, 2}, "and its encoder is a model");
}

void fine_tuning() {
  const Tensor x_train = numbers({64, 4}, 3) + 5.0,
               y_train = ops::sum(x_train, {.axis = 1, .keepdims = true});
  const Sequential base(
      {layers::Input({.shape = {4}}), layers::Dense({.units = 8}), layers::BatchNormalization()},
      {.name = "base"});
  const std::vector<Tensor> before = base.get_weights();

  base.set_trainable(false);
  const Input x({.shape = {4}});
  const KerasTensor features = base(x, {.training = false});
  Model model({.inputs = x, .outputs = layers::Dense({.units = 1})(features)});
  model.compile({.optimizer = "adam", .loss = "mse"});
  model.fit(x_train, y_train, {.epochs = 3, .verbose = 0});

  base.set_trainable(true);
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 1e-5}),
                 .loss = "mse"});  // anew: it sees what is trainable now
  const std::vector<Tensor> frozen = base.get_weights();
  model.fit(x_train, y_train, {.epochs = 1, .verbose = 0});

  const auto differ = [](const Tensor& a, const Tensor& b) {
    return ops::max(ops::abs(a - b)).item<float>() > 0;
  };
  const std::vector<Tensor> after = base.get_weights();
  for (std::size_t i = 0; i < before.size(); ++i)
    expect(!differ(before[i], frozen[i]), "a frozen base stays");
  // kernel, bias, gamma, beta; then the moving mean and variance, which inference does not move.
  expect(differ(frozen[0], after[0]), "then its kernel trains");
  expect(!differ(frozen[4], after[4]) && !differ(frozen[5], after[5]),
         "the statistics stay in inference mode");
}

void numpy_files() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cornu_from_keras";
  std::filesystem::create_directories(folder);
  const std::string path = folder / "x.npy", many = folder / "data.npz";
  const Tensor x = numbers({3, 2}, 4), y = ops::arange(3);

  utils::save_npy(path, x);                     // numpy.save(path, x)
  const Tensor same = utils::load_npy(path);    // numpy.load(path)
  utils::save_npz(many, {{"x", x}, {"y", y}});  // numpy.savez(many, x=x, y=y)
  const Tensors data = utils::load_npz(many);   // by name: data.names()
  const Tensor labels = data["y"];

  expect(same.to_vector<float>() == x.to_vector<float>() && data.names()[1] == "y", "NumPy's files");
  expect(labels.shape() == Dims{3}, "an array of an archive by its name");
  std::filesystem::remove_all(folder);
}

void memory_of_yours() {
  const std::int64_t rows = 4, bytes_per_row = 8;
  const std::vector<float> values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::vector<float> columns = {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11};
  const std::vector<std::uint8_t> pixels = {1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0};
  Sequential model({Input({.shape = {3}}), layers::Dense({.units = 1})});

  const Tensor x = Tensor::view<float>({rows, 3}, values);                   // row-major: no copy
  const Tensor same_x = Tensor::from<float>({rows, 3}, columns, {1, rows});  // column-major: one copy
  const Tensor image = Tensor::from<std::uint8_t>({2, 2, 3}, pixels, {bytes_per_row, 3, 1});
  std::vector<float> scores(static_cast<std::size_t>(rows));
  model.predict_into(x, scores);

  expect(x.literal() == same_x.literal(), "columns become rows");
  expect(image[1].to_vector<int>() == std::vector<int>{7, 8, 9, 10, 11, 12}, "padding is left out");
  expect(scores == model.predict(same_x).to_vector<float>(), "predictions in memory of one's own");
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program(
      "from Keras", argc, argv,
      {optional_arguments, variational_autoencoder, fine_tuning, numpy_files, memory_of_yours});
}
