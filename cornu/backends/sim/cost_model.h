#pragma once

#include <cstddef>
#include <cstdint>

#include "cornu/backends/sim/clock.h"
#include "cornu/backends/sim/profile.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::backends::sim {

/// One execution of a program, which is one round trip that includes its rows and outputs.
struct Launch {
  std::int64_t num_steps = 0;
  double flops_per_step = 0;              // of all replicas
  double convolution_flops_per_step = 0;  // part of flops_per_step
  double sequence_flops_per_step = 0;     // part of flops_per_step
  runtime::ReplicaWork replica_work = {};
  std::size_t state_bytes = 0;  // of all replicas
  std::size_t bytes_to_device = 0;
  std::size_t bytes_to_host = 0;
  bool sends_rows = false;
  bool begins_pass = false;  // true for the first launch of a pass over data
};

/// Costs of work according to a profile.
class CostModel {
 public:
  explicit CostModel(const Profile& profile) : profile_(profile) {}

  /// The cost of a read or a write, of any number of buffers: link_latency + bytes / link_bytes_per_second.
  SimulatedTime transfer(std::size_t size_bytes) const;
  /// The cost of a launch:
  ///     transfer(all bytes) + launch
  ///         + num_steps * (step
  ///                        + flops of a replica, each kind at its rate
  ///                        + 2 * state bytes of a replica / state_bytes_per_second
  ///                        + messages between replicas);
  ///
  /// if rows are sent also num_steps * stream_step, and stream for the first launch of a pass.
  SimulatedTime launch(const Launch& launch) const;
  /// The parts of a launch's cost, without the latency.
  CallTimes launch_times(const Launch& launch) const;
  /// The time of bytes on the link, without the latency.
  SimulatedTime bytes_time(std::size_t size_bytes) const;
  /// The cost of a compilation: link_latency + compile.
  SimulatedTime compile() const;
  /// The time of a step's messages between replicas, which do not overlap with computation.
  double exchange_seconds(const runtime::ReplicaWork& work) const;

 private:
  /// The time of a step's multiplications and additions, on one device.
  double flops_seconds(const Launch& launch) const;
  /// The time of a launch on the device.
  SimulatedTime work_time(const Launch& launch) const;

  Profile profile_;
};

}  // namespace cornu::inline v0::backends::sim
