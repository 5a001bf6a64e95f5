#include "cornu/backends/cpu/recurrent/sequence_kernel.h"

namespace cornu::inline v0::backends::cpu::recurrent {
namespace {

class SimpleRnnKernel : public SequenceKernel {
 public:
  SimpleRnnKernel(const RecurrentProblem& problem, const Target& target, int num_threads)
      : SequenceKernel(problem, target, num_threads, {{{.begin = 0, .width = problem.units}}}),
        activate_(gates_.activate[static_cast<std::size_t>(problem.activation)]),
        slope_(gates_.slope[static_cast<std::size_t>(problem.activation)]) {}

 private:
  void step(const Slice& s, std::int64_t t) const override {
    for_counted(s, t, [&](std::int64_t r) {
      fetch_ahead(s, r);
      copy_floats(input(s, Role::kProjected) + at(s, r, t, units()), units(), s.sums + r * units());
    });
    add_product(s, 0, s.state, s.sums);
    for_counted(s, t, [&](std::int64_t r) {
      float* const state = s.state + r * units();
      activate_(units(), s.sums + r * units(), state);
      copy_floats(state, units(), result(s, Role::kStates) + at(s, r, t, units()));
    });
  }

  void gradient_step(const Slice& s, std::int64_t t) const override {
    for_counted(s, t, [&](std::int64_t r) {
      fetch_ahead(s, r);
      float* const d_sum = s.sums + r * units();
      copy_floats(s.state + r * units(), units(), d_sum);
      slope_(units(), input(s, Role::kStates) + at(s, r, t, units()), d_sum);
      copy_floats(d_sum, units(), result(s, Role::kDProjected) + at(s, r, t, units()));
    });
    multiply_transposed(s, 0, s.sums, s.product);
    for_counted(
        s, t, [&](std::int64_t r) { copy_floats(s.product + r * units(), units(), s.state + r * units()); });
  }

  GateFunctions::Map activate_, slope_;
};

}  // namespace

std::unique_ptr<GroupKernel> make_simple_rnn_kernel(const RecurrentProblem& problem, const Target& target,
                                                    int num_threads) {
  return std::make_unique<SimpleRnnKernel>(problem, target, num_threads);
}

}  // namespace cornu::inline v0::backends::cpu::recurrent
