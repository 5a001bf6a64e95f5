#include "cornu/backends/cpu/recurrent/kernel_column.h"

#include "cornu/backends/cpu/recurrent/sequence_kernel.h"
#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::recurrent {

std::unique_ptr<GroupKernel> make_kernel(const ir::Op& op, const Composite& composite, const Target& target,
                                         int num_threads) {
  const std::optional<RecurrentProblem> problem = problem_of(op, composite);
  CORNU_CHECK(problem.has_value(), "{} has no kernel", op.name());
  switch (problem->cell) {
    case Cell::kSimple: return make_simple_rnn_kernel(*problem, target, num_threads);
    case Cell::kGru: return make_gru_kernel(*problem, target, num_threads);
    case Cell::kLstm: break;
  }
  return make_lstm_kernel(*problem, target, num_threads);
}

double flops(const ir::Op& op, const Composite& composite) {
  const std::optional<RecurrentProblem> p = problem_of(op, composite);
  if (!p.has_value()) return 0;
  return 2.0 * static_cast<double>(p->batch * p->time) *
         static_cast<double>(p->units * p->units * p->num_gates);
}

}  // namespace cornu::inline v0::backends::cpu::recurrent
