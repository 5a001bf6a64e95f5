#include <optional>

#include "cornu/backends/cpu/convolution/depthwise.h"
#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/thin.h"
#include "cornu/backends/cpu/convolution/winograd.h"
#include "cornu/backends/cpu/kernels/half_kernel.h"
#include "cornu/backends/cpu/onednn/convolution.h"
#include "cornu/backends/cpu/onednn/module.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::backends::cpu::convolution_folder {
namespace {

/// The kernel for f32: by Winograd's method, by dots or by the depthwise kernel where those are faster, else
/// by oneDNN or, where that does not serve, by the depthwise kernel or matrix products of gathered windows.
std::unique_ptr<GroupKernel> make_float_kernel(const ir::Op& op, const Target& target, int num_threads) {
  if (std::optional<ConvolutionProblem> problem = convolution_problem(op)) {
    problem->is_bf16 = false;
    const int outputs = target.winograd ? winograd_outputs(*problem) : 0;
    if (outputs != 0) return make_winograd_convolution(*problem, outputs, target.isa, num_threads);
    if (is_thin_convolution(*problem)) return make_thin_convolution(*problem, target.isa, num_threads);
    const bool is_depthwise = is_depthwise_convolution(*problem);
    if (onednn::serves(target.isa) && !(is_depthwise && is_slow_in_libraries(*problem)))
      if (auto kernel = onednn::make_convolution(*problem, num_threads)) return kernel;
    if (is_depthwise) return make_depthwise_convolution(*problem, target.isa, num_threads);
  }
  return make_gemm_convolution(op, target, num_threads);
}

bool multiplies_bf16(const ir::Op& op, const Target& target) {
  const std::optional<ConvolutionProblem> problem = convolution_problem(op);
  return problem && problem->is_bf16 && onednn::multiplies_bf16(*problem, target);
}

/// The kernel for any dtype: f64 and integers by plain loops, f16 and bf16 by f32, except where oneDNN
/// multiplies them directly.
std::unique_ptr<GroupKernel> make_kernel(const ir::Op& op, const Target& target, int num_threads) {
  if (multiplies_bf16(op, target))
    if (auto kernel = onednn::make_convolution(*convolution_problem(op), num_threads)) return kernel;
  switch (op.result().dtype()) {
    case ir::DType::kF32: return make_float_kernel(op, target, num_threads);
    case ir::DType::kF16:
    case ir::DType::kBF16: return make_half_kernel(op, target, make_float_kernel(op, target, num_threads));
    default: return make_direct_convolution(op, num_threads);
  }
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "convolution",
       .op_kind = OpKind::kKernel,
       .upcasts_low_precision = true,
       .kernel = {.make = make_kernel,
                  .flops = [](const ir::Op& op) { return 2 * ops::convolution_multiply_adds(op); },
                  .work = KernelWork::kConvolution,
                  .multiplies_bf16 = multiplies_bf16}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::convolution_folder
