#include "cli/workloads.h"

#include <algorithm>
#include <random>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/names.h"

namespace cornu::inline v0::cli {
namespace {

using keras::layers::Dense;
using keras::layers::Dropout;

keras::Sequential make_iris_mlp() {
  return keras::Sequential({Dense({.units = 32, .activation = "relu"}), Dense({.units = 3, .activation = "softmax"})});
}

keras::CompileOptions compile_iris_mlp() {
  return {.optimizer = keras::optimizers::Adam({.learning_rate = 0.1}), .loss = keras::losses::LogCosh()};
}

keras::Sequential make_mnist_mlp() {
  return keras::Sequential({Dense({.units = 512, .activation = "relu"}), Dropout({.rate = 0.2}),
                            Dense({.units = 512, .activation = "relu"}), Dropout({.rate = 0.2}),
                            Dense({.units = 10, .activation = "softmax"})});
}

keras::CompileOptions compile_mnist_mlp() {
  return {.optimizer = keras::optimizers::RMSprop(), .loss = keras::losses::SparseCategoricalCrossentropy()};
}

}  // namespace

std::span<const Workload> workloads() {
  static const std::vector<Workload> all = {
      {.name = "iris_mlp",
       .summary = "4-32-3, Adam, log-cosh, batch 20",
       .features = 4,
       .num_classes = 3,
       .batch_size = 20,
       .num_rows = 100,
       .labels_as_column = true,
       .make_model = make_iris_mlp,
       .compile_options = compile_iris_mlp},
      {.name = "mnist_mlp",
       .summary = "784-512-512-10 with dropout, RMSprop, cross-entropy, batch 128",
       .features = 784,
       .num_classes = 10,
       .batch_size = 128,
       .num_rows = 12800,
       .make_model = make_mnist_mlp,
       .compile_options = compile_mnist_mlp},
  };
  return all;
}

const Workload& find_workload(const std::string& name) {
  std::vector<std::string> names;
  for (const Workload& workload : workloads()) {
    if (workload.name == name) return workload;
    names.push_back(workload.name);
  }
  const std::string nearest = keras::nearest_name(name, names);
  std::rotate(names.begin(), std::find(names.begin(), names.end(), nearest), names.end());
  invalid_argument("unknown workload \"{}\"; there are: {}", name, fmt::join(names, ", "));
}

WorkloadData make_data(const Workload& workload) {
  std::mt19937 random(0);
  std::vector<float> x(static_cast<std::size_t>(workload.num_rows * workload.features));
  for (float& value : x) value = static_cast<float>(random() >> 8) * 0x1p-24F;
  std::vector<std::int32_t> labels(static_cast<std::size_t>(workload.num_rows));
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(workload.num_classes));

  Tensor x_tensor = Tensor::adopt({workload.num_rows, workload.features}, std::move(x));
  if (!workload.labels_as_column) return {x_tensor, Tensor::adopt({workload.num_rows}, std::move(labels))};
  return {x_tensor, Tensor::adopt({workload.num_rows, 1}, std::vector<float>(labels.begin(), labels.end()))};
}

}  // namespace cornu::inline v0::cli
