#include "cornu/backends/cpu/group_kernel.h"

#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/recurrent/recurrent.h"
#include "cornu/backends/cpu/reduce_window/reduce_window.h"
#include "cornu/backends/cpu/select_and_scatter/select_and_scatter.h"
#include "cornu/backends/cpu/sort/sort.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::backends::cpu {

bool has_group_kernel(const ir::Op& op) {
  if (op.operands().size() > kMaxKernelTensors) return false;
  if (op.name() == "convolution") return true;
  if (op.name() == "sort") return has_sort_kernel(op);
  if (op.name() == "reduce_window") return has_reduce_window_kernel(op);
  if (op.name() == "select_and_scatter") return has_select_and_scatter_kernel(op);
  return has_recurrent_kernel(op);
}

std::unique_ptr<GroupKernel> make_group_kernel(const ir::Op& op, const Target& target, int num_threads) {
  if (op.name() == "convolution") return make_convolution_kernel(op, target, num_threads);
  if (op.name() == "sort") return make_sort_kernel(op, target, num_threads);
  if (op.name() == "reduce_window") return make_reduce_window_kernel(op, target, num_threads);
  if (op.name() == "select_and_scatter") return make_select_and_scatter_kernel(op, target, num_threads);
  return make_recurrent_kernel(op, target, num_threads);
}

double kernel_flops(const ir::Op& op) {
  if (op.def().is_composite()) return recurrent_flops(op);
  return op.name() == "convolution" ? 2 * ops::convolution_multiply_adds(op) : 0;
}

}  // namespace cornu::inline v0::backends::cpu
