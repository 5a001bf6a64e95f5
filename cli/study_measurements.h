#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/study_peers.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::cli {

/// The numbers of threads to measure: `named`, or 1, 2, 4, ... and all that there are.
std::vector<int> threads_to_measure(const std::vector<int>& named);
/// The instruction set levels to measure: `named`, or sse2 and the best of this CPU.
std::vector<std::string> isas_to_measure(const std::vector<std::string>& named);
/// Errors: InvalidArgument for more threads than processors: such times do not describe more processors.
void require_processors(const std::vector<int>& threads);

/// Steps of the whole training as in Keras's example; of other workloads 10,000.
double steps_of_training(const std::string& workload);

/// Milliseconds of a step, `repeats` times.
std::vector<double> measure_steps(const std::string& workload, const std::shared_ptr<runtime::Client>& client,
                                  double seconds, std::int64_t repeats);
/// Milliseconds of a run of a command on a number of processors, `repeats` times. Errors: as time_command.
std::vector<double> measure_command(const std::vector<std::string>& command, int threads,
                                    std::int64_t repeats, double limit_seconds);
/// Milliseconds of a step of a workload by another library, `repeats` times. Errors: as run_peer.
std::vector<double> measure_peer(const PeerRequest& peer, const std::string& workload,
                                 const PeerMeasurement& measurement, std::int64_t repeats);

}  // namespace cornu::inline v0::cli
