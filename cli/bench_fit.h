#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cornu/runtime/call_counts.h"

namespace cornu::inline v0::cli {

/// Benchmarks of a whole call of fit or predict, callbacks, shuffling and validation included: name and
/// summary.
const std::vector<std::pair<std::string, std::string>>& whole_runs();
bool is_whole_run(const std::string& name);
/// Whether a number of steps per execution changes it.
bool takes_steps_per_execution(const std::string& whole_run);
/// One of them, ready to be called any number of times.
std::function<void()> make_whole_run(const std::string& name, std::int64_t steps_per_execution);

/// Runs it for about `seconds`, on the default client and by its clock; the first call, which compiles, is
/// counted apart. `calls_of_one`: the client's calls in the last run.
nlohmann::ordered_json bench_whole_run(const std::string& name, std::int64_t steps_per_execution,
                                       double seconds, runtime::CallCounts* calls_of_one);
void print_whole_run(const nlohmann::ordered_json& row);

}  // namespace cornu::inline v0::cli
