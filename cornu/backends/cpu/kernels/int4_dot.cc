#include "cornu/backends/cpu/kernels/int4_dot.h"

#include <algorithm>

#include "cornu/backends/cpu/kernels/int4_gemm.h"
#include "cornu/backends/cpu/kernels/result_blocks.h"
#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Columns are unpacked once for each block of rows.
class Int4DotKernel final : public GroupKernel {
 public:
  Int4DotKernel(const kernels::Int4Operands& shape, const Target& target, int num_threads)
      : shape_(shape), level_(target.isa) {
    constexpr double kProductsPerNs = 60, kWeightsPerNs = 40;
    constexpr std::int64_t kRowsOfSlice = 48;
    const auto weights = static_cast<double>(shape.n) * static_cast<double>(shape.k);
    const double ns = weights * std::max(static_cast<double>(shape.m) / kProductsPerNs, 1 / kWeightsPerNs);
    blocks_ = ResultBlocks::cut(shape.m, shape.n, kernels::kInt4Columns, kRowsOfSlice,
                                num_blocks_wanted(ns, num_threads));
    num_slices_ = std::clamp<std::int64_t>(blocks_.count(), 1, kMaxKernelSlices);
    slot_bytes_ = whole_lines(kernels::int4_gemm_scratch_bytes());
    scratch_bytes_ = static_cast<std::size_t>(num_slots(num_slices_, num_threads)) * slot_bytes_;
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    kernels::Int4Operands operands = shape_;
    operands.x = reinterpret_cast<const float*>(memory.operands[0]);
    operands.packed = reinterpret_cast<const std::int8_t*>(memory.operands[1]);
    operands.scale = reinterpret_cast<const float*>(memory.operands[2]);
    operands.zero = reinterpret_cast<const float*>(memory.operands[3]);
    operands.y = reinterpret_cast<float*>(memory.results[0]);
    ScratchSlots slots(memory.scratch, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t first = slice * blocks_.count() / num_slices_,
                         last = (slice + 1) * blocks_.count() / num_slices_;
      for (std::int64_t part = first; part < last; ++part) {
        const std::int64_t row = blocks_.first_row(part), column = blocks_.first_column(part);
        kernels::int4_gemm(level_, operands,
                           {.first_row = row,
                            .num_rows = std::min(blocks_.rows, shape_.m - row),
                            .first_column = column,
                            .num_columns = std::min(blocks_.columns, shape_.n - column)},
                           lease.data());
      }
    });
  }

 private:
  kernels::Int4Operands shape_;
  IsaLevel level_;
  ResultBlocks blocks_;
  std::size_t slot_bytes_ = 0;
};

kernels::Int4Operands shape_of(const ir::Op& op) {
  return {.m = op.operand(0).dims()[0],
          .n = op.operand(2).dims()[1],
          .k = op.operand(0).dims()[1],
          .group = op.attributes().get<std::int64_t>("group")};
}

}  // namespace

std::unique_ptr<GroupKernel> make_int4_dot_kernel(const ir::Op& op, const Target& target, int num_threads) {
  return std::make_unique<Int4DotKernel>(shape_of(op), target, num_threads);
}

double int4_dot_flops(const ir::Op& op) {
  const kernels::Int4Operands s = shape_of(op);
  return 2.0 * static_cast<double>(s.m) * static_cast<double>(s.n * s.k);
}

}  // namespace cornu::inline v0::backends::cpu
