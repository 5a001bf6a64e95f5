#include "cornu/backends/cpu/recurrent/recurrent.h"

#include "cornu/backends/cpu/recurrent/problem.h"
#include "cornu/backends/cpu/recurrent/sequence_kernel.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {

bool has_recurrent_kernel(const ir::Op& op) { return recurrent::problem_of(op).has_value(); }

std::unique_ptr<GroupKernel> make_recurrent_kernel(const ir::Op& op, const Target& target, int num_threads) {
  const std::optional<recurrent::RecurrentProblem> problem = recurrent::problem_of(op);
  CORNU_CHECK(problem.has_value(), "{} has no kernel", op.name());
  switch (problem->cell) {
    case recurrent::Cell::kSimple: return recurrent::make_simple_rnn_kernel(*problem, target, num_threads);
    case recurrent::Cell::kGru: return recurrent::make_gru_kernel(*problem, target, num_threads);
    case recurrent::Cell::kLstm: break;
  }
  return recurrent::make_lstm_kernel(*problem, target, num_threads);
}

double recurrent_flops(const ir::Op& op) {
  const std::optional<recurrent::RecurrentProblem> p = recurrent::problem_of(op);
  if (!p.has_value()) return 0;
  return 2.0 * static_cast<double>(p->batch * p->time) * static_cast<double>(p->units * p->units * p->num_gates);
}

}  // namespace cornu::inline v0::backends::cpu
