#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string_view>

#include "cornu/backends/cpu/emit/target.h"
#include "cornu/backends/cpu/flush_denormals.h"
#include "cornu/base/thread_pool.h"
#include "cornu/ir/graph.h"

/// Ops that run by a kernel of the engine instead of emitted loops: convolution, sort, select_and_scatter, recurrent composites.
namespace cornu::inline v0::backends::cpu {

/// Where a kernel's tensors are, all row-major.
struct KernelMemory {
  std::span<const std::byte* const> operands;
  std::span<std::byte* const> results;
  std::byte* scratch = nullptr;  // scratch_bytes, on a cache line boundary
};

/// An op prepared to run: every decision is made, all memory comes from the caller.
/// Threads: run is safe on different memory. Its bits do not depend on the number of threads.
class GroupKernel {
 public:
  virtual ~GroupKernel() = default;
  virtual void run(const KernelMemory& memory, ThreadPool& pool) const = 0;

  /// "oneDNN", "winograd", "thin" or "kernel": for reports.
  virtual std::string_view name() const { return "kernel"; }
  std::size_t scratch_bytes() const { return scratch_bytes_; }
  std::int64_t num_slices() const { return num_slices_; }

 protected:
  std::size_t scratch_bytes_ = 0;
  std::int64_t num_slices_ = 1;  // from shapes alone, unless bits do not depend on it
};

/// Whether the op has a kernel; does not depend on target or machine. A composite that has one is not decomposed.
bool has_group_kernel(const ir::Op& op);

/// The kernel of an op that has one. `num_threads` decides how much scratch memory and how many slices there are, no bit of a result. The
/// op must live as long.
std::unique_ptr<GroupKernel> make_group_kernel(const ir::Op& op, const Target& target, int num_threads);

/// Multiplications and additions of a convolution (none with padding or between dilated elements) or a recurrent composite; 0 for the
/// others.
double kernel_flops(const ir::Op& op);

inline constexpr std::int64_t kMaxKernelSlices = 64;
inline constexpr std::size_t kMaxKernelTensors = 32;  // operands, and results

/// `size_bytes` to the next cache line boundary.
inline std::size_t whole_lines(std::size_t size_bytes) { return (size_bytes + 63) / 64 * 64; }

/// How many slices can run at once.
inline std::int64_t num_slots(std::int64_t num_slices, int num_threads) { return num_slices < num_threads ? num_slices : num_threads; }

/// Pieces of scratch memory for slices that run at the same time; at most kMaxKernelSlices.
class ScratchSlots {
 public:
  ScratchSlots(std::byte* base, std::size_t slot_bytes) : base_(base), slot_bytes_(slot_bytes) {}

  class Lease {
   public:
    explicit Lease(ScratchSlots& slots) : slots_(slots) {
      std::uint64_t taken = slots.taken_.load(std::memory_order_relaxed);
      // The lowest free one, so that as many slots are enough as slices run at once.
      while (!slots.taken_.compare_exchange_weak(taken, taken | (taken + 1), std::memory_order_acquire)) {
      }
      bit_ = (taken + 1) & ~taken;
      data_ = slots.base_ + static_cast<std::size_t>(__builtin_ctzll(bit_)) * slots.slot_bytes_;
    }
    ~Lease() { slots_.taken_.fetch_and(~bit_, std::memory_order_release); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    std::byte* data() const { return data_; }

   private:
    ScratchSlots& slots_;
    std::uint64_t bit_ = 0;
    std::byte* data_ = nullptr;
  };

 private:
  std::byte* base_;
  std::size_t slot_bytes_;
  std::atomic<std::uint64_t> taken_{0};
};

/// f(slice) for every slice, with subnormals flushed. Throws what the first slice that failed threw, after all have ended.
template <typename F>
void for_each_slice(ThreadPool& pool, std::int64_t num_slices, const F& f) {
  struct Work {
    const F* f = nullptr;
    std::atomic<bool> has_failed{false};
    std::exception_ptr error;
  } work{.f = &f};
  pool.parallel_for(
      num_slices,
      [](void* context, std::int64_t slice) {
        const FlushDenormals flush;
        Work& w = *static_cast<Work*>(context);
        try {
          (*w.f)(slice);
        } catch (...) {
          if (!w.has_failed.exchange(true)) w.error = std::current_exception();
        }
      },
      &work);
  if (work.error) std::rethrow_exception(work.error);
}

}  // namespace cornu::inline v0::backends::cpu
