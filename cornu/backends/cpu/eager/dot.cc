#include "cornu/backends/cpu/eager/steps.h"
#include "cornu/backends/cpu/kernels/bf16_gemm.h"
#include "cornu/base/check.h"
#include "cornu/ir/dtype.h"

namespace cornu::inline v0::backends::cpu::eager {
namespace {

constexpr double kParallelFlops = 2e6;

MatrixProduct product_of(const DotOperands& dot) {
  MatrixProduct p;
  p.m = dot.m;
  p.n = dot.n;
  p.k = dot.k;
  p.ldc = dot.n;
  p.transpose_a = dot.a_column != 1;
  p.lda = p.transpose_a ? dot.a_column : dot.a_row;
  p.transpose_b = dot.b_column != 1;
  p.ldb = p.transpose_b ? dot.b_column : dot.b_row;
  CORNU_CHECK((!p.transpose_a || dot.a_row == 1) && (!p.transpose_b || dot.b_row == 1),
              "strides {} {}, {} {}", dot.a_row, dot.a_column, dot.b_row, dot.b_column);
  std::int64_t c_stride = dot.m * dot.n;
  for (std::size_t d = dot.batch.size(); d-- > 0; c_stride *= dot.batch[d])
    p.batch.insert(p.batch.begin(), {dot.batch[d], dot.a_batch[d], dot.b_batch[d], c_stride});
  return p;
}

/// By a matrix kernel, which wants a stride of 1 in each operand.
class MatrixDotStep final : public Step {
 public:
  MatrixDotStep(const DotOperands& dot, ir::DType dtype, const Target& target, int num_threads)
      : dot_(dot),
        dtype_(dtype),
        target_(target),
        matrix_(slice_matrix_product(product_of(dot), matrix_kernel(target, dtype == ir::DType::kBF16),
                                     num_threads)) {}

  void run(const Run& run) const override {
    auto* const sums = reinterpret_cast<float*>(dot_.sums_slot < 0 ? nullptr : run.slots[dot_.sums_slot]);
    if (dtype_ == ir::DType::kF32)
      return run_matrix_dot(matrix_, target_, at<float>(run, dot_.a), at<float>(run, dot_.b),
                            reinterpret_cast<float*>(run.slots[dot_.c_slot]), sums, *run.pool);
    run_bf16_matrix_dot(matrix_, target_, at<std::uint16_t>(run, dot_.a), at<std::uint16_t>(run, dot_.b),
                        reinterpret_cast<std::uint16_t*>(run.slots[dot_.c_slot]), sums, *run.pool);
  }

 private:
  template <typename T>
  static const T* at(const Run& run, const View& view) {
    return reinterpret_cast<const T*>(run.slots[view.slot]) + view.offset;
  }

  DotOperands dot_;
  ir::DType dtype_;
  Target target_;
  MatrixDot matrix_;
};

class DotStep final : public Step {
 public:
  DotStep(const DotOperands& dot, ir::DType dtype, const KernelSet& kernels)
      : dot_(dot), bytes_(static_cast<std::int64_t>(ir::size_bytes(dtype))), plain_(kernels.dot(dtype)) {
    for (const std::int64_t extent : dot.batch) num_batches_ *= extent;
    const double flops =
        2.0 * static_cast<double>(dot.m) * static_cast<double>(dot.n) * static_cast<double>(dot.k);
    parallel_batches_ = num_batches_ > 1 && flops * static_cast<double>(num_batches_) >= kParallelFlops;
  }

  void run(const Run& run) const override {
    if (!parallel_batches_) {
      for (std::int64_t batch = 0; batch < num_batches_; ++batch) run_batch(run, batch);
      return;
    }
    struct Work {
      const DotStep* step;
      const Run* run;
    } work{this, &run};
    run.pool->parallel_for(
        num_batches_,
        [](void* data, std::int64_t batch) {
          const Work& w = *static_cast<const Work*>(data);
          w.step->run_batch(*w.run, batch);
        },
        &work);
  }

 private:
  void run_batch(const Run& run, std::int64_t batch) const {
    std::int64_t a = dot_.a.offset, b = dot_.b.offset, rest = batch;
    for (std::size_t d = dot_.batch.size(); d-- > 0; rest /= dot_.batch[d]) {
      a += rest % dot_.batch[d] * dot_.a_batch[d];
      b += rest % dot_.batch[d] * dot_.b_batch[d];
    }
    plain_({dot_.m, dot_.n, dot_.k, run.slots[dot_.a.slot] + a * bytes_, dot_.a_row, dot_.a_column,
            run.slots[dot_.b.slot] + b * bytes_, dot_.b_row, dot_.b_column,
            run.slots[dot_.c_slot] + batch * dot_.m * dot_.n * bytes_});
  }

  DotOperands dot_;
  std::int64_t bytes_;
  elements::DotKernel plain_;
  bool parallel_batches_ = false;
  std::int64_t num_batches_ = 1;
};

}  // namespace

std::int64_t floats_of_sums(const DotOperands& dot, ir::DType dtype) {
  if (dtype == ir::DType::kF32) return partial_product_floats(product_of(dot));
  return dtype == ir::DType::kBF16 && dot.k > kernels::kBf16Depth
             ? product_of(dot).num_matrices() * dot.m * dot.n
             : 0;
}

bool has_matrix_kernel(const DotOperands& dot, ir::DType dtype, const Target& target) {
  if (dot.m == 0 || dot.n == 0 || dot.k == 0) return false;
  return dtype == ir::DType::kF32 || (dtype == ir::DType::kBF16 && target.has_bf16_products());
}

std::unique_ptr<Step> make_dot_step(const DotOperands& dot, ir::DType dtype, const KernelSet& kernels,
                                    const Target& target, int num_threads) {
  if (has_matrix_kernel(dot, dtype, target))
    return std::make_unique<MatrixDotStep>(dot, dtype, target, num_threads);
  return std::make_unique<DotStep>(dot, dtype, kernels);
}

}  // namespace cornu::inline v0::backends::cpu::eager
