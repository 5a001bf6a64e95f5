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
#include "cornu/runtime/processes.h"

namespace cornu::inline v0::distribute {

/// Collectives over a transport.
///
/// Sums go by chunks of which each process adds up a part and sends the sum to all: every element is added in
/// one place, in one order. While the sums of a chunk travel, so do the values of the next.
/// What start_sum() begins a thread of the group's works off, in the order in which it was begun.
class ProcessGroup final : public runtime::Processes {
 public:
  explicit ProcessGroup(std::unique_ptr<Transport> transport);
  ~ProcessGroup() override;

  void all_gather(std::span<const std::byte> own, std::span<std::byte> all) override;
  void all_reduce_sum(ir::DType dtype, std::span<std::byte> values) override;
  std::int64_t start_sum(ir::DType dtype, std::span<std::byte> values) override;
  void finish_sum(std::int64_t started) override;
  runtime::ProcessCounts counts() const override;

 private:
  /// A sum that was begun.
  struct Begun {
    ir::DType dtype;
    std::span<std::byte> values;
    std::fenv_t rounding;  // of who began it: subnormal numbers must become zero, or not, as they do there
  };
  /// Up to so many bytes all processes send all to all, and each adds up everything.
  static constexpr std::size_t kFewBytes = 16 << 10;
  /// What two processes exchange at a time while they add up.
  static constexpr std::size_t kChunkBytes = 1024 << 10;

  /// Runs a collective that the caller waits for, behind all that was begun.
  template <typename F>
  void run_now(const F& collective);
  /// What the thread does.
  void work_off();
  /// Until so many of what was begun are done, or all.
  void wait_for_begun(std::int64_t count);
  void exchange();
  void gather(std::span<const std::byte> own, std::span<std::byte> all);
  void sum(ir::DType dtype, std::span<std::byte> values);
  void sum_few(ir::DType dtype, std::span<std::byte> values);
  void sum_by_chunks(ir::DType dtype, std::span<std::byte> values);

  std::unique_ptr<Transport> transport_;
  std::mutex mutex_;              // of the transport and what follows
  std::optional<Error> failure_;  // a process is gone
  std::vector<std::byte> scratch_;
  // Of the next exchange; kept, so that a step allocates nothing.
  std::vector<Outgoing> out_;
  std::vector<Incoming> in_;
  std::vector<std::byte*> parts_;
  bool is_beside_ = false;  // the collective that runs is one that was begun

  std::thread thread_;              // that works off what was begun; made when something is
  mutable std::mutex begun_mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Begun> begun_;  // and not done; the first is being worked on
  std::int64_t num_begun_ = 0, num_done_ = 0;
  std::exception_ptr begun_failure_;
  bool ends_ = false;
  std::atomic<bool> is_awaited_{false};
  runtime::ProcessCounts counts_;
};

}  // namespace cornu::inline v0::distribute
