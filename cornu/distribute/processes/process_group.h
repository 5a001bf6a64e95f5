#pragma once

#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/distribute/processes/transport.h"
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::distribute {

/// Collectives over a transport.
///
/// Sums are computed in chunks. Each process adds a part of a chunk and sends the sum to all, so every
/// element is added in one place, in one order. The sums of a chunk and the values of the next are sent at
/// the same time.
/// Sums started by start_all_reduce() are executed by a thread of the group, in order.
class ProcessGroup final : public runtime::Collective {
 public:
  explicit ProcessGroup(std::shared_ptr<Transport> transport);
  ~ProcessGroup() override;

  void all_gather(std::span<const std::byte> own, std::span<std::byte> all) override;
  void all_to_all(std::span<const std::span<const std::byte>> out,
                  std::span<const std::span<std::byte>> in) override;
  void exchange_pieces(runtime::MessagePieces& messages) override;
  void all_reduce(ir::DType dtype, std::span<std::byte> values) override;
  std::int64_t start_all_reduce(ir::DType dtype, std::span<std::byte> values) override;
  void finish_all_reduce(std::int64_t started) override;
  runtime::ProcessCounts counts() const override;
  /// The store is at rank 0, which serves the other processes over sockets.
  std::shared_ptr<runtime::KeyValueStore> open_store() override;  // key_store.cc

 private:
  /// An asynchronous sum that was started.
  struct Begun {
    ir::DType dtype;
    std::span<std::byte> values;
    std::fenv_t rounding;  // of the calling thread: defines whether subnormal numbers become zero
  };
  /// Up to this size every process sends its values to all others, and each adds them all.
  static constexpr std::size_t kFewBytes = 16 << 10;
  /// Bytes that two processes exchange at a time in a larger sum.
  static constexpr std::size_t kChunkBytes = 1024 << 10;

  /// Runs a collective for a waiting caller, after all started sums.
  template <typename F>
  void run_now(const F& collective);
  /// The body of the thread.
  void work_off();
  /// Waits until `count` of the started sums are done, or all.
  void wait_for_begun(std::int64_t count);
  void exchange(bool in_order_of_ranks = false);
  void exchange_as_bytes(runtime::MessagePieces& messages);
  void gather_now(std::span<const std::byte> own, std::span<std::byte> all);
  void sum(ir::DType dtype, std::span<std::byte> values);
  void sum_few(ir::DType dtype, std::span<std::byte> values);
  void sum_by_chunks(ir::DType dtype, std::span<std::byte> values);

  std::shared_ptr<Transport> transport_;
  std::mutex mutex_;              // guards the transport and the members below
  std::optional<Error> failure_;  // a process is gone
  std::vector<std::byte> scratch_;
  // Buffers of the next exchange; kept, so that a step allocates nothing.
  std::vector<Outgoing> out_;
  std::vector<Incoming> in_;
  std::vector<Incoming> received_;
  std::vector<std::byte*> parts_;
  bool is_beside_ = false;  // true if the current collective is an asynchronous one

  std::thread thread_;              // executes started sums; made with the first one
  mutable std::mutex begun_mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Begun> begun_;  // not done yet; the first is in progress
  std::int64_t num_begun_ = 0, num_done_ = 0;
  std::exception_ptr begun_failure_;
  bool ends_ = false;
  std::atomic<bool> is_awaited_{false};
  runtime::ProcessCounts counts_;
};

}  // namespace cornu::inline v0::distribute
