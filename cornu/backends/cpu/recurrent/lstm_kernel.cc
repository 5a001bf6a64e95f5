#include "cornu/backends/cpu/recurrent/sequence_kernel.h"

namespace cornu::inline v0::backends::cpu::recurrent {
namespace {

/// Gates are in the order i, f, g, o.
class LstmKernel : public SequenceKernel {
 public:
  LstmKernel(const RecurrentProblem& problem, const Target& target, int num_threads)
      : SequenceKernel(problem, target, num_threads, {{{.begin = 0, .width = 4 * problem.units}}}),
        activate_(gates_.activate[static_cast<std::size_t>(problem.activation)]),
        slope_(gates_.slope[static_cast<std::size_t>(problem.activation)]),
        activate_gate_(gates_.activate[static_cast<std::size_t>(problem.recurrent_activation)]),
        gate_slope_(gates_.slope[static_cast<std::size_t>(problem.recurrent_activation)]) {}

 private:
  void step(const Slice& s, std::int64_t t) const override {
    for_counted(s, t, [&](std::int64_t r) {
      copy_floats(input(s, Role::kProjected) + at(s, r, t, width()), width(), s.sums + r * width());
    });
    add_product(s, 0, s.state, s.sums);
    for_counted(s, t, [&](std::int64_t r) {
      fetch_ahead(s, r);
      const float* const sums = s.sums + r * width();
      float* const gates = result(s, Role::kGates) + at(s, r, t, width());
      activate_gate_(2 * units(), sums, gates);
      activate_(units(), sums + 2 * units(), gates + 2 * units());
      activate_gate_(units(), sums + 3 * units(), gates + 3 * units());
      float* const carry = s.carry + r * units();
      float* const state = s.state + r * units();
      gates_.lstm_carry(units(), gates, carry);
      activate_(units(), carry, state);
      gates_.multiply(units(), gates + 3 * units(), state, state);
      copy_floats(carry, units(), result(s, Role::kCarries) + at(s, r, t, units()));
      copy_floats(state, units(), result(s, Role::kStates) + at(s, r, t, units()));
    });
  }

  void gradient_step(const Slice& s, std::int64_t t) const override {
    for_counted(s, t, [&](std::int64_t r) {
      fetch_ahead(s, r);
      const float* const gates = input(s, Role::kGates) + at(s, r, t, width());
      float* const d_sums = s.sums + r * width();
      float* const d_activated = s.product + r * units();
      float* const activated = d_sums;  // the memory for d of i
      activate_(units(), input(s, Role::kCarries) + at(s, r, t, units()), activated);
      gates_.lstm_output_gradient(units(), {.output = gates + 3 * units(),
                                            .activated = activated,
                                            .d_state = s.state + r * units(),
                                            .d_output = d_sums + 3 * units(),
                                            .d_activated = d_activated});
      slope_(units(), activated, d_activated);
      gates_.lstm_carry_gradient(units(), {.gates = gates,
                                           .carry_before = carry_before(s, r, t),
                                           .through_state = d_activated,
                                           .d_carry = s.carry + r * units(),
                                           .d_gates = d_sums});
      gate_slope_(2 * units(), gates, d_sums);
      slope_(units(), gates + 2 * units(), d_sums + 2 * units());
      gate_slope_(units(), gates + 3 * units(), d_sums + 3 * units());
      copy_floats(d_sums, width(), result(s, Role::kDProjected) + at(s, r, t, width()));
    });
    multiply_transposed(s, 0, s.sums, s.product);
    for_counted(
        s, t, [&](std::int64_t r) { copy_floats(s.product + r * units(), units(), s.state + r * units()); });
  }

  /// The carry before step t in the layer's direction, which is opposite to this traversal.
  const float* carry_before(const Slice& s, std::int64_t r, std::int64_t t) const {
    const bool is_first = t == (problem_.goes_back ? 0 : problem_.time - 1);
    if (is_first) return input(s, Role::kCarry) + (s.begin + r) * units();
    return input(s, Role::kCarries) + at(s, r, problem_.goes_back ? t - 1 : t + 1, units());
  }

  GateFunctions::Map activate_, slope_, activate_gate_, gate_slope_;
};

}  // namespace

std::unique_ptr<GroupKernel> make_lstm_kernel(const RecurrentProblem& problem, const Target& target,
                                              int num_threads) {
  return std::make_unique<LstmKernel>(problem, target, num_threads);
}

}  // namespace cornu::inline v0::backends::cpu::recurrent
