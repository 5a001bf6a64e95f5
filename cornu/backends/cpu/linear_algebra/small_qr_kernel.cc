#include "cornu/backends/cpu/linear_algebra/small_qr_kernel.h"

#include <algorithm>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/linear_algebra/small_qr.h"
#include "cornu/backends/cpu/linear_algebra/vectors.h"
#include "cornu/ops/custom_call/custom_call.h"
#include "cornu/ops/matrices.h"

namespace cornu::inline v0::backends::cpu {
namespace {

bool is_decomposition(const ir::Op& op) { return ops::call_target(op) == "Qr"; }

template <typename T>
class SmallQrKernel final : public GroupKernel {
 public:
  SmallQrKernel(const ir::Op& op, const Target& target, int num_threads)
      : isa_(target.isa),
        is_decomposition_(is_decomposition(op)),
        count_(ops::num_matrices(op.operand(0).type())),
        lanes_(num_register_lanes(target.isa, sizeof(T) == 8)) {
    const ir::Dims& dims = op.operand(0).dims();
    rows_ = dims[dims.size() - 2];
    columns_ = dims.back();
    num_reflectors_ = (is_decomposition_ ? op.result(1) : op.operand(1)).dims().back();
    num_groups_ = (count_ + lanes_ - 1) / lanes_;
    num_slices_ = std::min(num_groups_, kMaxKernelSlices);
    work_bytes_ = whole_lines(static_cast<std::size_t>(small_qr_work(rows_, columns_)) * sizeof(T));
    scratch_bytes_ = work_bytes_ * static_cast<std::size_t>(num_slots(num_slices_, num_threads));
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    ScratchSlots slots(memory.scratch, work_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t end = (slice + 1) * num_groups_ / num_slices_;
      for (std::int64_t group = slice * num_groups_ / num_slices_; group < end; ++group)
        run_group(memory, group * lanes_, reinterpret_cast<T*>(lease.data()));
    });
  }

 private:
  void run_group(const KernelMemory& memory, std::int64_t first, T* work) const {
    const std::int64_t size = rows_ * columns_;
    SmallQrs<T> matrices = {.rows = rows_,
                            .columns = columns_,
                            .count = std::min(lanes_, count_ - first),
                            .num_reflectors = num_reflectors_,
                            .a = reinterpret_cast<const T*>(memory.operands[0]) + first * size,
                            .result = reinterpret_cast<T*>(memory.results[0]) + first * size,
                            .work = work};
    if (is_decomposition_) {
      matrices.taus = reinterpret_cast<T*>(memory.results[1]) + first * num_reflectors_;
      small_qrs(isa_, matrices);
    } else {
      matrices.given_taus = reinterpret_cast<const T*>(memory.operands[1]) + first * num_reflectors_;
      small_householder_products(isa_, matrices);
    }
  }

  IsaLevel isa_;
  bool is_decomposition_;
  std::int64_t count_, lanes_, rows_ = 0, columns_ = 0, num_reflectors_ = 0, num_groups_ = 0;
  std::size_t work_bytes_ = 0;
};

}  // namespace

std::unique_ptr<GroupKernel> make_small_qr_kernel(const ir::Op& op, const Target& target, int num_threads) {
  constexpr std::int64_t kFewMatrices = 4, kMostRows = 64, kMostColumns = 32;
  const ir::Dims& dims = op.operand(0).dims();
  if (ops::num_matrices(op.operand(0).type()) < kFewMatrices || dims[dims.size() - 2] > kMostRows ||
      dims.back() > kMostColumns)
    return nullptr;
  if (op.operand(0).dtype() == ir::DType::kF32)
    return std::make_unique<SmallQrKernel<float>>(op, target, num_threads);
  if (op.operand(0).dtype() == ir::DType::kF64)
    return std::make_unique<SmallQrKernel<double>>(op, target, num_threads);
  return nullptr;
}

}  // namespace cornu::inline v0::backends::cpu
