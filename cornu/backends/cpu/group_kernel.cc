#include "cornu/backends/cpu/group_kernel.h"

#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/recurrent/recurrent.h"
#include "cornu/backends/cpu/select_and_scatter/select_and_scatter.h"
#include "cornu/backends/cpu/sort/sort.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::backends::cpu {

bool has_group_kernel(const ir::Op& op) {
  if (op.operands().size() > kMaxKernelTensors) return false;
  if (op.name() == "convolution") return true;
  if (op.name() == "sort") return has_sort_kernel(op);
  if (op.name() == "select_and_scatter") return has_select_and_scatter_kernel(op);
  return has_recurrent_kernel(op);
}

std::unique_ptr<GroupKernel> make_group_kernel(const ir::Op& op, const Target& target, int num_threads) {
  if (op.name() == "convolution") return make_convolution_kernel(op, target, num_threads);
  if (op.name() == "sort") return make_sort_kernel(op, target, num_threads);
  if (op.name() == "select_and_scatter") return make_select_and_scatter_kernel(op, target, num_threads);
  return make_recurrent_kernel(op, target, num_threads);
}

double kernel_flops(const ir::Op& op) {
  if (op.def().is_composite()) return recurrent_flops(op);
  if (op.name() != "convolution") return 0;
  if (const std::optional<ConvolutionProblem> problem = convolution_problem(op)) return problem->flops();
  const ops::ConvolutionDimensions d = ops::convolution_dimensions(op);
  const ir::Dims& kernel = op.operand(1).dims();
  double n = 2.0 * static_cast<double>(op.result().type().num_elements());
  n *= static_cast<double>(kernel[static_cast<std::size_t>(d.kernel_input_feature_dimension)]);
  for (std::int64_t axis : d.kernel_spatial_dimensions) n *= static_cast<double>(kernel[static_cast<std::size_t>(axis)]);
  return n;
}

}  // namespace cornu::inline v0::backends::cpu
