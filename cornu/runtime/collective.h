#pragma once

#include <algorithm>
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
#include "cornu/runtime/key_value_store.h"

namespace cornu::inline v0::runtime {

/// The run that a process is about to begin together with others.
struct SharedRun {
  std::string_view program;       // the program's name, for errors
  std::uint64_t fingerprint = 0;  // hash of all that must be equal on all processes
  std::int64_t num_steps = 0;
  bool stop = false;  // true if the caller requests to stop
};

/// Cost of a process's collectives.
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

/// The messages of an exchange whose bytes are computed and used piece by piece, so that none needs memory as
/// a whole.
class MessagePieces {
 public:
  virtual ~MessagePieces() = default;
  /// The length of the message to another rank, and of the one from it; 0: there is no message.
  virtual std::size_t sent_bytes(int rank) const = 0;
  virtual std::size_t received_bytes(int rank) const = 0;
  /// Writes the bytes from `offset` on of the message to `rank`.
  virtual void write(int rank, std::size_t offset, std::span<std::byte> piece) = 0;
  /// Uses the bytes from `offset` on of the message from `rank`. Calls are in the order of ranks, then
  /// offsets.
  virtual void read(int rank, std::size_t offset, std::span<const std::byte> piece) = 0;
};

/// Processes that run the same programs at the same time, each with a part of the rows. They are numbered by
/// rank. Each process is a replica of the program, and the program's collectives go through here
/// (docs/adr/0072).
///
/// Every process calls the same functions in the same order; a call returns when all processes have made it.
/// Threads: one call at a time.
/// Errors: kUnavailable, with the rank, if another process is gone or does not arrive within
///         timeout_seconds(); every later call throws it again.
class Collective {
 public:
  virtual ~Collective() = default;
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;

  int rank() const { return rank_; }
  /// The number of processes.
  int size() const { return size_; }
  /// True for the process that prints and saves.
  bool is_chief() const { return rank_ == 0; }

  /// Puts the bytes of all processes into `all`, in the order of their ranks. `all` has size() times the
  /// bytes of `own`.
  virtual void all_gather(std::span<const std::byte> own, std::span<std::byte> all) = 0;
  /// Sends `out[r]` to each rank r and receives `in[r]` from it; both have size() elements. Each pair of
  /// ranks must agree on the size of its message; empty ones are not sent.
  virtual void all_to_all(std::span<const std::span<const std::byte>> out,
                          std::span<const std::span<std::byte>> in) = 0;
  /// Sends messages to all other ranks and receives theirs, in pieces: offsets and sizes are multiples of 4
  /// KiB, except at the end of a message. Each pair of ranks must agree on the size of its message.
  virtual void exchange_pieces(MessagePieces& messages) = 0;
  /// Replaces values by their sums over all processes: neighbours are added, then neighbouring sums, and so
  /// on, so that every process holds the same bits. `dtype`: f32, f64, bf16, i32 or i64.
  virtual void all_reduce(ir::DType dtype, std::span<std::byte> values) = 0;
  /// Starts an asynchronous all_reduce. `values` must not be touched until finish_all_reduce() returns.
  /// Collectives issued meanwhile are queued after it. Returns the handle for finish_all_reduce().
  virtual std::int64_t start_all_reduce(ir::DType dtype, std::span<std::byte> values);
  /// Waits for an asynchronous sum. Errors: those of all_reduce.
  virtual void finish_all_reduce(std::int64_t started);
  /// Cost of collectives since the beginning.
  virtual ProcessCounts counts() const { return {}; }

  /// The group's name in errors: "MultiWorkerMirroredStrategy".
  const std::string& name() const { return name_; }

  /// Seconds until a process that neither arrives nor ends counts as lost; 0: for ever.
  double timeout_seconds() const { return timeout_seconds_.load(std::memory_order_relaxed); }
  void set_timeout_seconds(double seconds) {
    timeout_seconds_.store(std::min(seconds, kMostTimeoutSeconds), std::memory_order_relaxed);
  }
  static constexpr double kDefaultTimeoutSeconds = 600;
  /// 30 years; longer times would overflow the clocks, and end at once.
  static constexpr double kMostTimeoutSeconds = 1e9;

  /// Makes a rendezvous store, in which the processes exchange keys and values from any thread, whatever
  /// collectives run. All processes call this together; each store has separate keys. A store detects within
  /// seconds that a process has ended or its machine is gone.
  /// Errors: kUnavailable, on all processes, if one cannot be connected to the store; Unimplemented in a
  ///         group of workers, which exchange bytes only over the connections that they have authenticated.
  virtual std::shared_ptr<KeyValueStore> open_store() = 0;

  /// The value passed by rank 0.
  std::int64_t broadcast(std::int64_t value);
  /// Replaces `bytes` by those of rank 0.
  void broadcast(std::vector<std::byte>& bytes);
  /// All processes' values, in the order of their ranks.
  std::vector<std::uint64_t> gather(std::uint64_t value);
  /// Checks, before a common run, that all processes are about to run the same. Returns true if one of them
  /// requests to stop. Errors: FailedPrecondition on all ranks, with two ranks and their programs.
  bool agree(const SharedRun& run);
  /// Errors: FailedPrecondition on all ranks, "rank 1 and rank 0 differ in X", unless the number is
  ///         the same on all.
  void require_same(std::string_view what, std::uint64_t value);

 protected:
  Collective(int rank, int size, std::string name = "MultiWorkerMirroredStrategy")
      : rank_(rank), size_(size), name_(std::move(name)) {}

 private:
  int rank_;
  int size_;
  std::string name_;
  std::atomic<double> timeout_seconds_{kDefaultTimeoutSeconds};
};

/// The processes that this one works with; null if it is alone. A process joins at most once, for its whole
/// life, as with MPI. Inside a CollectiveScope: that scope's.
const std::shared_ptr<Collective>& joined_processes();
void join_processes(std::shared_ptr<Collective> processes);

/// Sets, for its lifetime, the processes of programs that this thread compiles: each session of a worker has
/// its own (docs/adr/0090). Programs keep the processes that they were compiled with.
class CollectiveScope {
 public:
  explicit CollectiveScope(std::shared_ptr<Collective> processes);
  ~CollectiveScope();
  CollectiveScope(const CollectiveScope&) = delete;
  CollectiveScope& operator=(const CollectiveScope&) = delete;

 private:
  std::shared_ptr<Collective> processes_;
  const std::shared_ptr<Collective>* outer_;
};

/// True if this process prints and saves: it is alone or the first of several. A CollectiveScope does not
/// change it.
bool is_chief();

}  // namespace cornu::inline v0::runtime
