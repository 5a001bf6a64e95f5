#include "cli/bench_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/bench_checkpoint.h"
#include "cli/bench_data.h"
#include "cli/bench_fit.h"
#include "cli/text/suggestion.h"
#include "cli/workloads.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::cli {
namespace {

std::vector<ListEntry> entries_of(std::span<const Workload> workloads) {
  std::vector<ListEntry> entries;
  entries.reserve(workloads.size());
  for (const Workload& workload : workloads) entries.push_back({workload.name, workload.summary});
  return entries;
}

}  // namespace

std::vector<BenchGroup> bench_groups() {
  const std::span<const Workload> all = workloads();
  const std::size_t num_family = family_workloads().size();  // the last ones
  BenchGroup examples{"Training steps of Keras's examples and of the CIFAR-10 study",
                      entries_of(all.first(all.size() - num_family))};
  BenchGroup family{"Training steps of other networks", entries_of(all.last(num_family))};
  BenchGroup large{"Training steps of large networks", entries_of(large_workloads())};
  BenchGroup runs{"Whole runs of fit and predict", {}};
  for (const WholeRun& run : whole_runs()) runs.workloads.push_back({run.name, run.summary});
  runs.workloads.push_back({kCheckpointBench, kCheckpointBenchSummary});
  BenchGroup pipelines{"Input pipelines", {}};
  for (const auto& [name, summary] : data_pipelines()) pipelines.workloads.push_back({name, summary});
  BenchGroup machine{"This machine", {{"limit", "arithmetic and memory rates, which no step can exceed"}}};
  return {std::move(examples), std::move(family),    std::move(large),
          std::move(runs),     std::move(pipelines), std::move(machine)};
}

std::string bench_list(std::optional<std::size_t> width) {
  std::string text;
  for (const auto& [title, workloads] : bench_groups())
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", paragraph(title + ":", width),
                        list_text(workloads, width, 2));
  return text + "\n" + paragraph("Measure one with `cornu bench NAME`.", width) + "\n";
}

bool is_bench_workload(const std::string& name) {
  const std::vector<BenchGroup> groups = bench_groups();
  return std::any_of(groups.begin(), groups.end(), [&](const BenchGroup& group) {
    return std::any_of(group.workloads.begin(), group.workloads.end(),
                       [&](const ListEntry& entry) { return entry.name == name; });
  });
}

void unknown_workload(const std::string& name) {
  std::vector<std::string> names;
  for (const BenchGroup& group : bench_groups())
    for (const ListEntry& entry : group.workloads) names.push_back(entry.name);
  invalid_argument("unknown workload \"{}\"; {}", name,
                   suggestion(name, names, "\"cornu bench list\" shows the workloads"));
}

}  // namespace cornu::inline v0::cli
