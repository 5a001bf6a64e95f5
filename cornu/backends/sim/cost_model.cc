#include "cornu/backends/sim/cost_model.h"

namespace cornu::inline v0::backends::sim {

SimulatedTime CostModel::transfer(std::size_t size_bytes) const {
  return saturated_sum(simulated_time(profile_.link_latency_seconds), bytes_time(size_bytes));
}

SimulatedTime CostModel::bytes_time(std::size_t size_bytes) const {
  return simulated_time(static_cast<double>(size_bytes) / profile_.link_bytes_per_second);
}

SimulatedTime CostModel::launch(const Launch& launch) const {
  return saturated_sum(transfer(launch.bytes_to_device + launch.bytes_to_host), work_time(launch));
}

CallTimes CostModel::launch_times(const Launch& launch) const {
  return {.to_device = bytes_time(launch.bytes_to_device),
          .work = work_time(launch),
          .to_host = bytes_time(launch.bytes_to_host)};
}

SimulatedTime CostModel::work_time(const Launch& launch) const {
  const auto num_replicas = static_cast<double>(launch.replica_work.num_replicas);
  double step =
      profile_.step_seconds + flops_seconds(launch) / num_replicas + exchange_seconds(launch.replica_work);
  if (profile_.state_bytes_per_second > 0)
    step += 2 * static_cast<double>(launch.state_bytes) / num_replicas / profile_.state_bytes_per_second;
  if (launch.sends_rows) step += profile_.stream_step_seconds;
  const double stream = launch.sends_rows && launch.begins_pass ? profile_.stream_seconds : 0;
  return saturated_sum(simulated_time(profile_.launch_seconds),
                       simulated_time(stream + static_cast<double>(launch.num_steps) * step));
}

double CostModel::flops_seconds(const Launch& launch) const {
  const auto seconds = [&](double flops, double rate) {
    return flops / (rate > 0 ? rate : profile_.flops_per_second);
  };
  const double others =
      launch.flops_per_step - launch.convolution_flops_per_step - launch.sequence_flops_per_step;
  return seconds(others, profile_.flops_per_second) +
         seconds(launch.convolution_flops_per_step, profile_.convolution_flops_per_second) +
         seconds(launch.sequence_flops_per_step, profile_.sequence_flops_per_second);
}

double CostModel::exchange_seconds(const runtime::ReplicaWork& work) const {
  const double bytes_seconds =
      profile_.ring_bytes_per_second > 0 ? work.exchanged_bytes / profile_.ring_bytes_per_second : 0;
  return work.num_messages * profile_.ring_latency_seconds + bytes_seconds;
}

SimulatedTime CostModel::compile() const {
  return saturated_sum(simulated_time(profile_.link_latency_seconds),
                       simulated_time(profile_.compile_seconds));
}

}  // namespace cornu::inline v0::backends::sim
