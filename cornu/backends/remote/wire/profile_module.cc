#include "cornu/backends/remote/wire/profile.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

constexpr double kNanosecond = 1e-9;
constexpr std::uint64_t kMostNanoseconds = 1'000'000'000'000'000'000;  // 30 years

std::uint64_t nanoseconds(double seconds) {
  return static_cast<std::uint64_t>(std::llround(std::max(seconds, 0.0) / kNanosecond));
}

void write_facts(const runtime::ProgramFacts& facts, proto::Profile::Facts& told) {
  told.set_name(facts.name);
  told.set_num_threads(facts.num_threads);
  told.set_isa(std::string(isa_level_name(facts.isa)));
  const runtime::ProfileLimits limits = facts.limits.value_or(runtime::ProfileLimits());
  told.set_limit_gflops(limits.gflops);
  told.set_limit_gb_s(limits.gb_s);
  for (const runtime::GroupFacts& group : facts.groups) {
    proto::Profile::Group& to = *told.add_groups();
    to.set_kind(group.kind);
    to.set_ops(group.ops);
    to.set_layers(group.layers);
    to.set_flops(group.flops);
    to.set_bytes(group.bytes);
    to.set_depth(group.depth);
    to.set_is_control(group.is_control);
  }
}

void write_program(const runtime::ProgramProfile& profile, proto::Profile::Program& told) {
  for (const runtime::GroupProfile& group : profile.groups) {
    told.add_calls(group.calls);
    told.add_seconds(group.seconds);
  }
  told.set_executions(profile.executions);
  told.set_steps(profile.steps);
  told.set_total_seconds(profile.seconds);
  told.set_collective_calls(profile.collectives.calls);
  told.set_collective_sent_bytes(profile.collectives.sent_bytes);
  told.set_collective_seconds(profile.collectives.seconds);
  told.set_collective_waited_seconds(profile.collectives.waited_seconds);
}

/// Errors: Internal unless `holds`.
void expect_profile(bool holds) {
  if (!holds)
    fail(ErrorCode::kInternal, "[grpc] the worker answered an execution with a profile that cannot be");
}

/// True for valid amounts and times, which excludes times that would move a clock by years.
bool is_amount(double value) { return std::isfinite(value) && value >= 0 && value < 1e30; }
bool is_time(double seconds) { return is_amount(seconds) && seconds < 1e9; }

std::shared_ptr<const runtime::ProgramFacts> to_facts(const proto::Profile::Facts& told) {
  auto facts = std::make_shared<runtime::ProgramFacts>();
  facts->name = told.name();
  facts->num_threads = std::clamp(told.num_threads(), 1, 1024);
  facts->isa = isa_level_from_name(told.isa()).value_or(IsaLevel::kSse2);
  expect_profile(is_amount(told.limit_gflops()) && is_amount(told.limit_gb_s()));
  facts->limits = {.gflops = told.limit_gflops(), .gb_s = told.limit_gb_s()};
  for (const proto::Profile::Group& group : told.groups()) {
    expect_profile(is_amount(group.flops()) && is_amount(group.bytes()));
    facts->groups.push_back({.kind = group.kind(),
                             .ops = group.ops(),
                             .layers = group.layers(),
                             .flops = group.flops(),
                             .bytes = group.bytes(),
                             .depth = group.depth(),
                             .is_control = group.is_control()});
  }
  return facts;
}

runtime::ProgramProfile to_program(const proto::Profile::Program& told, KnownFacts& known) {
  expect_profile(told.number() < known.size() || (told.number() == known.size() && told.has_facts()));
  if (told.number() == known.size()) known.push_back(to_facts(told.facts()));
  runtime::ProgramProfile profile{.facts = known[told.number()],
                                  .groups = {},
                                  .executions = told.executions(),
                                  .steps = told.steps(),
                                  .seconds = told.total_seconds(),
                                  .collectives = {.calls = told.collective_calls(),
                                                  .sent_bytes = told.collective_sent_bytes(),
                                                  .seconds = told.collective_seconds(),
                                                  .waited_seconds = told.collective_waited_seconds()}};
  const std::size_t num_groups = profile.facts->groups.size();
  expect_profile(static_cast<std::size_t>(told.calls().size()) == num_groups &&
                 static_cast<std::size_t>(told.seconds().size()) == num_groups && is_time(profile.seconds));
  for (int g = 0; g < told.calls().size(); ++g) {
    expect_profile(told.calls(g) >= 0 && is_time(told.seconds(g)));
    profile.groups.push_back({told.calls(g), told.seconds(g)});
  }
  return profile;
}

}  // namespace

proto::Profile to_proto(const runtime::ProfileRecord& record, const std::vector<std::size_t>& numbers,
                        std::size_t num_known) {
  proto::Profile told;
  for (std::size_t i = 0; i < record.programs.size(); ++i) {
    proto::Profile::Program& program = *told.add_programs();
    program.set_number(static_cast<std::uint32_t>(numbers[i]));
    if (numbers[i] >= num_known) write_facts(*record.programs[i].facts, *program.mutable_facts());
    write_program(record.programs[i], program);
  }
  told.set_left_out_seconds(record.left_out_seconds);
  if (told.ByteSizeLong() > kMaxProfileBytes) return {};
  for (const runtime::ProfileSlice& slice : record.slices) {
    told.add_slice_programs(static_cast<std::uint32_t>(slice.program));
    told.add_slice_groups(slice.group);
    told.add_slice_tracks(static_cast<std::uint32_t>(slice.track));
    told.add_slice_begins_ns(nanoseconds(slice.begin));
    told.add_slice_lengths_ns(nanoseconds(slice.end) - nanoseconds(slice.begin));
  }
  told.set_slices_are_cut(record.slices_are_cut);
  if (told.ByteSizeLong() <= kMaxProfileBytes) return told;
  told.clear_slice_programs();
  told.clear_slice_groups();
  told.clear_slice_tracks();
  told.clear_slice_begins_ns();
  told.clear_slice_lengths_ns();
  told.set_slices_are_cut(true);
  return told;
}

runtime::ProfileRecord to_record(const proto::Profile& profile, KnownFacts& known) {
  runtime::ProfileRecord record{.slices_are_cut = profile.slices_are_cut(),
                                .left_out_seconds = profile.left_out_seconds()};
  expect_profile(is_time(record.left_out_seconds));
  for (const proto::Profile::Program& program : profile.programs())
    record.programs.push_back(to_program(program, known));
  const int num_slices = profile.slice_groups().size();
  expect_profile(
      profile.slice_programs().size() == num_slices && profile.slice_tracks().size() == num_slices &&
      profile.slice_begins_ns().size() == num_slices && profile.slice_lengths_ns().size() == num_slices);
  for (int i = 0; i < num_slices; ++i) {
    const std::uint64_t begin = profile.slice_begins_ns(i), length = profile.slice_lengths_ns(i);
    expect_profile(begin <= kMostNanoseconds && length <= kMostNanoseconds);
    const runtime::ProfileSlice slice{.program = profile.slice_programs(i),
                                      .group = profile.slice_groups(i),
                                      .track = static_cast<int>(profile.slice_tracks(i)),
                                      .begin = static_cast<double>(begin) * kNanosecond,
                                      .end = static_cast<double>(begin + length) * kNanosecond};
    expect_profile(slice.program < record.programs.size() && slice.track >= 0 &&
                   slice.group >= runtime::kLoopEvent &&
                   slice.group < std::ssize(record.programs[slice.program].facts->groups));
    record.slices.push_back(slice);
  }
  return record;
}

}  // namespace cornu::inline v0::backends::remote
