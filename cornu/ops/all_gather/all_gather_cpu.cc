#include "cornu/backends/cpu/collectives/processes_kernel.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::all_gather_folder {
/// Several processes run the op by a kernel; a single replica runs it by its reference kernel.
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {{.name = "all_gather",
                                     .op_kind = OpKind::kKernel,
                                     .falls_back = kFallsBackAlone,
                                     .kernel = {.make = make_gather_kernel,
                                                .serves = is_gather_over_processes,
                                                .sent_bytes = bytes_sent_for_gather}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::all_gather_folder
