#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "tools/docs/examples/examples.h"

namespace reference_examples {

using namespace cornu;
using namespace cornu::keras;

namespace {

int num_shown = 0;
int num_failed = 0;

std::string text(const Dims& shape) {
  std::string result;
  for (const std::int64_t extent : shape) result += std::to_string(extent) + " ";
  return result;
}

void check_shape(const char* name, const Dims& shape, const Dims& expected) {
  ++num_shown;
  if (shape == expected) return;
  ++num_failed;
  std::printf("%s: the shape is %s, the page says %s\n", name, text(shape).c_str(), text(expected).c_str());
}

/// True for classes whose labels are class numbers.
bool takes_ids(const std::string& name) {
  return name.starts_with("Sparse") || name == "CategoricalGeneralizedCrossEntropy" || name == "Circle" ||
         name == "IoU" || name == "MeanIoU";
}

/// Trains for one step, op by op, and fails unless the loss is finite. Labels are class numbers where
/// the class takes them, and rows of zeros with a one otherwise.
void train(const char* name, const CompileOptions& options, const layers::DenseOptions& dense,
           const FitOptions& fit = {}) {
  ++num_shown;
  const Tensor x = Tensor::of<float>({4, 3}, {1, 0, 2, 0, 1, 1, 2, 1, 0, 1, 1, 1});
  const Tensor y = takes_ids(name) ? Tensor::of<float>({4, 1}, {0, 1, 2, 1})
                                   : Tensor::of<float>({4, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0});
  Sequential model({layers::Dense(dense)});
  CompileOptions compiled = options;
  compiled.run_eagerly = true;
  model.compile(compiled);
  FitOptions quiet = fit;
  quiet.verbose = 0;
  const auto history = model.fit(x, y, quiet);
  if (std::isfinite(history["loss"].back())) return;
  ++num_failed;
  std::printf("%s: the loss is %g\n", name, history["loss"].back());
}

const layers::DenseOptions kDense = {.units = 3, .activation = "softmax"};

}  // namespace

void show(const char* name, const Tensor& result, const Dims& shape) {
  check_shape(name, result.shape(), shape);
}
void show(const char* name, const KerasTensor& result, const Dims& shape) {
  check_shape(name, result.shape(), shape);
}

void optimizer(const char* name, const OptimizerSpec& optimizer) {
  train(name, {.optimizer = optimizer, .loss = "mse"}, kDense);
}
void loss(const char* name, const LossSpec& loss) { train(name, {.loss = loss}, kDense); }
void metric(const char* name, const MetricSpec& metric) {
  train(name, {.loss = takes_ids(name) ? "sparse_categorical_crossentropy" : "mse", .metrics = {metric}},
        kDense);
}
void callback(const char* name, const callbacks::CallbackEntry& callback) {
  train(name, {.optimizer = optimizers::SGD({.use_ema = true}), .loss = "mse"}, kDense,
        {.callbacks = {callback}});
}
void initializer(const char* name, const InitializerSpec& initializer) {
  train(name, {.loss = "mse"}, {.units = 3, .kernel_initializer = initializer});
}
void regularizer(const char* name, const RegularizerSpec& regularizer) {
  train(name, {.loss = "mse"}, {.units = 3, .kernel_regularizer = regularizer});
}
void constraint(const char* name, const ConstraintSpec& constraint) {
  train(name, {.loss = "mse"}, {.units = 3, .kernel_constraint = constraint});
}

void quantization(const char* name, const QuantizationConfigSpec& quantization) {
  Sequential model({layers::Input({.shape = {8}}), layers::Dense({.units = 3})});
  model.quantize(quantization);
  show(name, model.predict(ops::ones({2, 8}), {.verbose = 0}), {2, 3});
}

}  // namespace reference_examples

int main() {
  using namespace reference_examples;
  // Callbacks write files here.
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cornu_reference_examples";
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  try {
    for (void (*const group)() :
         {core_layers, convolutions, recurrent_layers, attention, normalization_and_regularization,
          shapes_and_merging, preprocessing_layers, training_parts})
      group();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  std::filesystem::current_path(folder.parent_path());
  std::filesystem::remove_all(folder);
  std::printf("%d examples, %d failed\n", num_shown, num_failed);
  return num_failed == 0 ? 0 : 1;
}
