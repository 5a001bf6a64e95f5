#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cornu/base/thread_pool.h"

/// Ops that run by a kernel of the engine instead of emitted loops: convolution, sort, select_and_scatter,
/// recurrent composites.
namespace cornu::inline v0::backends::cpu {

/// Addresses of a kernel's tensors, all row-major.
struct KernelMemory {
  std::span<const std::byte* const> operands;
  std::span<std::byte* const> results;
  std::byte* scratch = nullptr;  // scratch_bytes, on a cache line boundary
  std::byte** view = nullptr;    // of a kernel that makes a view: takes the address of result 0
};

/// An op prepared to run, in two stages. The constructor takes every decision, from the op, the target and
/// the number of threads alone, so that the planner can ask for the scratch memory of a run. After build() it
/// run. All memory comes from the caller.
/// Threads: run is safe on different memory. Its bits do not depend on the number of threads.
class GroupKernel {
 public:
  virtual ~GroupKernel() = default;

  /// Makes the parts of a run besides decisions: a library's code, which takes milliseconds. Call it before
  /// the first run; a second call does nothing. Most kernels need nothing.
  /// Threads: one.
  /// Errors: ResourceExhausted.
  virtual void build() {}
  virtual void run(const KernelMemory& memory, ThreadPool& pool) const = 0;

  /// True if it is a library's.
  virtual bool is_library() const { return false; }
  /// "oneDNN", "winograd", "thin" or "kernel": for reports.
  virtual std::string_view name() const { return "kernel"; }
  std::size_t scratch_bytes() const { return scratch_bytes_; }
  std::int64_t num_slices() const { return num_slices_; }

 protected:
  std::size_t scratch_bytes_ = 0;
  std::int64_t num_slices_ = 1;  // from shapes alone, unless bits do not depend on it
};

inline constexpr std::size_t kMaxKernelTensors = 32;  // operands, and results

}  // namespace cornu::inline v0::backends::cpu
