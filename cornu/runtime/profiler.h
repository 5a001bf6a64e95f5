#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/cpu_info.h"
#include "cornu/base/thread_pool.h"
#include "cornu/runtime/processes.h"

namespace cornu::inline v0::runtime {

/// What a group of a compiled program is: ops that were fused into one loop, or one call of a kernel or a
/// library.
struct GroupFacts {
  std::string kind;    // "loop", "reduce", "oneDNN", "winograd"
  std::string ops;     // "multiply add*2 maximum", shortened
  std::string layers;  // the layers that they come from, "conv2d_1, dropout"; empty: the graph knows none
  double flops = 0;    // what one call computes
  double bytes = 0;    // what one call reads and writes, each tensor counted once
  int depth = 0;       // the number of loops and branches around it
  /// Whether it is a loop or a branch, whose time is that of the groups inside.
  bool is_control = false;
};

/// What a machine can do at best, which says how near a group comes to it: the time that its operations would
/// take at the measured rate of multiply-adds and its bytes at the measured bandwidth, whichever is longer.
struct ProfileLimits {
  double gflops = 0;
  double gb_s = 0;
};

/// What a compiled program is. Executions of one executable share one.
struct ProgramFacts {
  std::string name;
  int num_threads = 1;
  IsaLevel isa = IsaLevel::kSse2;
  std::vector<GroupFacts> groups;  // in order of execution
  /// The limits of the machine that it runs on, where that is another one.
  std::optional<ProfileLimits> limits = {};
};

/// One of several replicas that run a program at the same time, each measured where it is.
struct ProfileMember {
  std::int64_t replica = 0;
  std::int64_t num_replicas = 1;
  std::string place;  // "grpc://10.0.0.2:8470"
  bool operator==(const ProfileMember&) const = default;
  /// "replica 1 of 2 on grpc://10.0.0.2:8470"
  std::string str() const;
};

/// Groups' times while programs ran.
struct GroupProfile {
  std::int64_t calls = 0;
  double seconds = 0;
};

struct ProgramProfile {
  std::shared_ptr<const ProgramFacts> facts;
  std::vector<GroupProfile> groups;  // as in facts
  std::int64_t executions = 0;
  std::int64_t steps = 0;
  double seconds = 0;         // the time in executions
  ProcessCounts collectives;  // exchanges with other processes
  /// Which replica of a group ran it; nothing where there is no group.
  std::optional<ProfileMember> member = {};
};

/// Something that ran from one reading of read_ticks() to another. Compiled code writes these, so the layout
/// is fixed. Nothing is initialized: memory for 200,000 of them is not written before they happen.
struct ProfileEvent {
  std::int64_t group;  // the number of a group, or kStepEvent for a whole step
  std::int64_t begin;
  std::int64_t end;
};
inline constexpr std::int64_t kStepEvent = -1;

/// What one execution of a program measured.
struct ExecutionProfile {
  std::span<const std::int64_t> ticks;   // how long each group ran
  std::span<const std::int64_t> calls;   // how often each group ran
  std::span<const ProfileEvent> events;  // in the order of their ends; the first ones if there were too many
  bool events_are_cut = false;
  std::int64_t steps = 0;
  std::int64_t begin = 0;  // by read_ticks()
  std::int64_t end = 0;
  ProcessCounts collectives = {};
};

/// A bar of a trace.
struct ProfileSlice {
  std::size_t program = 0;  // the number of its program
  std::int64_t group = 0;   // as in ProfileEvent, or one of the two constants below
  int track = 0;            // calling threads from 0; threads of pools from kFirstPoolTrack
  double begin = 0;         // seconds since the first slice begins
  double end = 0;           // by the same clock, so that slices inside others still are when both are rounded
};
inline constexpr std::int64_t kExecutionEvent = -2;
inline constexpr std::int64_t kLoopEvent = -3;  // a thread's part of a parallel loop
inline constexpr int kFirstPoolTrack = 1000;

/// All that a profiler has measured, without times of its machine's clock, so that a profiler in another
/// process can take it.
struct ProfileRecord {
  std::vector<ProgramProfile> programs;
  std::vector<ProfileSlice> slices;
  bool slices_are_cut = false;
  double left_out_seconds = 0;
};

struct ProfilerOptions {
  /// How many events are kept for the trace: one for each group in a step, and one for each thread in a
  /// parallel loop. The report counts all.
  std::size_t max_events = 200'000;
};

/// Measures each group of the programs that run on a thread between start() and stop(), through whatever
/// interface they were called: fit, evaluate, predict, `function`.
///
///     runtime::Profiler profiler;
///     profiler.start();
///     train_step(images, labels);
///     profiler.stop();
///     std::fputs(profiler.report().c_str(), stdout);
///     profiler.write_trace("step.json");
///
/// A program that is measured for the first time is compiled a second time, with the measuring code; programs
/// that are not being measured have none. wall_seconds() leaves that out, as it does what the profiler does
/// before and after an execution. Measuring takes some ten nanoseconds a group. Operations that run one by
/// one, outside programs, are not seen.
/// Threads: one thread, which is measured; another may stop and destroy it while that one runs no program.
///          Others may measure with profilers of their own at the same time. Several of a thread nest, and
///          may be stopped in any order.
class Profiler {
 public:
  explicit Profiler(const ProfilerOptions& options = {});
  /// Stops.
  ~Profiler();
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  /// Programs that this thread runs are measured from now on, until stop(). Does nothing when it measures
  /// already.
  void start();
  void stop() noexcept;

