#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/ir/dtype.h"

namespace cornu::inline v0::runtime {

/// What a process is about to run together with others, and for how many steps.
struct SharedRun {
  std::string_view program;       // the program's name, for errors
  std::uint64_t fingerprint = 0;  // follows from all that must be the same everywhere
  std::int64_t num_steps = 0;
  bool stop = false;  // whether somebody wants no more steps
};

/// What collectives have cost a process.
struct ProcessCounts {
  std::int64_t calls = 0;
  double sent_bytes = 0;
  double seconds = 0;         // the time that collectives took, with waiting for others
  double waited_seconds = 0;  // the part of it in which this process did nothing else

  ProcessCounts since(const ProcessCounts& before) const;
  void add(const ProcessCounts& more);
  /// "2 collectives a step, 0.42 MB sent, 310.2 us, of which 41.0 % beside other work"; empty without any.
  std::string str(std::int64_t num_steps) const;
};

/// Processes that run the same programs at the same time, each with a part of the rows. They are numbered by
/// rank. To a program each process is a replica, and its collectives go through here (docs/adr/0072).
///
/// Every process calls the same functions in the same order; a call returns when all have made it.
/// Threads: one call at a time.
/// Errors: kUnavailable, naming the rank, when another process is gone, or has not come within
///         timeout_seconds(); every later call throws it again.
class Processes {
 public:
  virtual ~Processes() = default;
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  int rank() const { return rank_; }
  int count() const { return count_; }
  /// Whether this is the process that prints and saves.
  bool is_chief() const { return rank_ == 0; }

  /// Puts the bytes of all processes into `all`, in the order of their ranks. `all` has count() times the
  /// bytes of `own`.
  virtual void all_gather(std::span<const std::byte> own, std::span<std::byte> all) = 0;
  /// Replaces values by their sums over all processes: neighbours are added, then neighbouring sums, and so
  /// on, so that every process holds the same bits. `dtype`: f32, f64, bf16, i32 or i64.
  virtual void all_reduce_sum(ir::DType dtype, std::span<std::byte> values) = 0;
  /// Begins an all_reduce_sum that goes on while this process computes: `values` are not the caller's until
  /// finish_sum() has returned. What is called in between comes behind it.
  /// Returns what finish_sum() asks for.
  virtual std::int64_t start_sum(ir::DType dtype, std::span<std::byte> values);
  /// Waits for such a sum. Errors: those of all_reduce_sum.
  virtual void finish_sum(std::int64_t started);
  /// What collectives have cost since the beginning.
  virtual ProcessCounts counts() const { return {}; }

  /// What errors call the processes: "MultiWorkerMirroredStrategy".
  const std::string& name() const { return name_; }

  /// How long this process waits for one that neither comes nor ends; 0: for ever.
  double timeout_seconds() const { return timeout_seconds_.load(std::memory_order_relaxed); }
  void set_timeout_seconds(double seconds) { timeout_seconds_.store(seconds, std::memory_order_relaxed); }
  static constexpr double kDefaultTimeoutSeconds = 600;

  /// The value that the first process gave.
  std::int64_t of_chief(std::int64_t value);
  /// Replaces `bytes` by the first process's.
  void broadcast(std::vector<std::byte>& bytes);
  /// The values of all processes, in the order of their ranks.
  std::vector<std::uint64_t> gather(std::uint64_t value);
  /// Checks, before something is run together, that all are about to run the same. Returns whether one of
  /// them wants to stop. Errors: FailedPrecondition on all ranks, which names two of them and what they run.
  bool agree(const SharedRun& run);
  /// Errors: FailedPrecondition on all ranks, "rank 1 and rank 0 differ in X", unless the number is
  ///         the same on all.
  void require_same(std::string_view what, std::uint64_t value);

 protected:
  Processes(int rank, int count, std::string name = "MultiWorkerMirroredStrategy")
      : rank_(rank), count_(count), name_(std::move(name)) {}

 private:
  int rank_;
  int count_;
  std::string name_;
  std::atomic<double> timeout_seconds_{kDefaultTimeoutSeconds};
};

/// The processes that this one works with; null where there are none. There is one world to a process, as
/// with MPI: it is joined once and holds until the end. In a ProcessesScope it is that scope's.
const std::shared_ptr<Processes>& joined_processes();
void join_processes(std::shared_ptr<Processes> processes);

/// While it lives, programs that this thread compiles work with these processes instead: each session of a
/// worker has its own (docs/adr/0090). Programs keep the processes that they were compiled with.
class ProcessesScope {
 public:
  explicit ProcessesScope(std::shared_ptr<Processes> processes);
  ~ProcessesScope();
  ProcessesScope(const ProcessesScope&) = delete;
  ProcessesScope& operator=(const ProcessesScope&) = delete;

 private:
  std::shared_ptr<Processes> processes_;
  const std::shared_ptr<Processes>* outer_;
};

/// Whether this process prints and saves, since it is alone or the first of several. No ProcessesScope
/// changes that.
bool is_chief();

}  // namespace cornu::inline v0::runtime
