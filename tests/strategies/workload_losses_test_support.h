#pragma once

#include <cstdint>
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

/// `strategy` null: on one device.
inline TenSteps train_ten_steps(const Workload& workload, const WorkloadData& data,
                                const Strategy* strategy) {
  set_random_seed(3);
  std::optional<Strategy::Scope> scope;
  if (strategy != nullptr) scope.emplace(*strategy);
  keras::Model model = workload.make_model();
  model.compile(workload.compile_options());
  scope.reset();
  TenSteps result;
  for (int step = 0; step < 10; ++step)
    result.losses.push_back(model.train_on_batch(first_rows(data.x[0]), first_rows(data.y))["loss"]);
  for (const Variable& weight : model.weights()) {
    const ir::Literal literal = weight.read();
    for (const std::byte byte : literal.bytes())
      result.fingerprint = result.fingerprint * 1099511628211u + static_cast<std::uint64_t>(byte);
  }
  return result;
}

}  // namespace cornu::inline v0::cli
