#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/backends/cpu/reduce_window/reduce_window.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::reduce_window_folder {
namespace {

OpKind class_of(const ir::Op& op) {
  if (has_plain_windows(op)) return OpKind::kWindow;
  if (has_kernel_windows(op)) return OpKind::kKernel;
  return has_elementwise_body(op) ? OpKind::kReduce : OpKind::kReference;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "reduce_window",
       .op_kind = OpKind::kWindow,
       .classify = class_of,
       .falls_back = kFallsBackByBody,
       .cost_of = [](const ir::Op& op) { return num_elements(window_sizes(op)); },
       .windows = WindowUse::kReduces,
       .kernel = {.make = make_reduce_window_kernel, .serves = has_reduce_window_kernel}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::reduce_window_folder
