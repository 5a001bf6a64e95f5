#include "cornu/backends/cpu/linear_algebra/linear_algebra.h"

#include <algorithm>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/linear_algebra/routines.h"
#include "cornu/backends/cpu/linear_algebra/small_qr_kernel.h"
#include "cornu/backends/cpu/linear_algebra/small_svd_kernel.h"
#include "cornu/base/check.h"
#include "cornu/base/float_environment.h"
#include "cornu/ops/custom_call/custom_call.h"
#include "cornu/ops/custom_call/eig.h"
#include "cornu/ops/decomposition_parts/decomposition_parts.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/svd/svd.h"
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
  T* result(std::size_t i, std::int64_t size) const { return result_of<T>(i, size); }
  template <typename Element>
  Element* result_of(std::size_t i, std::int64_t size) const {
    return reinterpret_cast<Element*>(memory.results[i]) + batch * size;
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
  std::string_view name() const override { return "linear algebra"; }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      // Iterations end by comparisons with the smallest normal number, which assume gradual underflow.
      const FloatEnvironment with_subnormals;
      const std::int64_t end = (slice + 1) * count_ / num_slices_;
      for (std::int64_t i = slice * count_ / num_slices_; i < end; ++i) run_({memory, i});
    });
  }

 private:
  std::int64_t count_;
  Run run_;
};

/// Runs a kernel for tensors of f64 and complex<f64> on tensors of f32 and complex<f32>, which are converted in
/// scratch memory. Integers pass through.
class WideKernel final : public GroupKernel {
 public:
  WideKernel(const ir::Op& op, std::unique_ptr<GroupKernel> wide) : wide_(std::move(wide)) {
    CORNU_CHECK(op.operands().size() <= kMaxTensors && op.results().size() <= kMaxTensors, "{}", op.name());
    for (const ir::Value& operand : op.operands()) operands_.push_back(tensor_of(operand));
    for (const ir::Value& result : op.results()) results_.push_back(tensor_of(result));
    num_slices_ = wide_->num_slices();
  }

  bool is_library() const override { return true; }
  std::string_view name() const override { return "linear algebra"; }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    const std::byte* operands[kMaxTensors] = {};
    std::byte* results[kMaxTensors] = {};
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      operands[i] = memory.operands[i];
      if (!operands_[i].is_float) continue;
      auto* const wide = reinterpret_cast<double*>(memory.scratch + operands_[i].offset);
      std::copy_n(reinterpret_cast<const float*>(memory.operands[i]), operands_[i].count, wide);
      operands[i] = memory.scratch + operands_[i].offset;
    }
    for (std::size_t i = 0; i < results_.size(); ++i)
      results[i] = results_[i].is_float ? memory.scratch + results_[i].offset : memory.results[i];
    wide_->run(
        {.operands = std::span(operands, operands_.size()), .results = std::span(results, results_.size())},
        pool);
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (!results_[i].is_float) continue;
      const auto* const wide = reinterpret_cast<const double*>(results[i]);
      std::transform(wide, wide + results_[i].count, reinterpret_cast<float*>(memory.results[i]),
                     [](double x) { return static_cast<float>(x); });
    }
  }

 private:
  static constexpr std::size_t kMaxTensors = 4;
  struct Tensor {
    bool is_float = false;
    std::int64_t count = 0;
    std::size_t offset = 0;  // in the scratch memory
  };

  Tensor tensor_of(ir::Value value) {
    if (value.dtype() != ir::DType::kF32) return {};
    const Tensor tensor{true, value.type().num_elements(), scratch_bytes_};
    scratch_bytes_ += whole_lines(static_cast<std::size_t>(tensor.count) * sizeof(double));
    return tensor;
  }

  std::unique_ptr<GroupKernel> wide_;
  std::vector<Tensor> operands_, results_;
};

template <typename F>
std::unique_ptr<GroupKernel> kernel_by_dtype(const ir::Op& op, const Target& target, const F& make) {
  const ir::DType dtype = op.operand(0).dtype();
  if (dtype == ir::DType::kF32 && !has_f32_decompositions(target.isa))
    return std::make_unique<WideKernel>(op, make.template operator()<double>());
  if (dtype == ir::DType::kF32) return make.template operator()<float>();
  if (dtype == ir::DType::kC64) return make.template operator()<std::complex<float>>();
  if (dtype == ir::DType::kC128) return make.template operator()<std::complex<double>>();
  CORNU_CHECK(dtype == ir::DType::kF64, "a decomposition of {}", op.operand(0).type().str());
  return make.template operator()<double>();
}

struct MatrixExtents {
  explicit MatrixExtents(ir::Value x) : rows(x.dims()[x.dims().size() - 2]), columns(x.dims().back()) {}
  std::int64_t rows, columns;
  std::int64_t size() const { return rows * columns; }
};

