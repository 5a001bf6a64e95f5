#pragma once

#include <cstddef>
#include <cstdint>

#include "cornu/backends/sim/clock.h"
#include "cornu/backends/sim/profile.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::backends::sim {

/// One execution of a program, which is one round trip: its rows go with it, its outputs come back with it.
struct Launch {
  std::int64_t num_steps = 0;
  double flops_per_step = 0;              // of all replicas
  double convolution_flops_per_step = 0;  // of those
  double sequence_flops_per_step = 0;     // of those
  runtime::ReplicaWork replica_work = {};
  std::size_t state_bytes = 0;  // of all replicas
  std::size_t bytes_to_device = 0;
  std::size_t bytes_to_host = 0;
  bool sends_rows = false;
  bool begins_pass = false;  // it is the first of a pass over data
};

/// What work costs by a profile.
class CostModel {
 public:
  explicit CostModel(const Profile& profile) : profile_(profile) {}

  /// link_latency + bytes / link_bytes_per_second: a read or a write, of any number of buffers.
  SimulatedTime transfer(std::size_t size_bytes) const;
  ///     transfer(all bytes) + launch
  ///         + num_steps * (step
  ///                        + flops of a replica, each kind by its rate
  ///                        + 2 * state bytes of a replica / state_bytes_per_second
  ///                        + what replicas send each other);
  ///
  /// where rows are sent also num_steps * stream_step, and stream for the first launch of a pass.
  SimulatedTime launch(const Launch& launch) const;
  /// link_latency + compile.
  SimulatedTime compile() const;
  /// What a step's messages between replicas take, in which they do nothing else.
  double exchange_seconds(const runtime::ReplicaWork& work) const;

 private:
  /// A step's multiplications and additions, on one device.
  double flops_seconds(const Launch& launch) const;

  Profile profile_;
};

}  // namespace cornu::inline v0::backends::sim
