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
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::runtime {

/// Description of a group of a compiled program: ops fused into one loop, or one call of a kernel or a
/// library.
struct GroupFacts {
  std::string kind;    // "loop", "reduce", "oneDNN", "winograd"
  std::string ops;     // "multiply add*2 maximum", shortened
  std::string layers;  // the layers of the ops, "conv2d_1, dropout"; empty if the graph has none
  double flops = 0;    // what one call computes
  double bytes = 0;    // what one call reads and writes, each tensor counted once
  int depth = 0;       // the number of loops and branches around it
  /// True for a loop or a branch; its time includes the groups inside.
  bool is_control = false;
};

/// A machine's peak rates. A group's limit is the longer of two times: its operations at the measured rate of
/// multiply-adds, and its bytes at the measured bandwidth.
struct ProfileLimits {
  double gflops = 0;
  double gb_s = 0;
};

/// Description of a compiled program, shared by the executions of one executable.
struct ProgramFacts {
  std::string name;
  int num_threads = 1;
  IsaLevel isa = IsaLevel::kSse2;
  std::vector<GroupFacts> groups;  // in order of execution
  /// Limits of the machine that runs it, if that is not this one.
  std::optional<ProfileLimits> limits = {};
};

/// One of several replicas that run a program at the same time, each measured on its own machine.
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
  /// The replica of a group that ran it; empty without a group.
  std::optional<ProfileMember> member = {};
};

/// An interval between two readings of read_ticks(). Compiled code writes these, so the layout is fixed.
/// Members are not initialized: memory for 200,000 events is not touched in advance.
struct ProfileEvent {
  std::int64_t group;  // the number of a group, or kStepEvent for a whole step
  std::int64_t begin;
  std::int64_t end;
};
inline constexpr std::int64_t kStepEvent = -1;

/// Measurements of one execution of a program.
struct ExecutionProfile {
  std::span<const std::int64_t> ticks;   // time of each group
  std::span<const std::int64_t> calls;   // number of calls of each group
  std::span<const ProfileEvent> events;  // in the order of their ends; cut if there were too many
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
  double end = 0;           // by the same clock; nested slices stay nested when both ends are rounded
};
inline constexpr std::int64_t kExecutionEvent = -2;
inline constexpr std::int64_t kLoopEvent = -3;  // a thread's part of a parallel loop
inline constexpr int kFirstPoolTrack = 1000;

/// All measurements of a profiler, with times relative to the first slice instead of the machine's clock, so
/// that a profiler in another process can add them.
struct ProfileRecord {
  std::vector<ProgramProfile> programs;
  std::vector<ProfileSlice> slices;
  bool slices_are_cut = false;
  double left_out_seconds = 0;
};

struct ProfilerOptions {  // options/runtime.toml
  /// Largest number of events that are kept for the trace, one for each group in a step and one for each
  /// thread in a parallel loop; the report counts all.
  std::size_t max_events = 200'000;
};

/// Measures each group of the programs that run on a thread between start() and stop(), through any
/// interface: fit, evaluate, predict, `function`.
///
///     runtime::Profiler profiler;
///     profiler.start();
///     train_step(images, labels);
///     profiler.stop();
///     std::fputs(profiler.report().c_str(), stdout);
///     profiler.write_trace("step.json");
///
/// A program that is measured for the first time is compiled a second time, with measuring code; programs
/// that are not measured have none. wall_seconds() excludes this compilation, and the profiler's own work
/// before and after an execution. Measuring costs about ten nanoseconds a group. Eager operations are not
/// measured.
/// Threads: one thread, which is measured; another may stop and destroy the profiler while that one runs no
///          program. Other threads may measure with profilers of their own at the same time. Several
///          profilers of a thread nest, and may be stopped in any order.
class Profiler {
 public:
  explicit Profiler(const ProfilerOptions& options = {});
  /// Stops.
  ~Profiler();
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  /// Measures the programs that this thread runs from now on, until stop(). Does nothing if it is running.
  void start();
  void stop() noexcept;

  /// The time between start and stop, summed over several, without the profiler's own.
  double wall_seconds() const;
  /// The measurements of each program; the one that took longest comes first.
  std::vector<ProgramProfile> programs() const;

  /// A table for each program, and for each replica of a group of devices. It has the largest groups of
  /// operations with their times, calls, achieved rates and shares of the limit, the others in one line, the
  /// total, and its share of the wall time. Where replicas run at the same time, that share is their mean.
  std::string report(std::size_t num_groups = 10) const;
  std::string report(std::size_t num_groups, const ProfileLimits& limits) const;
  /// True if programs ran but their devices measured none of them, so that there is nothing to trace.
  bool is_without_profile() const;

  /// Writes a trace in the JSON format that Perfetto (ui.perfetto.dev) and chrome://tracing open. The calling
  /// thread has a track with executions, steps and groups; each thread of the pool has a track. Each replica
  /// of a group is shown as a process.
  /// Errors: NotFound, FailedPrecondition or ResourceExhausted with the path and the system's message.
  void write_trace(const std::string& path) const;
  std::string trace() const;

  // Interface for backends.

  /// The profiler that measures this thread's programs; null: none.
  static Profiler* current() noexcept;
  std::size_t max_events() const { return options_.max_events; }
  /// Adds an execution of the calling thread.
  void record(const std::shared_ptr<const ProgramFacts>& facts, const ExecutionProfile& execution);
  /// Measures a pool's threads while it lives. A pool has one observer at a time: a second PoolWatch records
  /// nothing.
  class PoolWatch;
  /// Sets the number of steps of an execution that its device sees as one step.
  class LoopScope;
  /// Excludes time between start and stop from wall_seconds(), since it is not the program's.
  void leave_out(std::int64_t ticks);
  /// Counts an execution of the calling thread that its device did not measure.
  void record_unmeasured();
  /// The number of recorded executions, measured or not.
  std::int64_t num_executions() const;
  /// The number of executions that their devices did not measure.
  std::int64_t num_unmeasured() const;
  ProfileRecord taken() const;
  /// Adds the measurements of another process while the calling thread waited for it from `begin` to `end`,
  /// by read_ticks(). Its slices are centred in that time, as if request and response took equally long.
  /// `member`: the replica, if records of several replicas are added.
  void add(const ProfileRecord& record, std::int64_t begin, std::int64_t end,
           const std::optional<ProfileMember>& member = std::nullopt);
  /// The measurements of the program described by `facts`; null if it was not measured.
  std::shared_ptr<const ProgramProfile> program(const ProgramFacts* facts) const;

 private:
  struct State;
  ProfilerOptions options_;
  std::unique_ptr<State> state_;
};

/// Makes the pool's threads report to the profiler while it lives; see Profiler::PoolWatch.
class Profiler::PoolWatch {
 public:
  PoolWatch(Profiler& profiler, ThreadPool& pool);
  ~PoolWatch();
  PoolWatch(const PoolWatch&) = delete;
  PoolWatch& operator=(const PoolWatch&) = delete;

 private:
  ThreadPool& pool_;
  LoopObserver* observer_;  // null: another observer is installed
};

/// Makes each recorded step of the calling thread's profiler count as `num_steps` while it lives. For devices
/// whose steps are a loop inside a program of one step.
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

/// Checks, before the work, that a file can be written at `path`. Leaves no file if there was none.
/// Errors: those of Profiler::write_trace.
void check_can_write(const std::string& path);

}  // namespace cornu::inline v0::runtime