  /// The time between start and stop, added up where there were several, without the profiler's own.
  double wall_seconds() const;
  /// What was measured of each program; the one that took longest comes first.
  std::vector<ProgramProfile> programs() const;

  /// A table for each program, and for each replica of a group of devices. It has the largest groups of
  /// operations with their times, calls, achieved rates and shares of the limit, the others in one line, the
  /// total, and its share of the wall time. Where replicas run at the same time, that share is their mean.
  std::string report(std::size_t num_groups = 10) const;
  std::string report(std::size_t num_groups, const ProfileLimits& limits) const;
  /// Whether programs ran but their devices measured nothing of them, so that there is nothing to trace.
  bool is_without_profile() const;

  /// Writes a trace in the JSON format that Perfetto (ui.perfetto.dev) and chrome://tracing open: a track for
  /// the calling thread with executions, steps and groups, and one for each thread of the pool;
  /// each replica of a group is a process of its own there.
  /// Errors: NotFound, FailedPrecondition or ResourceExhausted with the path and what the system says.
  void write_trace(const std::string& path) const;
  std::string trace() const;

  // What backends call.

  /// The profiler that measures this thread's programs; null: none.
  static Profiler* current() noexcept;
  std::size_t max_events() const { return options_.max_events; }
  /// Adds an execution of the calling thread.
  void record(const std::shared_ptr<const ProgramFacts>& facts, const ExecutionProfile& execution);
  /// Measures a pool's threads while it lives. Only one profiler watches a pool at a time: a second one
  /// learns nothing of the threads.
  class PoolWatch;
  /// Says how many steps an execution has where what runs it takes it for one.
  class LoopScope;
  /// Leaves time between start and stop out of wall_seconds(), since it is not the program's.
  void leave_out(std::int64_t ticks);
  /// Adds an execution of the calling thread of which the device measured nothing.
  void record_unmeasured();
  /// How many executions were recorded, measured or not.
  std::int64_t num_executions() const;
  /// How many of them their devices did not measure.
  std::int64_t num_unmeasured() const;
  ProfileRecord taken() const;
  /// Adds what another process measured while the calling thread waited for it from `begin` to `end`, by
  /// read_ticks(). Its slices go into the middle of that time, as if both ways took as long.
  /// `member`: which of several replicas it was, where records of the others are added too.
  void add(const ProfileRecord& record, std::int64_t begin, std::int64_t end,
           const std::optional<ProfileMember>& member = std::nullopt);
  /// What was measured of the program that `facts` describes; null where it was not measured.
  std::shared_ptr<const ProgramProfile> program(const ProgramFacts* facts) const;

 private:
  struct State;
  ProfilerOptions options_;
  std::unique_ptr<State> state_;
};

/// While it lives, threads of the pool tell the profiler what they do; see Profiler::PoolWatch.
class Profiler::PoolWatch {
 public:
  PoolWatch(Profiler& profiler, ThreadPool& pool);
  ~PoolWatch();
  PoolWatch(const PoolWatch&) = delete;
  PoolWatch& operator=(const PoolWatch&) = delete;

 private:
  ThreadPool& pool_;
  LoopObserver* observer_;  // null: somebody else watches
};

/// While it lives, each step of what the calling thread's profiler records counts as `num_steps`: a device
/// whose steps are a loop inside a program of one step says so.
class Profiler::LoopScope {
 public:
  explicit LoopScope(std::int64_t num_steps);
  ~LoopScope();
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;

 private:
  Profiler* const profiler_;  // null: nothing is measured
  std::int64_t before_ = 1;
};

/// A program's table, as Profiler::report() has it. `limits_here` are those of this machine, for programs
/// that ran on it.
std::string report_of(const ProgramProfile& program, std::size_t num_groups,
                      const ProfileLimits& limits_here);

/// Whether a file can be written at `path`, before the work that it is for. Leaves no file where there was
/// none.
/// Errors: as Profiler::write_trace.
void check_can_write(const std::string& path);

}  // namespace cornu::inline v0::runtime
