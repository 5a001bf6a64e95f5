#include "cornu/backends/cpu/linear_algebra/linear_algebra.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "cornu/backends/cpu/linear_algebra/routines.h"
#include "cornu/base/check.h"
#include "cornu/ops/custom_call/custom_call.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/triangular_solve/triangular_solve.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Elements of tensor `i` from matrix number `batch` on.
template <typename T>
struct BatchView {
  const KernelMemory& memory;
  std::int64_t batch;

  const T* operand(std::size_t i, std::int64_t size) const {
    return reinterpret_cast<const T*>(memory.operands[i]) + batch * size;
  }
  T* result(std::size_t i, std::int64_t size) const {
    return reinterpret_cast<T*>(memory.results[i]) + batch * size;
  }
};

/// One function for each matrix of a batch.
template <typename T>
class EachMatrixKernel final : public GroupKernel {
 public:
  using Run = std::function<void(const BatchView<T>& view)>;

  EachMatrixKernel(std::int64_t count, Run run) : count_(count), run_(std::move(run)) {
    num_slices_ = std::clamp<std::int64_t>(count, 1, kMaxKernelSlices);
  }

  bool is_library() const override { return true; }
  std::string_view name() const override { return "Eigen"; }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const std::int64_t end = (slice + 1) * count_ / num_slices_;
      for (std::int64_t i = slice * count_ / num_slices_; i < end; ++i) run_({memory, i});
    });
  }

 private:
  std::int64_t count_;
  Run run_;
};

template <typename F>
std::unique_ptr<GroupKernel> kernel_by_dtype(const ir::Op& op, const F& make) {
  if (op.operand(0).dtype() == ir::DType::kF32) return make.template operator()<float>();
  CORNU_CHECK(op.operand(0).dtype() == ir::DType::kF64, "a kernel of Eigen for {}",
              op.operand(0).type().str());
  return make.template operator()<double>();
}

struct MatrixExtents {
  explicit MatrixExtents(ir::Value x) : rows(x.dims()[x.dims().size() - 2]), columns(x.dims().back()) {}
  std::int64_t rows, columns;
  std::int64_t size() const { return rows * columns; }
};

}  // namespace

bool has_eigen_kernel(const ir::Op& op) {
  const ir::DType dtype = op.operand(0).dtype();
  return dtype == ir::DType::kF32 || dtype == ir::DType::kF64;
}

std::unique_ptr<GroupKernel> make_cholesky_kernel(const ir::Op& op, const Target& target, int) {
  return kernel_by_dtype(op, [&]<typename T>() -> std::unique_ptr<GroupKernel> {
    const auto factorize = linear_algebra<T>(target.isa).cholesky;
    const bool lower = op.attributes().get<bool>("lower");
    const std::int64_t n = op.operand(0).dims().back();
    return std::make_unique<EachMatrixKernel<T>>(
        ops::num_matrices(op.operand(0).type()), [=](const BatchView<T>& view) {
          T* const result = view.result(0, n * n);
          std::copy_n(view.operand(0, n * n), n * n, result);
          if (!factorize(n, lower, result)) std::fill_n(result, n * n, std::numeric_limits<T>::quiet_NaN());
        });
  });
}

std::unique_ptr<GroupKernel> make_triangular_solve_kernel(const ir::Op& op, const Target& target, int) {
  return kernel_by_dtype(op, [&]<typename T>() -> std::unique_ptr<GroupKernel> {
    const auto solve = linear_algebra<T>(target.isa).triangular_solve;
    const ops::TriangularSystem system = ops::triangular_system(op);
    const TriangularForm form = {system.left_side, system.lower, system.unit_diagonal,
                                 system.transpose != ops::TriangleTranspose::kNone};
    const MatrixExtents b(op.operand(1));
    const std::int64_t n = op.operand(0).dims().back(), m = form.left_side ? b.columns : b.rows;
    return std::make_unique<EachMatrixKernel<T>>(ops::num_matrices(op.operand(1).type()),
                                                 [=](const BatchView<T>& view) {
                                                   T* const result = view.result(0, n * m);
                                                   std::copy_n(view.operand(1, n * m), n * m, result);
                                                   solve(n, m, form, view.operand(0, n * n), result);
                                                 });
  });
}

std::unique_ptr<GroupKernel> make_custom_call_kernel(const ir::Op& op, const Target& target, int) {
  const bool is_qr = ops::call_target(op) == "Qr";
  return kernel_by_dtype(op, [&]<typename T>() -> std::unique_ptr<GroupKernel> {
    const LinearAlgebra<T>& functions = linear_algebra<T>(target.isa);
    const MatrixExtents a(op.operand(0));
    const std::int64_t rank = is_qr ? op.result(1).dims().back() : op.operand(1).dims().back();
    const std::int64_t count = ops::num_matrices(op.operand(0).type());
    if (!is_qr)
      return std::make_unique<EachMatrixKernel<T>>(count, [=, &functions](const BatchView<T>& view) {
        functions.householder_product(a.rows, a.columns, rank, view.operand(0, a.size()),
                                      view.operand(1, rank), view.result(0, a.size()));
      });
    return std::make_unique<EachMatrixKernel<T>>(count, [=, &functions](const BatchView<T>& view) {
      T* const result = view.result(0, a.size());
      std::copy_n(view.operand(0, a.size()), a.size(), result);
      functions.qr(a.rows, a.columns, result, view.result(1, rank));
    });
  });
}

}  // namespace cornu::inline v0::backends::cpu