template <typename T>
void fill_with_nan(T* elements, std::int64_t count) {
  if (elements != nullptr) std::fill_n(elements, count, T(std::numeric_limits<RealOf<T>>::quiet_NaN()));
}

}  // namespace

bool has_matrix_kernel(const ir::Op& op) {
  const ir::DType dtype = op.operand(0).dtype();
  return dtype == ir::DType::kF32 || dtype == ir::DType::kF64;
}

bool has_matrix_decomposition(const ir::Op& op) {
  return has_matrix_kernel(op) && op.operand(0).type().num_elements() > 0;
}

std::unique_ptr<GroupKernel> make_cholesky_kernel(const ir::Op& op, const Target& target, int) {
  return kernel_by_dtype(op, target, [&]<typename T>() -> std::unique_ptr<GroupKernel> {
    const auto factorize = linear_algebra<T>(target.isa).cholesky;
    const bool lower = op.attributes().get<bool>("lower");
    const std::int64_t n = op.operand(0).dims().back();
    return std::make_unique<EachMatrixKernel<T>>(ops::num_matrices(op.operand(0).type()),
                                                 [=](const BatchView<T>& view) {
                                                   T* const result = view.result(0, n * n);
                                                   std::copy_n(view.operand(0, n * n), n * n, result);
                                                   if (!factorize(n, lower, result))
                                                     fill_with_nan(result, n * n);
                                                 });
  });
}

