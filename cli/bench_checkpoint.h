#pragma once

#include <nlohmann/json.hpp>

namespace cornu::inline v0::cli {

inline constexpr const char* kCheckpointBench = "checkpoint_fit";
inline constexpr const char* kCheckpointBenchSummary =
    "fit of a dense network with 100 MB of state, with a backup every 50 steps and without";

/// Milliseconds of 50 steps and the backup after them (`ms_step` the median, `ms_min`), of as many steps
/// without backups (`plain_ms_step`, `plain_ms_min`), in turn over about `seconds`, and the first as a
/// multiple of the second (`times_plain` of the medians, `times_plain_min`).
nlohmann::ordered_json bench_checkpoint_fit(double seconds);
void print_checkpoint_fit(const nlohmann::ordered_json& row);

}  // namespace cornu::inline v0::cli
