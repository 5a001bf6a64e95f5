#pragma once

#include <algorithm>
#include <cstdint>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/linear_algebra/vectors.h"
#include "cornu/backends/cpu/op/group_kernel.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/base/divide_up.h"
#include "cornu/base/float_environment.h"
#include "cornu/ir/graph.h"
#include "cornu/ops/matrices.h"

namespace cornu::inline v0::backends::cpu {

/// A kernel for many small matrices, a group of which is computed at a time with one matrix a lane of a register.
template <typename T>
class MatrixLanesKernel : public GroupKernel {
 public:
  void run(const KernelMemory& memory, ThreadPool& pool) const final {
    ScratchSlots slots(memory.scratch, work_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      // As in decompositions of one matrix: iterations assume gradual underflow.
      const FloatEnvironment with_subnormals;
      const ScratchSlots::Lease lease(slots);
      const std::int64_t end = (slice + 1) * num_groups_ / num_slices_;
      for (std::int64_t group = slice * num_groups_ / num_slices_; group < end; ++group)
        run_group(memory, group * lanes_, std::min(lanes_, count_ - group * lanes_),
                  reinterpret_cast<T*>(lease.data()));
    });
  }

 protected:
  /// For the matrices of the op's first operand.
  MatrixLanesKernel(const ir::Op& op, const Target& target)
      : isa_(target.isa),
        rows_(op.operand(0).dims().end()[-2]),
        columns_(op.operand(0).dims().back()),
        count_(ops::num_matrices(op.operand(0).type())),
        lanes_(num_register_lanes(target.isa, sizeof(T) == 8)),
        num_groups_(divide_up(count_, lanes_)) {
    num_slices_ = std::min(num_groups_, kMaxKernelSlices);
  }

  /// Sets the number of elements that `work` has in run_group. Every constructor calls it.
  void reserve_work(std::int64_t num_elements, int num_threads) {
    work_bytes_ = whole_lines(static_cast<std::size_t>(num_elements) * sizeof(T));
    scratch_bytes_ = work_bytes_ * static_cast<std::size_t>(num_slots(num_slices_, num_threads));
  }

  /// Computes `count` matrices from number `first` on.
  virtual void run_group(const KernelMemory& memory, std::int64_t first, std::int64_t count,
                         T* work) const = 0;

  IsaLevel isa_;
  std::int64_t rows_, columns_;

 private:
  std::int64_t count_, lanes_, num_groups_;
  std::size_t work_bytes_ = 0;
};

}  // namespace cornu::inline v0::backends::cpu
