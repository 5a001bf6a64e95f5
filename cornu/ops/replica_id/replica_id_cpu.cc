#include "cornu/backends/cpu/collectives/processes_kernel.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::replica_id_folder {
/// The number of this process among those that run a program together.
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "replica_id", .op_kind = OpKind::kKernel, .kernel = {.make = make_replica_id_kernel}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::replica_id_folder
