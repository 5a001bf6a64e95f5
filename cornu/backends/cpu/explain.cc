#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cornu/backends/cpu/cpu_executable.h"
#include "cornu/backends/cpu/plan/walk.h"
#include "cornu/base/check.h"
#include "cornu/base/tick_clock.h"

/// Descriptions of a CpuExecutable's groups: its report, and a profiler's measurements.
namespace cornu::inline v0::backends::cpu {
namespace {

/// The layers of the ops, in order: "conv2d, dropout".
std::string layers_of(const Group& group, std::span<const ir::Op* const> ops) {
  constexpr std::size_t kMostLayers = 3;
  std::vector<std::string> layers;
  const auto add = [&](const ir::Op* op) {
    if (op != nullptr && !op->location().empty() &&
        std::find(layers.begin(), layers.end(), op->location()) == layers.end())
      layers.push_back(op->location());
  };
  for (const ir::Op* op : ops) add(op);
  add(group.op);
  const std::size_t more = layers.size() > kMostLayers ? layers.size() - kMostLayers : 0;
  layers.resize(layers.size() - more);
  return fmt::format("{}{}", fmt::join(layers, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

/// The ops of a group for people: each name once with the number of such ops, "add*24 shift_left*10 xor*9";
/// few enough for a line.
std::string short_ops(const Group& group, std::span<const ir::Op* const> ops) {
  constexpr std::size_t kMostOps = 6;
  std::vector<std::pair<std::string_view, int>> counts;
  for (const ir::Op* op : ops) {
    const auto known = std::find_if(counts.begin(), counts.end(),
                                    [&](const auto& count) { return count.first == op->name(); });
    if (known == counts.end())
      counts.emplace_back(op->name(), 1);
    else
      ++known->second;
  }
  if (counts.empty()) return group_ops(group, ops);
  std::string text;
  for (std::size_t i = 0; i < std::min(counts.size(), kMostOps); ++i)
    text += fmt::format("{}{}{}", i > 0 ? " " : "", counts[i].first,
                        counts[i].second > 1 ? fmt::format("*{}", counts[i].second) : "");
  return counts.size() > kMostOps ? fmt::format("{} and {} more", text, counts.size() - kMostOps) : text;
}

}  // namespace

std::string CpuExecutable::kind_of(const Group& group) const {
  if (const auto* kind = group.as<KernelGroup>()) return std::string(kind->kernel->name());
  return group.is<MatrixDotGroup>() ? "matrix" : group_kind_name(group);
}

std::int64_t CpuExecutable::num_slices_of(const Group& group) const {
  const auto id = static_cast<std::size_t>(group.id);
  if (group.is<MatrixDotGroup>()) return launches_[id].dot.num_slices;
  if (group.is<KernelGroup>()) return launches_[id].kernel->num_slices();
  return step_->num_slices()[id];
}

std::shared_ptr<const runtime::ProgramFacts> CpuExecutable::make_facts() const {
  auto facts = std::make_shared<runtime::ProgramFacts>();
  facts->name = plan_.name;
  facts->num_threads = pool_->num_threads();
  facts->isa = target_.isa;
  const std::vector<std::vector<const ir::Op*>> computed = computed_ops(plan_);
  for_each_group(plan_, [&](const Group& group, int depth) {
    const std::span<const ir::Op* const> ops = computed[static_cast<std::size_t>(group.id)];
    facts->groups.push_back({.kind = kind_of(group),
                             .ops = short_ops(group, ops),
                             .layers = layers_of(group, ops),
                             .flops = group.flops,
                             .bytes = group.bytes,
                             .depth = depth,
                             .is_control = is_control(group)});
  });
  return facts;
}

CpuExecutable::Measurement CpuExecutable::lease_measurement(std::size_t max_events) {
  Measurement measurement;
  if (!free_measurements_.empty()) {
    measurement = std::move(free_measurements_.back());
    free_measurements_.pop_back();
  }
  measurement.ticks.assign(groups_.size(), 0);
  measurement.calls.assign(groups_.size(), 0);
  const std::size_t num_places = max_events + 1;  // the last one takes the events beyond
  if (measurement.num_places < num_places) {
    measurement.events = std::make_unique_for_overwrite<runtime::ProfileEvent[]>(num_places);
    measurement.num_places = num_places;
  }
  return measurement;
}

std::int64_t CpuExecutable::run_measured(StepContext& context, runtime::Profiler& profiler) {
  const std::int64_t entered = read_ticks();
  const std::size_t max_events = profiler.max_events();
  Measurement measurement;
  {
    const std::lock_guard<std::mutex> lock(measured_mutex_);
    if (measured_step_ == nullptr) {
      facts_ = make_facts();
      measured_step_ = compile_step(plan_, target_, {.measure = true, .pool = pool_.get()});
    }
    measurement = lease_measurement(max_events);
  }
  context.ticks = measurement.ticks.data();
  context.calls = measurement.calls.data();
  context.events = reinterpret_cast<std::int64_t*>(measurement.events.get());
  context.max_events = static_cast<std::int64_t>(max_events);
  const runtime::Profiler::PoolWatch watch(profiler, *pool_);
  const runtime::ProcessCounts before =
      processes_ == nullptr ? runtime::ProcessCounts() : processes_->counts();
  const std::int64_t begin = read_ticks();
  const std::int64_t done = measured_step_->run(&context);
  const std::int64_t end = read_ticks();
  const std::size_t num_events = std::min(max_events, static_cast<std::size_t>(context.num_events));
  profiler.record(facts_, {.ticks = measurement.ticks,
                           .calls = measurement.calls,
                           .events = {measurement.events.get(), num_events},
                           .events_are_cut = static_cast<std::size_t>(context.num_events) > max_events,
                           .steps = done,
                           .begin = begin,
                           .end = end,
                           .collectives = processes_ == nullptr ? runtime::ProcessCounts()
                                                                : processes_->counts().since(before)});
  {
    const std::lock_guard<std::mutex> lock(measured_mutex_);
    free_measurements_.push_back(std::move(measurement));
  }
  // The profiler's own work is not the program's.
  profiler.leave_out((begin - entered) + (read_ticks() - end));
  return done;
}

std::string CpuExecutable::explain(const runtime::Profiler* measured) const {
  std::shared_ptr<const runtime::ProgramProfile> profile;
  if (measured != nullptr) {
    const std::lock_guard<std::mutex> lock(measured_mutex_);
    profile = measured->program(facts_.get());
  }
  const double steps =
      profile != nullptr ? static_cast<double>(std::max<std::int64_t>(1, profile->steps)) : 1;
  std::string out = fmt::format(
      "{}: {} groups, {} library calls, {} reference fallbacks, arena {:.1f} KiB, compiled in {:.1f} ms "
      "({:.1f} ms code{}) for {}, {} threads\n",
      plan_.name, stats_.num_groups, stats_.num_library_calls, stats_.num_reference_fallbacks,
      static_cast<double>(stats_.arena_bytes) / 1024, stats_.compile_seconds * 1e3, stats_.code_seconds * 1e3,
      stats_.from_cache ? " from the disk cache" : "", isa_level_name(target_.isa), pool_->num_threads());
  constexpr const char* kRow = "{:>4} {:<10} {:<14} {:>7} {:>10} {:>12} {:>10} {:>10}  {}\n";
  auto row = [&](auto&&... cells) { out += fmt::format(fmt::runtime(kRow), cells...); };
  auto microseconds = [](double us) { return fmt::format("{:.3f}", us); };
  row("#", "kind", "loops", "slices", "bytes", "flops", "pred. us", profile ? "meas. us" : "", "ops");
  double us = 0, bytes = 0, flops = 0;
  const std::vector<std::vector<const ir::Op*>> computed = computed_ops(plan_);
  for_each_group(plan_, [&](const Group& group, int depth) {
    const auto g = static_cast<std::size_t>(group.id);
    us += group.predicted_us;
    bytes += group.bytes;
    flops += group.flops;
    const std::string layers = layers_of(group, computed[g]);
    const std::string ops = group_ops(group, computed[g]);
    row(g, std::string(static_cast<std::size_t>(2 * depth), ' ') + kind_of(group),
        fmt::format("{}", fmt::join(group.extents, "x")), num_slices_of(group),
        static_cast<std::int64_t>(group.bytes), static_cast<std::int64_t>(group.flops),
        microseconds(group.predicted_us),
        profile ? microseconds(profile->groups[g].seconds * 1e6 / steps) : "",
        layers.empty() ? ops : layers + ": " + ops);
  });
  row("", "total", "", "", static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(flops),
      microseconds(us), profile ? microseconds(profile->seconds * 1e6 / steps) : "",
      fmt::format("(predicted for one thread{})",
                  profile ? fmt::format("; measured over {} steps", profile->steps) : ""));
  return out + explain_collectives(profile.get());
}

std::string CpuExecutable::explain_collectives(const runtime::ProgramProfile* measured) const {
  if (processes_ == nullptr) {
    if (replica_work_.num_replicas == 1) return "";
    return fmt::format(
        "{} replicas in this program: what they add up are additions in the groups above, and nothing is "
        "sent; on devices of their own each would send {:.3f} MB in {:.0f} messages a step\n",
        replica_work_.num_replicas, replica_work_.exchanged_bytes * 1e-6, replica_work_.num_messages);
  }
  int num_groups = 0, num_beside = 0;
  double bytes = 0;
  for (const Group* group : groups_) {
    const auto* const kind = group->as<KernelGroup>();
    if (kind == nullptr || kind->async_part == AsyncPart::kDone || !spans_processes(*group->op)) continue;
    ++num_groups;
    num_beside += kind->async_part == AsyncPart::kStart ? 1 : 0;
    bytes += sent_bytes(*group->op);
  }
  std::string out = fmt::format(
      "{} collectives with {} other process{}, of which {} go on beside the groups that follow: this one "
      "sends {:.3f} MB a step\n",
      num_groups, processes_->size() - 1, processes_->size() == 2 ? "" : "es", num_beside, bytes * 1e-6);
  if (measured != nullptr) out += "measured: " + measured->collectives.str(measured->steps) + "\n";
  return out;
}

}  // namespace cornu::inline v0::backends::cpu
