#include <algorithm>

#include "cornu/backends/cpu/recurrent/sequence_kernel.h"

namespace cornu::inline v0::backends::cpu::recurrent {
namespace {

/// Gates are in the order z, r, candidate; so are their gradients.
class GruKernel : public SequenceKernel {
 protected:
  GruKernel(const RecurrentProblem& problem, const Target& target, int num_threads,
            std::span<const KernelColumns> products)
      : SequenceKernel(problem, target, num_threads, products),
        activate_(gates_.activate[static_cast<std::size_t>(problem.activation)]),
        slope_(gates_.slope[static_cast<std::size_t>(problem.activation)]),
        activate_gate_(gates_.activate[static_cast<std::size_t>(problem.recurrent_activation)]),
        gate_slope_(gates_.slope[static_cast<std::size_t>(problem.recurrent_activation)]) {}

  std::int64_t saved() const { return problem_.saved_gates * units(); }
  const float* projected(const Slice& s, std::int64_t r, std::int64_t t) const {
    return input(s, Role::kProjected) + at(s, r, t, width());
  }

  /// Computes the state after the step from the candidate's sum.
  void end_step(const Slice& s, std::int64_t r, std::int64_t t, const float* candidate_sum,
                float* gates) const {
    float* const state = s.state + r * units();
    activate_(units(), candidate_sum, gates + 2 * units());
    gates_.gru_state(units(), gates, state);
    copy_floats(state, units(), result(s, Role::kStates) + at(s, r, t, units()));
  }

  /// Computes the gradients of z and of the candidate; leaves in `state` the part that reaches the state
  /// before the step without the gates.
  void begin_gradient(const Slice& s, std::int64_t r, std::int64_t t) const {
    const float* const gates = input(s, Role::kGates) + at(s, r, t, saved());
    float* const d_gates = s.sums + r * width();
    gates_.gru_state_gradient(units(), {.gates = gates,
                                        .state_before = input(s, Role::kStatesBefore) + at(s, r, t, units()),
                                        .d_state = s.state + r * units(),
                                        .d_update = d_gates,
                                        .d_candidate = d_gates + 2 * units()});
    gate_slope_(units(), gates, d_gates);
    slope_(units(), gates + 2 * units(), d_gates + 2 * units());
  }

  GateFunctions::Map activate_, slope_, activate_gate_, gate_slope_;
};

/// With reset_after: r is multiplied by the candidate's part of the recurrent product, which is stored after
/// the gates.
class GruResetAfterKernel : public GruKernel {
 public:
  GruResetAfterKernel(const RecurrentProblem& problem, const Target& target, int num_threads)
      : GruKernel(problem, target, num_threads, {{{.begin = 0, .width = 3 * problem.units}}}) {}

 private:
  void step(const Slice& s, std::int64_t t) const override {
    for_counted(s, t, [&](std::int64_t r) {
      fetch_ahead(s, r);
      if (problem_.has(Role::kBias))
        copy_floats(input(s, Role::kBias), width(), s.sums + r * width());
      else
        std::fill_n(s.sums + r * width(), width(), 0.0F);
    });
    add_product(s, 0, s.state, s.sums);
    for_counted(s, t, [&](std::int64_t r) {
      float* const sums = s.sums + r * width();
      float* const gates = result(s, Role::kGates) + at(s, r, t, saved());
      float* const recurrent = gates + 3 * units();
      gates_.add(2 * units(), projected(s, r, t), sums);
      activate_gate_(2 * units(), sums, gates);
      copy_floats(sums + 2 * units(), units(), recurrent);
      float* const candidate_sum = sums;
      copy_floats(projected(s, r, t) + 2 * units(), units(), candidate_sum);
      gates_.multiply_add(units(), gates + units(), recurrent, candidate_sum);
      end_step(s, r, t, candidate_sum, gates);
    });
  }

