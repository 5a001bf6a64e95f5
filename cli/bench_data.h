#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"

namespace cornu::inline v0::cli {

/// Name and summary of each input pipeline that `cornu bench` measures; benchmarks/peers/tfdata_peer.py has
/// the same ones.
const std::vector<std::pair<std::string, std::string>>& data_pipelines();
bool is_data_pipeline(const std::string& name);

/// For files of benchmarks. Errors: NotFound where the folder of temporary files is not there.

/// Elements (`per_s`) and GB (`gb_s`) a second over about `seconds`, and milliseconds a batch (`ms_step`,
/// in the best third of the time `ms_min`); of data_fit... what `times_arrays` the time on arrays is,
/// of data_next `times_fit`. `machine`: whose threads stages and programs work with at most (`threads`).
/// Errors: CLI::ValidationError for an instruction set level where nothing is compiled.
nlohmann::ordered_json bench_data(const std::string& name, double seconds, const MachineOptions& machine);

}  // namespace cornu::inline v0::cli
