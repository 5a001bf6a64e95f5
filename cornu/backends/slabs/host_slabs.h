#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cornu/backends/slabs/host_memory_block.h"

namespace cornu::inline v0::backends::slabs {

/// Where rows come from: data of the host and the rows of each step.
struct RowSource {
  std::span<const std::byte* const> bases;  // one a row argument
  const std::int64_t* indices = nullptr;    // batch entries a step
};

/// The rows of a launch in host memory, gathered: a slab [max_steps, batch, ...] a row argument. Memory is
/// kept and grows as needed.
/// Threads: one thread.
class HostSlabs {
 public:
  /// `row_bytes`: of a row of each row argument.
  HostSlabs(std::vector<std::size_t> row_bytes, std::int64_t batch);

  /// Puts the rows of steps [first, first + count) of `source` at the beginning of slabs of `max_steps`
  /// steps; what lies behind them stays as it is (zero at first). Errors: ResourceExhausted with the bytes.
  void gather(const RowSource& source, std::int64_t first, std::int64_t count, std::int64_t max_steps);

  /// One address a row argument, on a cache line boundary; valid until the next gather.
  std::span<const std::byte* const> addresses() const { return addresses_; }
  /// Of the slabs that were gathered last, with their padding.
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  std::vector<std::size_t> row_bytes_;
  std::int64_t batch_;
  std::vector<HostMemoryBlock> slabs_;
  std::vector<const std::byte*> addresses_;
  std::size_t size_bytes_ = 0;
};

}  // namespace cornu::inline v0::backends::slabs
