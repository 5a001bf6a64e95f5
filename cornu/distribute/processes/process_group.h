#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/distribute/processes/transport.h"
#include "cornu/runtime/processes.h"

namespace cornu::inline v0::distribute {

/// Collectives over a transport.
///
/// Sums go by chunks of which each process adds up a part and sends the sum to all: every element is added in one
/// place, in one order. While the sums of a chunk travel, so do the values of the next.
class ProcessGroup final : public runtime::Processes {
 public:
  explicit ProcessGroup(std::unique_ptr<Transport> transport);

  void all_gather(std::span<const std::byte> own, std::span<std::byte> all) override;
  void all_reduce_sum(ir::DType dtype, std::span<std::byte> values) override;

 private:
  /// Up to so many bytes all processes send all to all, and each adds up everything.
  static constexpr std::size_t kFewBytes = 16 << 10;
  /// What two processes exchange at a time while they add up.
  static constexpr std::size_t kChunkBytes = 1024 << 10;

  void exchange();
  void sum_few(ir::DType dtype, std::span<std::byte> values);
  void sum_by_chunks(ir::DType dtype, std::span<std::byte> values);

  std::unique_ptr<Transport> transport_;
  std::mutex mutex_;
  std::optional<Error> failure_;  // a process is gone
  std::vector<std::byte> scratch_;
  // Of the next exchange; kept, so that a step allocates nothing.
  std::vector<Outgoing> out_;
  std::vector<Incoming> in_;
  std::vector<std::byte*> parts_;
};

}  // namespace cornu::inline v0::distribute
