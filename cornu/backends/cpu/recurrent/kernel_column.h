#pragma once

#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/recurrent/problem.h"

/// Kernels of the recurrent composites and their gradients in f32, with any options; other types run as the
/// decomposition.
namespace cornu::inline v0::backends::cpu::recurrent {

std::unique_ptr<GroupKernel> make_kernel(const ir::Op& op, const Composite& composite, const Target& target,
                                         int num_threads);

/// Multiplications and additions of the products inside.
double flops(const ir::Op& op, const Composite& composite);

/// The kernel entry of a composite's row.
template <const Composite& kComposite>
constexpr KernelColumn kernel_column() {
  return {.make = [](const ir::Op& op, const Target& target,
                     int num_threads) { return make_kernel(op, kComposite, target, num_threads); },
          .serves = [](const ir::Op& op) { return problem_of(op, kComposite).has_value(); },
          .flops = [](const ir::Op& op) { return flops(op, kComposite); },
          .work = KernelWork::kSequence};
}

}  // namespace cornu::inline v0::backends::cpu::recurrent
