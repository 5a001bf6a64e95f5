#include "cornu/backends/cpu/kernels/int8_dot.h"

#include <algorithm>
#include <optional>

#include "cornu/backends/cpu/kernels/int8_gemm.h"
#include "cornu/backends/cpu/kernels/result_blocks.h"
#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu {
namespace {

struct Int8DotShape {
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  bool transpose_b = false;
};

std::int64_t extents_product(const ir::Dims& dims, std::int64_t first, std::int64_t last) {
  std::int64_t product = 1;
  for (std::int64_t d = first; d < last; ++d) product *= dims[static_cast<std::size_t>(d)];
  return product;
}

bool are_from(const ir::Dims& dimensions, std::int64_t first) {
  for (const std::int64_t dimension : dimensions)
    if (dimension != first++) return false;
  return true;
}

/// Nothing if the dimensions are in another order.
std::optional<Int8DotShape> int8_dot_shape(const ir::Op& op) {
  const ops::DotDimensions d = ops::dot_dimensions(op);
  const ir::Dims &lhs = op.operand(0).dims(), &rhs = op.operand(1).dims();
  const auto batching = static_cast<std::int64_t>(d.lhs_batching.size()),
             contracting = static_cast<std::int64_t>(d.lhs_contracting.size()),
             lhs_rank = op.operand(0).rank(), rhs_rank = op.operand(1).rank();
  const std::int64_t lhs_summed = lhs_rank - contracting, rhs_summed = rhs_rank - contracting;
  if (!are_from(d.lhs_batching, 0) || !are_from(d.rhs_batching, 0) ||
      !are_from(d.lhs_contracting, lhs_summed))
    return std::nullopt;
  const bool is_plain = are_from(d.rhs_contracting, batching);
  if (!is_plain && !are_from(d.rhs_contracting, rhs_summed)) return std::nullopt;
  return Int8DotShape{.batch = extents_product(lhs, 0, batching),
                      .m = extents_product(lhs, batching, lhs_summed),
                      .n = is_plain ? extents_product(rhs, batching + contracting, rhs_rank)
                                    : extents_product(rhs, batching, rhs_summed),
                      .k = extents_product(lhs, lhs_summed, lhs_rank),
                      .transpose_b = !is_plain};
}

/// Work is cut into batches, then blocks of columns, then blocks of rows, so that rhs is read once if it can be.
class Int8DotKernel final : public GroupKernel {
 public:
  Int8DotKernel(const Int8DotShape& shape, const Target& target, int num_threads)
      : shape_(shape), level_(kernels::int8_level(target.isa)) {
    constexpr double kProductsPerNs = 300, kBytesPerNs = 60;
    constexpr std::int64_t kRowsOfSlice = 24;
    const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n),
               k = static_cast<double>(shape.k);
    const double ns = std::max(m * n * k / kProductsPerNs, n * k / kBytesPerNs);
    blocks_ = ResultBlocks::cut(shape.m, shape.n, kernels::kInt8Columns, kRowsOfSlice,
                                num_blocks_wanted(ns, num_threads));
    num_slices_ = std::clamp<std::int64_t>(num_parts(), 1, kMaxKernelSlices);
    slot_bytes_ =
        whole_lines(kernels::int8_gemm_scratch_bytes(level_, std::min(blocks_.columns, shape.n), shape.k));
    scratch_bytes_ = static_cast<std::size_t>(num_slots(num_slices_, num_threads)) * slot_bytes_;
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    ScratchSlots slots(memory.scratch, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t first = slice * num_parts() / num_slices_,
                         last = (slice + 1) * num_parts() / num_slices_;
      for (std::int64_t part = first; part < last; ++part) run_part(memory, part, lease.data());
    });
  }

 private:
  std::int64_t num_parts() const { return shape_.batch * blocks_.count(); }

  void run_part(const KernelMemory& memory, std::int64_t part, std::byte* scratch) const {
    const Int8DotShape& s = shape_;
    const std::int64_t row = blocks_.first_row(part), column = blocks_.first_column(part),
                       batch = part / blocks_.count();
    const auto* const a =
        reinterpret_cast<const std::int8_t*>(memory.operands[0]) + (batch * s.m + row) * s.k;
    const auto* const b = reinterpret_cast<const std::int8_t*>(memory.operands[1]) + batch * s.n * s.k +
                          (s.transpose_b ? column * s.k : column);
    auto* const c = reinterpret_cast<std::int32_t*>(memory.results[0]) + (batch * s.m + row) * s.n + column;
    kernels::int8_gemm(level_,
                       {.transpose_b = s.transpose_b,
                        .m = std::min(blocks_.rows, s.m - row),
                        .n = std::min(blocks_.columns, s.n - column),
                        .k = s.k,
                        .a = a,
                        .lda = s.k,
                        .b = b,
                        .ldb = s.transpose_b ? s.k : s.n,
                        .c = c,
                        .ldc = s.n},
                       scratch);
  }

  Int8DotShape shape_;
  kernels::Int8Level level_;
  ResultBlocks blocks_;
  std::size_t slot_bytes_ = 0;
};

}  // namespace

std::unique_ptr<GroupKernel> make_int8_dot_kernel(const ir::Op& op, const Target& target, int num_threads) {
  const std::optional<Int8DotShape> shape = int8_dot_shape(op);
  CORNU_CHECK(shape.has_value(), "{} has no kernel", op.name());
  return std::make_unique<Int8DotKernel>(*shape, target, num_threads);
}

bool has_int8_dot_kernel(const ir::Op& op) { return int8_dot_shape(op).has_value(); }

double int8_dot_flops(const ir::Op& op) {
  const std::optional<Int8DotShape> s = int8_dot_shape(op);
  return s.has_value() ? 2.0 * static_cast<double>(s->batch * s->m) * static_cast<double>(s->n * s->k) : 0;
}

}  // namespace cornu::inline v0::backends::cpu
