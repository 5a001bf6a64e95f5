#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cornu/base/tick_clock.h"
#include "cornu/runtime/profiler_state.h"

namespace cornu::inline v0::runtime {
namespace {

ProgramProfile profile_of(const ProgramTicks& program, double seconds_per_tick) {
  ProgramProfile profile{.facts = program.facts,
                         .groups = {},
                         .executions = program.executions,
                         .steps = program.steps,
                         .seconds = static_cast<double>(program.total) * seconds_per_tick,
                         .collectives = program.collectives,
                         .member = program.member};
  for (std::size_t g = 0; g < program.ticks.size(); ++g)
    profile.groups.push_back({program.calls[g], static_cast<double>(program.ticks[g]) * seconds_per_tick});
  return profile;
}

/// The end of the last slice, in seconds.
double length_of(const ProfileRecord& record) {
  double length = 0;
  for (const ProfileSlice& slice : record.slices) length = std::max(length, slice.end);
  return length;
}

}  // namespace

void Profiler::record_unmeasured() {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  ++state_->num_unmeasured;
}

std::int64_t Profiler::num_executions() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  std::int64_t count = state_->num_unmeasured;
  for (const ProgramTicks& program : state_->programs) count += program.executions;
  return count;
}

std::int64_t Profiler::num_unmeasured() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->num_unmeasured;
}

bool Profiler::is_without_profile() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->programs.empty() && state_->num_unmeasured > 0;
}

std::vector<ProgramProfile> Profiler::programs() const {
  std::vector<ProgramProfile> all = taken().programs;
  std::stable_sort(all.begin(), all.end(),
                   [](const ProgramProfile& a, const ProgramProfile& b) { return a.seconds > b.seconds; });
  return all;
}

ProfileRecord Profiler::taken() const {
  const double seconds = seconds_per_tick();
  const std::lock_guard<std::mutex> lock(state_->mutex);
  ProfileRecord record{.slices_are_cut = state_->slices_are_cut,
                       .left_out_seconds = static_cast<double>(state_->left_out) * seconds};
  for (const ProgramTicks& program : state_->programs)
    record.programs.push_back(profile_of(program, seconds));
  std::int64_t origin = std::numeric_limits<std::int64_t>::max();
  for (const TraceSlice& slice : state_->slices) origin = std::min(origin, slice.event.begin);
  for (const TraceSlice& slice : state_->slices)
    record.slices.push_back({.program = slice.program,
                             .group = slice.event.group,
                             .track = slice.track,
                             .begin = static_cast<double>(slice.event.begin - origin) * seconds,
                             .end = static_cast<double>(slice.event.end - origin) * seconds});
  return record;
}

std::string ProfileMember::str() const {
  return fmt::format("replica {} of {} on {}", replica, num_replicas, place);
}

void Profiler::add(const ProfileRecord& record, std::int64_t begin, std::int64_t end,
                   const std::optional<ProfileMember>& member) {
  const double ticks_per_second = 1 / seconds_per_tick();
  const auto ticks = [&](double seconds) {
    return static_cast<std::int64_t>(std::llround(seconds * ticks_per_second));
  };
  leave_out(ticks(record.left_out_seconds));
  State& state = *state_;
  const std::lock_guard<std::mutex> lock(state.mutex);
  std::vector<std::size_t> numbers;  // numbers of the record's programs in this profiler
  for (const ProgramProfile& from : record.programs) {
    ProgramTicks& to = state.program_of(from.facts);
    numbers.push_back(static_cast<std::size_t>(&to - state.programs.data()));
    for (std::size_t g = 0; g < from.groups.size(); ++g) {
      to.ticks[g] += ticks(from.groups[g].seconds);
      to.calls[g] += from.groups[g].calls;
    }
    to.executions += from.executions;
    to.steps += from.steps;
    to.total += ticks(from.seconds);
    to.collectives.add(from.collectives);
    to.member = member;
  }
  const std::size_t process = member.has_value() ? state.process_of(*member) : 0;
  const int own_track = member.has_value() ? 0 : state.own_track();
  // The two clocks drift, and slices must not overlap the next execution's.
  const double length = length_of(record), waited = static_cast<double>(end - begin) / ticks_per_second;
  const double scale = length > waited ? waited / length : 1;
  const std::int64_t first = begin + (end - begin - ticks(length * scale)) / 2;
  for (const ProfileSlice& slice : record.slices) {
    state.add_slice({numbers[slice.program],
                     slice.track < kFirstPoolTrack ? own_track : slice.track,
                     {slice.group, first + ticks(slice.begin * scale), first + ticks(slice.end * scale)},
                     process});
  }
  state.slices_are_cut = state.slices_are_cut || record.slices_are_cut;
}

}  // namespace cornu::inline v0::runtime
