#include "cornu/backends/cpu/linear_algebra/small_svd_kernel.h"

#include <algorithm>
#include <limits>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/linear_algebra/routines.h"
#include "cornu/backends/cpu/linear_algebra/small_svd.h"
#include "cornu/backends/cpu/linear_algebra/vectors.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/svd/svd.h"

namespace cornu::inline v0::backends::cpu {
namespace {

template <typename T>
class SmallSvdKernel final : public GroupKernel {
 public:
  SmallSvdKernel(const ir::Op& op, const Target& target, int num_threads)
      : isa_(target.isa),
        count_(ops::num_matrices(op.operand(0).type())),
        lanes_(num_register_lanes(target.isa, sizeof(T) == 8)),
        compute_uv_(ops::svd_form(op).compute_uv) {
    const ir::Dims& dims = op.operand(0).dims();
    rows_ = dims[dims.size() - 2];
    columns_ = dims.back();
    rank_ = std::min(rows_, columns_);
    num_groups_ = (count_ + lanes_ - 1) / lanes_;
    num_slices_ = std::min(num_groups_, kMaxKernelSlices);
    work_bytes_ =
        whole_lines(static_cast<std::size_t>(small_svd_work(std::max(rows_, columns_), rank_)) * sizeof(T));
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
    const std::int64_t u_size = rows_ * rank_, vh_size = rank_ * columns_;
    const T* const a = reinterpret_cast<const T*>(memory.operands[0]) + first * rows_ * columns_;
    T* const s = reinterpret_cast<T*>(memory.results[0]) + first * rank_;
    T* const u = compute_uv_ ? reinterpret_cast<T*>(memory.results[1]) + first * u_size : nullptr;
    T* const vh = compute_uv_ ? reinterpret_cast<T*>(memory.results[2]) + first * vh_size : nullptr;
    const bool is_wide = rows_ < columns_;
    const std::int64_t count = std::min(lanes_, count_ - first);
    const std::uint32_t failed = small_svds(isa_, SmallSvds<T>{.rows = std::max(rows_, columns_),
                                                               .columns = rank_,
                                                               .count = count,
                                                               .is_transposed = is_wide,
                                                               .a = a,
                                                               .u = is_wide ? vh : u,
                                                               .s = s,
                                                               .vh = is_wide ? u : vh,
                                                               .work = work});
    for (std::int64_t i = 0; i < count; ++i) {
      if ((failed >> i & 1) == 0) continue;
      T* const this_u = compute_uv_ ? u + i * u_size : nullptr;
      T* const this_vh = compute_uv_ ? vh + i * vh_size : nullptr;
      if (linear_algebra<T>(isa_).svd(rows_, columns_, /*full=*/false, a + i * rows_ * columns_, this_u,
                                      s + i * rank_, this_vh))
        continue;
      constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
      std::fill_n(s + i * rank_, rank_, kNan);
      if (!compute_uv_) continue;
      std::fill_n(this_u, u_size, kNan);
      std::fill_n(this_vh, vh_size, kNan);
    }
  }

  IsaLevel isa_;
  std::int64_t count_, lanes_, rows_ = 0, columns_ = 0, rank_ = 0, num_groups_ = 0;
  bool compute_uv_;
  std::size_t work_bytes_ = 0;
};

}  // namespace

std::unique_ptr<GroupKernel> make_small_svd_kernel(const ir::Op& op, const Target& target, int num_threads) {
  constexpr std::int64_t kFewMatrices = 4;
  const ir::Dims& dims = op.operand(0).dims();
  const std::int64_t rows = dims[dims.size() - 2], columns = dims.back();
  const ops::SvdForm form = ops::svd_form(op);
  if (ops::num_matrices(op.operand(0).type()) < kFewMatrices || std::min(rows, columns) > kSmallSvdColumns ||
      std::max(rows, columns) > kSmallSvdRows || (form.full_matrices && form.compute_uv && rows != columns))
    return nullptr;
  if (op.operand(0).dtype() == ir::DType::kF64)
    return std::make_unique<SmallSvdKernel<double>>(op, target, num_threads);
  if (op.operand(0).dtype() == ir::DType::kF32 && has_f32_decompositions(target.isa))
    return std::make_unique<SmallSvdKernel<float>>(op, target, num_threads);
  return nullptr;
}

}  // namespace cornu::inline v0::backends::cpu
