#include "cornu/backends/cpu/onednn/convolution.h"
#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/thin.h"
#include "cornu/backends/cpu/convolution/winograd.h"
#include "cornu/backends/cpu/half_kernel.h"
#include "cornu/backends/cpu/onednn/module.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// As if op were of f32.
std::unique_ptr<GroupKernel> make_float_convolution(const ir::Op& op, const Target& target, int num_threads) {
  if (const std::optional<ConvolutionProblem> problem = convolution_problem(op)) {
    const int outputs = target.winograd ? winograd_outputs(*problem) : 0;
    if (outputs != 0) return make_winograd_convolution(*problem, outputs, target.isa, num_threads);
    if (is_thin_convolution(*problem)) return make_thin_convolution(*problem, target.isa, num_threads);
    if (onednn::serves(target.isa))
      if (auto kernel = onednn::make_convolution(*problem, num_threads)) return kernel;
  }
  return make_gemm_convolution(op, target, num_threads);
}

}  // namespace

std::unique_ptr<GroupKernel> make_convolution_kernel(const ir::Op& op, const Target& target, int num_threads) {
  switch (op.result().dtype()) {
    case ir::DType::kF32: return make_float_convolution(op, target, num_threads);
    case ir::DType::kF16:
    case ir::DType::kBF16: return make_half_kernel(op, target, make_float_convolution(op, target, num_threads));
    default: return make_direct_convolution(op, num_threads);
  }
}

}  // namespace cornu::inline v0::backends::cpu
