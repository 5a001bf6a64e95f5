#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/text/terminal.h"

namespace cornu::inline v0::cli {

/// Workloads of `cornu bench` of one kind, with a line of text each.
struct BenchGroup {
  std::string title;
  std::vector<ListEntry> workloads;
};

/// All that `cornu bench` can measure.
std::vector<BenchGroup> bench_groups();

/// The list of `cornu bench list`, for a terminal of `width` columns or for a file.
std::string bench_list(std::optional<std::size_t> width);

/// True if `cornu bench` can measure `name`.
bool is_bench_workload(const std::string& name);

/// Errors: InvalidArgument always: with the nearest name, or with the command that lists the names.
[[noreturn]] void unknown_workload(const std::string& name);

}  // namespace cornu::inline v0::cli
