#include "cornu/backends/cpu/linear_algebra/small_qr_kernel.h"

#include "cornu/backends/cpu/linear_algebra/matrix_lanes_kernel.h"
#include "cornu/backends/cpu/linear_algebra/small_qr.h"
#include "cornu/ops/custom_call/custom_call.h"
#include "cornu/ops/matrices.h"

namespace cornu::inline v0::backends::cpu {
namespace {

bool is_decomposition(const ir::Op& op) { return ops::call_target(op) == "Qr"; }

template <typename T>
class SmallQrKernel final : public MatrixLanesKernel<T> {
  using MatrixLanesKernel<T>::isa_, MatrixLanesKernel<T>::rows_, MatrixLanesKernel<T>::columns_;

 public:
  SmallQrKernel(const ir::Op& op, const Target& target, int num_threads)
      : MatrixLanesKernel<T>(op, target),
        is_decomposition_(is_decomposition(op)),
        num_reflectors_((is_decomposition_ ? op.result(1) : op.operand(1)).dims().back()) {
    this->reserve_work(small_qr_work(rows_, columns_), num_threads);
  }

 private:
  void run_group(const KernelMemory& memory, std::int64_t first, std::int64_t count, T* work) const override {
    const std::int64_t size = rows_ * columns_;
    SmallQrs<T> matrices = {.rows = rows_,
                            .columns = columns_,
                            .count = count,
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

  bool is_decomposition_;
  std::int64_t num_reflectors_;
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
