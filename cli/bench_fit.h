#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace cornu::inline v0::cli {

/// Benchmarks of a whole call of fit or predict, callbacks, shuffling and validation included: name and summary.
const std::vector<std::pair<std::string, std::string>>& whole_runs();
bool is_whole_run(const std::string& name);

/// Runs it for about `seconds`, on the default client; the first call, which compiles, is counted apart.
nlohmann::ordered_json bench_whole_run(const std::string& name, std::int64_t steps_per_execution, double seconds);
void print_whole_run(const nlohmann::ordered_json& row);

}  // namespace cornu::inline v0::cli