  void gradient_step(const Slice& s, std::int64_t t) const override {
    for_counted(s, t, [&](std::int64_t r) {
      fetch_ahead(s, r);
      begin_gradient(s, r, t);
      const float* const reset = input(s, Role::kGates) + at(s, r, t, saved()) + units();
      const float* const recurrent = reset + 2 * units();
      float* const d_reset = s.sums + r * width() + units();
      float* const d_candidate = d_reset + units();
      gates_.multiply(units(), d_candidate, recurrent, d_reset);
      gate_slope_(units(), reset, d_reset);
      copy_floats(s.sums + r * width(), width(), result(s, Role::kDProjected) + at(s, r, t, width()));
      gates_.multiply(units(), d_candidate, reset, d_candidate);
    });
    multiply_transposed(s, 0, s.sums, s.product);
    for_counted(s, t,
                [&](std::int64_t r) { gates_.add(units(), s.product + r * units(), s.state + r * units()); });
  }
};

/// Without reset_after: r is multiplied by the state, before a separate product for the candidate.
class GruResetBeforeKernel : public GruKernel {
 public:
  GruResetBeforeKernel(const RecurrentProblem& problem, const Target& target, int num_threads)
      : GruKernel(problem, target, num_threads,
                  {{{.begin = 0, .width = 2 * problem.units},
                    {.begin = 2 * problem.units, .width = problem.units}}}) {}

 private:
  static constexpr std::size_t kGateProduct = 0, kCandidateProduct = 1;

  void step(const Slice& s, std::int64_t t) const override {
    float* const reset_states = s.product;
    for_counted(s, t, [&](std::int64_t r) {
      fetch_ahead(s, r);
      copy_floats(projected(s, r, t), width(), s.sums + r * width());
    });
    add_product(s, kGateProduct, s.state, s.sums);
    for_counted(s, t, [&](std::int64_t r) {
      float* const gates = result(s, Role::kGates) + at(s, r, t, saved());
      activate_gate_(2 * units(), s.sums + r * width(), gates);
      gates_.multiply(units(), gates + units(), s.state + r * units(), reset_states + r * units());
    });
    add_product(s, kCandidateProduct, reset_states, s.sums + 2 * units());
    for_counted(s, t, [&](std::int64_t r) {
      end_step(s, r, t, s.sums + r * width() + 2 * units(), result(s, Role::kGates) + at(s, r, t, saved()));
    });
  }

  void gradient_step(const Slice& s, std::int64_t t) const override {
    for_counted(s, t, [&](std::int64_t r) {
      fetch_ahead(s, r);
      begin_gradient(s, r, t);
    });
    multiply_transposed(s, kCandidateProduct, s.sums + 2 * units(), s.product);
    for_counted(s, t, [&](std::int64_t r) {
      const float* const reset = input(s, Role::kGates) + at(s, r, t, saved()) + units();
      const float* const d_reset_state = s.product + r * units();
      float* const d_reset = s.sums + r * width() + units();
      gates_.multiply(units(), d_reset_state, input(s, Role::kStatesBefore) + at(s, r, t, units()), d_reset);
      gate_slope_(units(), reset, d_reset);
      gates_.multiply_add(units(), d_reset_state, reset, s.state + r * units());
      copy_floats(s.sums + r * width(), width(), result(s, Role::kDProjected) + at(s, r, t, width()));
    });
    multiply_transposed(s, kGateProduct, s.sums, s.product);
    for_counted(s, t,
                [&](std::int64_t r) { gates_.add(units(), s.product + r * units(), s.state + r * units()); });
  }
};

}  // namespace

std::unique_ptr<GroupKernel> make_gru_kernel(const RecurrentProblem& problem, const Target& target,
                                             int num_threads) {
  if (problem.reset_after) return std::make_unique<GruResetAfterKernel>(problem, target, num_threads);
  return std::make_unique<GruResetBeforeKernel>(problem, target, num_threads);
}

}  // namespace cornu::inline v0::backends::cpu::recurrent
