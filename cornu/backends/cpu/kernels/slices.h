#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

#include "cornu/backends/cpu/kernels/flush_denormals.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/base/thread_pool.h"

/// Parts of kernels of single ops (op/group_kernel.h): slices that run in parallel, and their scratch
/// memory.
namespace cornu::inline v0::backends::cpu {

inline constexpr std::int64_t kMaxKernelSlices = 64;

/// `size_bytes` to the next cache line boundary.
inline std::size_t whole_lines(std::size_t size_bytes) { return (size_bytes + 63) / 64 * 64; }

/// The number of slices that can run at once.
inline std::int64_t num_slots(std::int64_t num_slices, int num_threads) {
  return num_slices < num_threads ? num_slices : num_threads;
}

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

/// f(slice) for every slice, with subnormals flushed. Throws what the first slice that failed threw, after
/// all have ended.
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
