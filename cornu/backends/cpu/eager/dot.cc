#include <algorithm>
#include <utility>

#include "cornu/backends/cpu/eager/steps.h"
#include "cornu/backends/cpu/onednn/module.h"
#include "cornu/backends/cpu/onednn/sgemm.h"
#include "cornu/base/check.h"
#include "cornu/ir/dtype.h"

namespace cornu::inline v0::backends::cpu::eager {
namespace {

constexpr double kParallelFlops = 2e6;

class DotStep final : public Step {
 public:
  DotStep(const DotOperands& dot, ir::DType dtype, const KernelSet& kernels, const Target& target)
      : dot_(dot), target_(target), bytes_(static_cast<std::int64_t>(ir::size_bytes(dtype))), plain_(kernels.dot(dtype)) {
    for (const std::int64_t extent : dot.batch) num_batches_ *= extent;
    const double flops = 2.0 * static_cast<double>(dot.m) * static_cast<double>(dot.n) * static_cast<double>(dot.k);
    parallel_batches_ = num_batches_ > 1 && flops * static_cast<double>(num_batches_) >= kParallelFlops;
    by_matrix_kernel_ = dtype == ir::DType::kF32 && dot.m > 0 && dot.n > 0 && dot.k > 0;
    if (by_matrix_kernel_) {
      MatrixProduct p;
      p.m = dot.m;
      p.n = dot.n;
      p.k = dot.k;
      p.ldc = dot.n;
      p.transpose_a = dot.a_column != 1;
      p.lda = p.transpose_a ? dot.a_column : dot.a_row;
      p.transpose_b = dot.b_column != 1;
      p.ldb = p.transpose_b ? dot.b_column : dot.b_row;
      CORNU_CHECK((!p.transpose_a || dot.a_row == 1) && (!p.transpose_b || dot.b_row == 1), "strides {} {}, {} {}", dot.a_row, dot.a_column,
                  dot.b_row, dot.b_column);
      matrix_ = choose_matrix_dot(p, target_);
      if (matrix_.library && !onednn::serves(target_.isa)) matrix_.library = false;
      if (matrix_.library) onednn::load();
    }
  }

  void run(const Run& run) const override {
    if (num_batches_ == 0) return;
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
    const std::byte* const a_bytes = run.slots[dot_.a.slot] + a * bytes_;
    const std::byte* const b_bytes = run.slots[dot_.b.slot] + b * bytes_;
    std::byte* const c_bytes = run.slots[dot_.c_slot] + batch * dot_.m * dot_.n * bytes_;
    if (by_matrix_kernel_)
      return run_matrix_dot(matrix_, target_, reinterpret_cast<const float*>(a_bytes), reinterpret_cast<const float*>(b_bytes),
                            reinterpret_cast<float*>(c_bytes), *run.pool);
    plain_({dot_.m, dot_.n, dot_.k, a_bytes, dot_.a_row, dot_.a_column, b_bytes, dot_.b_row, dot_.b_column, c_bytes});
  }

  DotOperands dot_;
  Target target_;
  std::int64_t bytes_;
  DotKernel plain_;
  MatrixDot matrix_;
  bool by_matrix_kernel_ = false, parallel_batches_ = false;
  std::int64_t num_batches_ = 1;
};

}  // namespace

std::unique_ptr<Step> make_dot_step(const DotOperands& dot, ir::DType dtype, const KernelSet& kernels, const Target& target) {
  return std::make_unique<DotStep>(dot, dtype, kernels, target);
}

}  // namespace cornu::inline v0::backends::cpu::eager