std::unique_ptr<GroupKernel> make_triangular_solve_kernel(const ir::Op& op, const Target& target, int) {
  return kernel_by_dtype(op, target, [&]<typename T>() -> std::unique_ptr<GroupKernel> {
    const auto solve = linear_algebra<T>(target.isa).triangular_solve;
    const ops::TriangularSystem system = ops::triangular_system(op);
    const TriangularForm form = {
        system.left_side, system.lower, system.unit_diagonal,
        system.transpose != ops::TriangleTranspose::kNone,
        system.transpose == ops::TriangleTranspose::kAdjoint && ir::is_complex(op.operand(0).dtype())};
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

namespace {

/// The kernel of cornu.eig. Its results are complex, so it runs as a part of a complex decomposition, in f64.
template <typename T>
std::unique_ptr<GroupKernel> make_eig_kernel(const ir::Op& op) {
  const std::int64_t n = op.operand(0).dims().back();
  return std::make_unique<EachMatrixKernel<T>>(
      ops::num_matrices(op.operand(0).type()), [n](const BatchView<T>& view) {
        auto* const values = view.template result_of<std::complex<double>>(0, n);
        auto* const vectors = view.template result_of<std::complex<double>>(1, n * n);
        if (general_eigenvalues(n, view.operand(0, n * n), values, vectors)) return;
        fill_with_nan(values, n);
        fill_with_nan(vectors, n * n);
      });
}

/// The kernel of cornu.schur, which runs as that of cornu.eig.
template <typename T>
std::unique_ptr<GroupKernel> make_schur_kernel(const ir::Op& op) {
  const std::int64_t n = op.operand(0).dims().back();
  return std::make_unique<EachMatrixKernel<T>>(
      ops::num_matrices(op.operand(0).type()), [n](const BatchView<T>& view) {
        T *const t = view.result(0, n * n), *const vectors = view.result(1, n * n);
        auto* const values = view.template result_of<std::complex<double>>(2, n);
        if (schur_form(n, view.operand(0, n * n), t, vectors, values)) return;
        fill_with_nan(t, n * n);
        fill_with_nan(vectors, n * n);
        fill_with_nan(values, n);
      });
}

template <typename T>
std::unique_ptr<GroupKernel> make_eigenvalue_kernel(const ir::Op& op) {
  return ops::call_target(op) == ops::kEigCall ? make_eig_kernel<T>(op) : make_schur_kernel<T>(op);
}

}  // namespace

std::unique_ptr<GroupKernel> make_custom_call_kernel(const ir::Op& op, const Target& target,
                                                     int num_threads) {
  if (ops::is_eigenvalue_call(op)) {
    if (op.operand(0).dtype() == ir::DType::kC128) return make_eigenvalue_kernel<std::complex<double>>(op);
    CORNU_CHECK(op.operand(0).dtype() == ir::DType::kF64, "eigenvalues of {}", op.operand(0).type().str());
    return make_eigenvalue_kernel<double>(op);
  }
  if (std::unique_ptr<GroupKernel> small = make_small_qr_kernel(op, target, num_threads)) return small;
  const bool is_qr = ops::call_target(op) == "Qr";
  return kernel_by_dtype(op, target, [&]<typename T>() -> std::unique_ptr<GroupKernel> {
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

std::unique_ptr<GroupKernel> make_lu_kernel(const ir::Op& op, const Target& target, int) {
  return kernel_by_dtype(op, target, [&]<typename T>() -> std::unique_ptr<GroupKernel> {
    const MatrixExtents a(op.operand(0));
    const std::int64_t rank = std::min(a.rows, a.columns);
    const auto factorize = linear_algebra<T>(target.isa).lu;
    return std::make_unique<EachMatrixKernel<T>>(
        ops::num_matrices(op.operand(0).type()), [=](const BatchView<T>& view) {
          T* const result = view.result(0, a.size());
          std::copy_n(view.operand(0, a.size()), a.size(), result);
          auto* const pivots = view.template result_of<std::int32_t>(1, rank);
          factorize(a.rows, a.columns, result, pivots);
          auto* const permutation = view.template result_of<std::int32_t>(2, a.rows);
          std::iota(permutation, permutation + a.rows, 0);
          for (std::int64_t k = 0; k < rank; ++k) std::swap(permutation[k], permutation[pivots[k]]);
        });
  });
}

std::unique_ptr<GroupKernel> make_eigh_kernel(const ir::Op& op, const Target& target, int) {
  return kernel_by_dtype(op, target, [&]<typename T>() -> std::unique_ptr<GroupKernel> {
    const auto solve = linear_algebra<T>(target.isa).eigh;
    const bool lower = op.attributes().get<bool>("lower");
    const std::int64_t n = op.operand(0).dims().back();
    return std::make_unique<EachMatrixKernel<T>>(
        ops::num_matrices(op.operand(0).type()), [=](const BatchView<T>& view) {
          auto* const values = view.template result_of<RealOf<T>>(0, n);
          T* const vectors = view.result(1, n * n);
          std::copy_n(view.operand(0, n * n), n * n, vectors);
          if (solve(n, lower, vectors, values)) return;
          fill_with_nan(values, n);
          fill_with_nan(vectors, n * n);
        });
  });
}

std::unique_ptr<GroupKernel> make_svd_kernel(const ir::Op& op, const Target& target, int num_threads) {
  if (std::unique_ptr<GroupKernel> small = make_small_svd_kernel(op, target, num_threads)) return small;
  return kernel_by_dtype(op, target, [&]<typename T>() -> std::unique_ptr<GroupKernel> {
    const auto solve = linear_algebra<T>(target.isa).svd;
    const MatrixExtents a(op.operand(0));
    const ops::SvdForm form = ops::svd_form(op);
    const std::int64_t rank = std::min(a.rows, a.columns);
    const std::int64_t u_size = a.rows * (form.full_matrices ? a.rows : rank);
    const std::int64_t vh_size = a.columns * (form.full_matrices ? a.columns : rank);
    return std::make_unique<EachMatrixKernel<T>>(
        ops::num_matrices(op.operand(0).type()), [=](const BatchView<T>& view) {
          auto* const s = view.template result_of<RealOf<T>>(0, rank);
          T* const u = form.compute_uv ? view.result(1, u_size) : nullptr;
          T* const vh = form.compute_uv ? view.result(2, vh_size) : nullptr;
          if (solve(a.rows, a.columns, form.full_matrices, view.operand(0, a.size()), u, s, vh)) return;
          fill_with_nan(s, rank);
          fill_with_nan(u, u_size);
          fill_with_nan(vh, vh_size);
        });
  });
}

namespace {

/// True for ops of complex<f32> whose functions exist for complex<f64> only.
bool has_only_double_precision(const ir::Op& op, const Target& target) {
  // pattern: a call for general eigenvalues
  return !has_f32_decompositions(target.isa) || (op.name() == "custom_call" && ops::is_eigenvalue_call(op));
}

}  // namespace

std::unique_ptr<GroupKernel> make_complex_decomposition_kernel(const ir::Op& op, const Target& target,
                                                               int num_threads) {
  std::unique_ptr<ir::Block> block = ops::decomposition_of_parts(op, false);
  const bool is_wide =
      op.operand(0).dtype() == ir::DType::kF32 && has_only_double_precision(*block->ops()[0], target);
  if (is_wide) block = ops::decomposition_of_parts(op, true);
  const ir::Op& inner = *block->ops()[0];
  // pattern: the decompositions' own kernels
  using Make = decltype(&make_lu_kernel);
  constexpr std::pair<std::string_view, Make> kMakers[] = {
      {"cholesky", make_cholesky_kernel},       {"triangular_solve", make_triangular_solve_kernel},
      {"custom_call", make_custom_call_kernel}, {"cornu.lu", make_lu_kernel},
      {"cornu.eigh", make_eigh_kernel},         {"cornu.svd", make_svd_kernel}};
  const auto found = std::find_if(std::begin(kMakers), std::end(kMakers),
                                  [&](const auto& maker) { return maker.first == inner.name(); });
  CORNU_CHECK(found != std::end(kMakers), "no kernel for complex [{}]", inner.name());
  std::unique_ptr<GroupKernel> kernel = found->second(inner, target, num_threads);
  return is_wide ? std::make_unique<WideKernel>(op, std::move(kernel)) : std::move(kernel);
}

}  // namespace cornu::inline v0::backends::cpu
