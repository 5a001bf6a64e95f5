#include "cornu/backends/cpu/kernels/int4_dot.h"

#include <algorithm>

#include "cornu/backends/cpu/kernels/int4_gemm.h"
#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Work is cut into blocks of columns, which are unpacked once, then, for few columns, into blocks of rows.
class Int4DotKernel final : public GroupKernel {
 public:
  Int4DotKernel(const kernels::Int4Operands& shape, const Target& target, int num_threads)
      : shape_(shape), level_(target.isa) {
    constexpr double kProductsPerNs = 60, kWeightsPerNs = 40, kSliceNs = 4000;
    constexpr std::int64_t kRowsOfSlice = 48;
    const auto weights = static_cast<double>(shape.n) * static_cast<double>(shape.k);
    const double ns = weights * std::max(static_cast<double>(shape.m) / kProductsPerNs, 1 / kWeightsPerNs);
    const std::int64_t wanted = std::clamp<std::int64_t>(static_cast<std::int64_t>(ns / kSliceNs), 1,
                                                         2 * std::max<std::int64_t>(num_threads, 1));
    const std::int64_t panels = std::max<std::int64_t>(blocks_of(shape.n, kernels::kInt4Columns), 1);
    columns_ = blocks_of(panels, std::min(wanted, panels)) * kernels::kInt4Columns;
    column_blocks_ = std::max<std::int64_t>(blocks_of(shape.n, columns_), 1);
    const std::int64_t row_blocks = std::clamp<std::int64_t>(
        wanted / column_blocks_, 1, std::max<std::int64_t>(shape.m / kRowsOfSlice, 1));
    rows_ = std::max<std::int64_t>(blocks_of(shape.m, row_blocks), 1);
    row_blocks_ = std::max<std::int64_t>(blocks_of(shape.m, rows_), 1);
    num_slices_ = std::clamp<std::int64_t>(num_parts(), 1, kMaxKernelSlices);
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
      const std::int64_t first = slice * num_parts() / num_slices_,
                         last = (slice + 1) * num_parts() / num_slices_;
      for (std::int64_t part = first; part < last; ++part) {
        const std::int64_t row = part % row_blocks_ * rows_, column = part / row_blocks_ * columns_;
        kernels::int4_gemm(level_, operands,
                           {.first_row = row,
                            .num_rows = std::min(rows_, shape_.m - row),
                            .first_column = column,
                            .num_columns = std::min(columns_, shape_.n - column)},
                           lease.data());
      }
    });
  }

 private:
  static std::int64_t blocks_of(std::int64_t extent, std::int64_t size) { return (extent + size - 1) / size; }
  std::int64_t num_parts() const { return column_blocks_ * row_blocks_; }

  kernels::Int4Operands shape_;
  IsaLevel level_;
  std::int64_t columns_ = 0, column_blocks_ = 1, rows_ = 0, row_blocks_ = 1;
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
