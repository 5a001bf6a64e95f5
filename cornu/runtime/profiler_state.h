#pragma once

#include <atomic>
#include <thread>

#include "cornu/runtime/profiler.h"

/// The data that a Profiler collects; only for its own sources.
namespace cornu::inline v0::runtime {

/// Sums over one program's executions, in ticks.
struct ProgramTicks {
  std::shared_ptr<const ProgramFacts> facts;
  std::vector<std::int64_t> ticks, calls;  // by group
  std::int64_t executions = 0;
  std::int64_t steps = 0;
  std::int64_t total = 0;  // ticks in executions
  ProcessCounts collectives = {};
  std::optional<ProfileMember> member = {};
};

/// A ProfileSlice in ticks of this machine's clock.
struct TraceSlice {
  std::size_t program = 0;  // the number in State::programs; 0 for loops
  int track = 0;
  ProfileEvent event;
  std::size_t process = 0;  // 0 for this process, else that of State::members[process - 1]
};

struct Profiler::State final : LoopObserver {
  mutable std::mutex mutex;
  std::size_t max_events = 0;
  std::vector<ProgramTicks> programs;
  std::vector<TraceSlice> slices;
  bool slices_are_cut = false;
  std::vector<std::thread::id> threads;  // by track
  std::vector<ProfileMember> members;    // the replicas of groups
  std::int64_t num_unmeasured = 0;       // executions
  std::int64_t steps_of_loop = 1;        // see Profiler::LoopScope; the measured thread's

  std::shared_ptr<std::atomic<bool>> active;  // from start() to stop(); shared with the measured thread
  std::int64_t since = 0;                     // time of the last start()
  std::int64_t wall = 0;                      // time between earlier starts and stops
  std::int64_t left_out = 0;                  // excluded time of all of them

  void add_slice(const TraceSlice& slice) {
    if (slices.size() < max_events)
      slices.push_back(slice);
    else
      slices_are_cut = true;
  }
  /// The caller holds the mutex; also for the next function.
  ProgramTicks& program_of(const std::shared_ptr<const ProgramFacts>& facts);
  int own_track();
  /// The replica's number for TraceSlice::process.
  std::size_t process_of(const ProfileMember& member);
  void on_loop_part(int thread, std::int64_t begin, std::int64_t end) noexcept override;
};

/// "conv2d_1: convolution".
std::string group_label(const GroupFacts& group);

}  // namespace cornu::inline v0::runtime
