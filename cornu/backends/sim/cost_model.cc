#include "cornu/backends/sim/cost_model.h"

namespace cornu::inline v0::backends::sim {

SimulatedTime CostModel::transfer(std::size_t size_bytes) const {
  return saturated_sum(simulated_time(profile_.link_latency_seconds),
                       simulated_time(static_cast<double>(size_bytes) / profile_.link_bytes_per_second));
}

SimulatedTime CostModel::launch(const Launch& launch) const {
  const double step = profile_.step_seconds + launch.flops_per_step / profile_.flops_per_second;
  const SimulatedTime work = simulated_time(static_cast<double>(launch.num_steps) * step);
  return saturated_sum(saturated_sum(transfer(launch.bytes_to_device + launch.bytes_to_host),
                                     simulated_time(profile_.launch_seconds)),
                       work);
}

SimulatedTime CostModel::compile() const {
  return saturated_sum(simulated_time(profile_.link_latency_seconds),
                       simulated_time(profile_.compile_seconds));
}

}  // namespace cornu::inline v0::backends::sim
