#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "cornu/keras/base/state.h"
#include "cornu/keras/files/shared_state_writer.h"

namespace cornu::inline v0::keras {

/// Writes training states in a thread: the caller waits only for the snapshot.
///
/// One state is written at a time and one waits; a newer one replaces the waiting one. States that several
/// processes write, each with its own parts, are all written: write() waits for the one before.
/// Owns:    the thread, from the first write on; the destructor waits until everything is written. Until then
///          also the memory of one or two snapshots: reused pages need not be cleared again.
/// Threads: one thread calls.
class StateWriter {
 public:
  StateWriter() = default;
  ~StateWriter();
  StateWriter(const StateWriter&) = delete;
  StateWriter& operator=(const StateWriter&) = delete;

  /// Writes `state` to `path` later. Of several processes the first one writes; all do, together, if the
  /// state has parts (StatePart). Errors: those of an earlier write; then this state is not written.
  void write(const std::string& path, const StateValues& state);
  /// Waits until everything is written. Errors: those of writing.
  void wait();

 private:
  /// Memory for a snapshot's values, in the order of the file.
  struct Block {
    std::shared_ptr<std::byte> bytes;
    std::size_t size_bytes = 0;
  };
  struct Work {
    std::string path;
    StateValues state;  // in `memory`
    Block memory;
    std::shared_ptr<SharedStateWriter> shared = nullptr;  // null: this process writes alone
  };

  Block block_of(const std::string& path, std::size_t size_bytes);
  Work snapshot(const std::string& path, const StateValues& state);
  void run();
  void rethrow();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Work> waiting_;
  Block spare_;
  bool is_writing_ = false;
  bool ends_ = false;
  std::exception_ptr error_;
  std::shared_ptr<SharedStateWriter> shared_;  // made by the first state with parts
  std::thread thread_;
};

}  // namespace cornu::inline v0::keras
