#include "cornu/backends/cpu/collectives/processes_kernel.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::all_reduce_folder {
/// Several processes run the op by a kernel; a single replica runs it by its reference kernel.
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {{.name = "all_reduce",
                                     .op_kind = OpKind::kKernel,
                                     .falls_back = kFallsBackAlone,
                                     .update = {.changes_operands = true},
                                     .kernel = {.make = make_sum_kernel,
                                                .serves = is_sum_over_processes,
                                                .async_collective = {.serves = pays_beside_others,
                                                                     .make_start = make_begin_of_sum,
                                                                     .make_done = make_end_of_sum,
                                                                     .is_by_operand = true},
                                                .sent_bytes = bytes_sent_for_sum}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::all_reduce_folder
