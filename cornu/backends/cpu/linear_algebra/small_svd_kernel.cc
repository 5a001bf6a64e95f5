#include "cornu/backends/cpu/linear_algebra/small_svd_kernel.h"

#include <algorithm>
#include <limits>

#include "cornu/backends/cpu/linear_algebra/matrix_lanes_kernel.h"
#include "cornu/backends/cpu/linear_algebra/routines.h"
#include "cornu/backends/cpu/linear_algebra/small_svd.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/svd/svd.h"

namespace cornu::inline v0::backends::cpu {
namespace {

template <typename T>
class SmallSvdKernel final : public MatrixLanesKernel<T> {
  using MatrixLanesKernel<T>::isa_, MatrixLanesKernel<T>::rows_, MatrixLanesKernel<T>::columns_;

 public:
  SmallSvdKernel(const ir::Op& op, const Target& target, int num_threads)
      : MatrixLanesKernel<T>(op, target),
        rank_(std::min(rows_, columns_)),
        compute_uv_(ops::svd_form(op).compute_uv) {
    this->reserve_work(small_svd_work(std::max(rows_, columns_), rank_), num_threads);
  }

 private:
  void run_group(const KernelMemory& memory, std::int64_t first, std::int64_t count, T* work) const override {
    const std::int64_t u_size = rows_ * rank_, vh_size = rank_ * columns_;
    const T* const a = reinterpret_cast<const T*>(memory.operands[0]) + first * rows_ * columns_;
    T* const s = reinterpret_cast<T*>(memory.results[0]) + first * rank_;
    T* const u = compute_uv_ ? reinterpret_cast<T*>(memory.results[1]) + first * u_size : nullptr;
    T* const vh = compute_uv_ ? reinterpret_cast<T*>(memory.results[2]) + first * vh_size : nullptr;
    const bool is_wide = rows_ < columns_;
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

  std::int64_t rank_;
  bool compute_uv_;
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
