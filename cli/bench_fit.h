#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cornu/runtime/transfer_statistics.h"

namespace cornu::inline v0::cli {

struct WholeRun {
  std::string name;
  std::string summary;
  /// True if the number of steps per execution changes the run.
  bool takes_steps_per_execution = true;
  /// The value of "spe" in the figures of a run that takes no number of steps per execution.
  nlohmann::ordered_json own_spe = nullptr;
};

/// Benchmarks of a whole call of fit or predict, callbacks, shuffling and validation included.
const std::vector<WholeRun>& whole_runs();
bool is_whole_run(const std::string& name);
/// Errors: our own bug for a name that none has.
const WholeRun& find_whole_run(const std::string& name);
/// One of them, ready to be called any number of times.
std::function<void()> make_whole_run(const std::string& name, std::int64_t steps_per_execution);

/// Runs it for about `seconds`, on the default client and by its clock; the first call, which compiles, is
/// counted apart. `calls_of_one`: the client's calls in the last run.
nlohmann::ordered_json bench_whole_run(const std::string& name, std::int64_t steps_per_execution,
                                       double seconds, runtime::TransferStatistics* calls_of_one);
void print_whole_run(const nlohmann::ordered_json& row);

}  // namespace cornu::inline v0::cli
