#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/sort/sort.h"

namespace cornu::inline v0::backends::cpu::sort_folder {
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "sort",
       .op_kind = OpKind::kKernel,
       .falls_back = "a comparator that uses values from outside or ops that are not elementwise",
       .kernel = {.make = make_sort_kernel, .serves = has_sort_kernel}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::sort_folder
