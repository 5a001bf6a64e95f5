#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/backends/cpu/select_and_scatter/select_and_scatter.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::select_and_scatter_folder {
namespace {

OpKind class_of(const ir::Op& op) {
  if (has_plain_windows(op)) return OpKind::kWindow;
  return has_group_kernel(op) ? OpKind::kKernel : OpKind::kReference;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "select_and_scatter",
       .op_kind = OpKind::kWindow,
       .classify = class_of,
       .falls_back = "bodies that use values from outside or ops that are not elementwise",
       .cost = 3,
       .windows = WindowUse::kScatters,
       .kernel = {.make = make_select_and_scatter_kernel, .serves = has_select_and_scatter_kernel}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::select_and_scatter_folder
