#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "cli/workloads.h"
#include "tests/strategies/strategies_test_support.h"

// Ten steps of the networks that `cornu bench` measures, with and without a strategy.
namespace cornu::inline v0::cli {

using distribute::Strategy;

inline constexpr std::int64_t kNumRows = 13;  // four replicas have 4, 4, 4 and 1

inline Tensor first_rows(const Tensor& x) {
  Dims dims = x.shape();
  dims[0] = kNumRows;
  return ops::slice(x, Dims(dims.size(), 0), dims);
}

struct TenSteps {
  std::vector<double> losses;
  std::uint64_t fingerprint = 0;  // of the weights' bits behind the last step
};

/// Moves every value of the f32 weights by one unit in the last place; which of them go up, `pattern` says.
inline void nudge_weights(keras::Model& model, std::uint64_t pattern) {
  constexpr float kUp = std::numeric_limits<float>::infinity();
  for (const Variable& weight : model.trainable_variables()) {
    if (weight.dtype() != DType::kF32) continue;
    const std::vector<float> old = weight.value().to_vector<float>();
    std::vector<float> moved;
    for (const float value : old) {
      pattern = pattern * 6364136223846793005u + 1442695040888963407u;
      moved.push_back(std::nextafter(value, pattern >> 63 ? kUp : -kUp));
    }
    weight.assign(Tensor::from<float>(weight.shape(), moved));
  }
}

/// `strategy` null: on one device. `nudge` not 0: behind the first step weights are moved by one unit
/// in the last place.
inline TenSteps train_ten_steps(const Workload& workload, const WorkloadData& data, const Strategy* strategy,
                                std::uint64_t nudge = 0) {
  set_random_seed(3);
  std::optional<Strategy::Scope> scope;
  if (strategy != nullptr) scope.emplace(*strategy);
  keras::Model model = workload.make_model();
  model.compile(workload.compile_options());
  scope.reset();
  TenSteps result;
  for (int step = 0; step < 10; ++step) {
    result.losses.push_back(model.train_on_batch(first_rows(data.x[0]), first_rows(data.y))["loss"]);
    if (step == 0 && nudge != 0) nudge_weights(model, nudge);
  }
  for (const Variable& weight : model.weights()) {
    const ir::Literal literal = weight.read();
    for (const std::byte byte : literal.bytes())
      result.fingerprint = result.fingerprint * 1099511628211u + static_cast<std::uint64_t>(byte);
  }
  return result;
}

}  // namespace cornu::inline v0::cli
