#include <fmt/format.h>

#include <algorithm>

#include "cornu/base/machine_limits.h"
#include "cornu/runtime/profiler_state.h"

namespace cornu::inline v0::runtime {
namespace {

constexpr double kLimitSeconds = 0.05;  // for each of the two limits
constexpr const char* kProfileRow = "{:>10}  {:>7} {:>9} {:>15} {:>9}  {}\n";

/// Sums over calls of one group or of several.
struct ProfileRow {
  double seconds = 0;
  double limit_seconds = 0;                        // time at the machine's limits
  double operation_seconds = 0, byte_seconds = 0;  // the limit's two parts, each summed
  double flops = 0, bytes = 0;
  std::int64_t calls = 0;

  void add(const ProfileRow& other) {
    seconds += other.seconds;
    limit_seconds += other.limit_seconds;
    operation_seconds += other.operation_seconds;
    byte_seconds += other.byte_seconds;
    flops += other.flops;
    bytes += other.bytes;
    calls += other.calls;
  }
};

ProfileRow row_of(const GroupFacts& facts, const GroupProfile& group, const ProfileLimits& limits) {
  const auto calls = static_cast<double>(group.calls);
  ProfileRow row{.seconds = group.seconds,
                 .flops = facts.flops * calls,
                 .bytes = facts.bytes * calls,
                 .calls = group.calls};
  row.operation_seconds = limits.gflops > 0 ? row.flops / limits.gflops / 1e9 : 0;
  row.byte_seconds = limits.gb_s > 0 ? row.bytes / limits.gb_s / 1e9 : 0;
  row.limit_seconds = std::max(row.operation_seconds, row.byte_seconds);
  return row;
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "";
}

/// "171.2 GFLOP/s" or "38.0 GB/s", by the limit that bounds it.
std::string achieved_rate(const ProfileRow& row) {
  if (row.seconds <= 0 || row.limit_seconds <= 0) return "";
  return row.operation_seconds >= row.byte_seconds
             ? fmt::format("{:.1f} GFLOP/s", row.flops / row.seconds / 1e9)
             : fmt::format("{:.1f} GB/s", row.bytes / row.seconds / 1e9);
}

std::string microseconds_a_step(double seconds, std::int64_t steps) {
  const double us = seconds * 1e6 / static_cast<double>(std::max<std::int64_t>(1, steps));
  return fmt::format("{:.{}f}", us, us < 100 ? 3 : 1);
}

}  // namespace

std::string report_of(const ProgramProfile& program, std::size_t num_groups,
                      const ProfileLimits& limits_here) {
  const ProgramFacts& facts = *program.facts;
  const ProfileLimits limits = facts.limits.value_or(limits_here);
  std::string out = fmt::format(
      "{}{}: {} us a step, {} steps in {} executions, {} threads, {}; limits {:.1f} GFLOP/s, {:.1f} GB/s\n",
      facts.name, program.member.has_value() ? ", " + program.member->str() : "",
      microseconds_a_step(program.seconds, program.steps), program.steps, program.executions,
      facts.num_threads, isa_level_name(facts.isa), limits.gflops, limits.gb_s);
  std::vector<std::size_t> order;
  for (std::size_t g = 0; g < facts.groups.size(); ++g)
    if (!facts.groups[g].is_control && program.groups[g].calls > 0) order.push_back(g);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return program.groups[a].seconds > program.groups[b].seconds;
  });
  const auto print = [&](const ProfileRow& row, const std::string& rate, const std::string& what) {
    out += fmt::format(fmt::runtime(kProfileRow), microseconds_a_step(row.seconds, program.steps),
                       percent(row.seconds, program.seconds), row.calls, rate,
                       percent(row.limit_seconds, row.seconds), what);
  };
  out += fmt::format(fmt::runtime(kProfileRow), "us a step", "of step", "calls", "achieved", "of limit",
                     "group");
  ProfileRow others, total;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ProfileRow row = row_of(facts.groups[order[i]], program.groups[order[i]], limits);
    total.add(row);
    if (i < num_groups)
      print(row, achieved_rate(row), group_label(facts.groups[order[i]]));
    else
      others.add(row);
  }
  if (order.size() > num_groups) print(others, "", fmt::format("{} others", order.size() - num_groups));
  print(total, "", fmt::format("all {} groups", order.size()));
  if (const std::string collectives = program.collectives.str(program.steps); !collectives.empty())
    out += "with other processes: " + collectives + "\n";
  return out;
}

std::string group_label(const GroupFacts& group) {
  const bool named = group.kind == "oneDNN" || group.kind == "winograd";
  const std::string ops = named ? group.kind + " " + group.ops : group.ops;
  return group.layers.empty() ? ops : group.layers + ": " + ops;
}

std::string Profiler::report(std::size_t num_groups) const {
  int num_threads = 1;
  IsaLevel isa = IsaLevel::kSse2;
  bool is_measured_here = false;
  for (const ProgramProfile& program : programs()) {
    is_measured_here = is_measured_here || !program.facts->limits.has_value();
    num_threads = std::max(num_threads, program.facts->num_threads);
    isa = std::max(isa, program.facts->isa);
  }
  if (!is_measured_here) return report(num_groups, {});
  ThreadPool pool(num_threads);
  return report(num_groups,
                {measure_fma_gflops(pool, isa, kLimitSeconds), measure_triad_gb_s(pool, kLimitSeconds)});
}

std::string Profiler::report(std::size_t num_groups, const ProfileLimits& limits) const {
  const double wall = wall_seconds();
  const std::vector<ProgramProfile> all = programs();
  if (all.empty())
    return is_without_profile() ? "profile: this device gives no profile\n" : "profile: no program ran\n";
  std::string out;
  double in_groups = 0, in_executions = 0;
  for (const ProgramProfile& program : all) {
    out += report_of(program, num_groups, limits);
    const double share =
        program.member.has_value() ? 1 / static_cast<double>(program.member->num_replicas) : 1;
    in_executions += program.seconds * share;
    for (std::size_t g = 0; g < program.groups.size(); ++g)
      if (!program.facts->groups[g].is_control) in_groups += program.groups[g].seconds * share;
  }
  out += fmt::format(
      "{:.3f} ms of wall time: {} in groups, {} in programs between them, {} outside programs\n", wall * 1e3,
      percent(in_groups, wall), percent(std::max(0.0, in_executions - in_groups), wall),
      percent(std::max(0.0, wall - in_executions), wall));
  if (const std::int64_t unmeasured = num_unmeasured(); unmeasured > 0)
    out += fmt::format("besides: {} executions on devices that give no profile\n", unmeasured);
  return out;
}

}  // namespace cornu::inline v0::runtime
