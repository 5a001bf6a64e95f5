#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cornu/backends/stacked/host_memory_block.h"

namespace cornu::inline v0::backends::stacked {

/// The source of rows: host data and the row numbers of each step.
struct RowSource {
  std::span<const std::byte* const> bases;  // one for each row argument
  const std::int64_t* indices = nullptr;    // `batch` entries for each step
};

/// Gathers the rows of a launch in host memory: a stack [max_steps, batch, ...] for each row argument. Memory
/// is kept and grows as needed.
/// Threads: one thread.
class StackedBatches {
 public:
  /// `row_bytes`: the size of a row of each row argument.
  StackedBatches(std::vector<std::size_t> row_bytes, std::int64_t batch);

  /// Gathers the rows of steps [first, first + count) of `source` at the start of stacks of `max_steps` steps;
  /// the rest of the stacks is unchanged (initially zero). Errors: ResourceExhausted with the bytes.
  void gather(const RowSource& source, std::int64_t first, std::int64_t count, std::int64_t max_steps);

  /// One address for each row argument, aligned to a cache line; valid until the next gather.
  std::span<const std::byte* const> addresses() const { return addresses_; }
  /// The size of the stacks of the last gather, including padding.
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  std::vector<std::size_t> row_bytes_;
  std::int64_t batch_;
  std::vector<HostMemoryBlock> stacks_;
  std::vector<const std::byte*> addresses_;
  std::size_t size_bytes_ = 0;
};

}  // namespace cornu::inline v0::backends::stacked
