#include "cornu/backends/cpu/kernels/slices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "cornu/ops/all.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

struct RecurrentSize {
  std::int64_t batch, time, units;
};

struct ActivationNames {
  std::string activation = "tanh", recurrent_activation = "sigmoid";
};

/// One op of each kind, with a mask of any form and every optional operand; then without.
struct RecurrentGraph {
  RecurrentGraph(const RecurrentSize& n, bool full, bool back, const ActivationNames& names = {}) : size(n) {
    ir::Builder b(block);
    const auto argument = [&](ir::Dims dims, ir::DType dtype = ir::DType::kF32) {
      return block.add_argument({dtype, std::move(dims)});
    };
    const auto sequence = [&](std::int64_t gates) { return argument({n.batch, n.time, gates * n.units}); };
    const auto kernel = [&](std::int64_t gates) { return argument({n.units, gates * n.units}); };
    const auto state = [&] { return argument({n.batch, n.units}); };
    const ir::Value mask = full ? argument({n.batch, n.time}, ir::DType::kI1) : ir::Value();
    const ir::Value d_states = full ? sequence(1) : ir::Value();
    const auto& [activation, recurrent_activation] = names;
    ops::simple_rnn(b, sequence(1), kernel(1), state(), mask,
                    {.activation = activation, .go_backwards = back});
    ops::simple_rnn_gradient(b, {kernel(1), sequence(1), state(), d_states, mask},
                             {.activation = activation, .go_backwards = back});
    for (bool reset_after : {true, false}) {
      const ops::GruOptions gru{activation, recurrent_activation, reset_after, back};
      const ir::Value bias = full && reset_after ? argument({3 * n.units}) : ir::Value();
      ops::gru(b, {sequence(3), kernel(3), state(), bias, mask}, gru);
      ops::gru_gradient(b, {kernel(3), sequence(1), sequence(reset_after ? 4 : 3), state(), d_states, mask},
                        gru);
    }
    const ops::LstmOptions lstm{activation, recurrent_activation, back};
    ops::lstm(b, {sequence(4), kernel(4), state(), state(), mask}, lstm);
    ops::lstm_gradient(b, {kernel(4), state(), sequence(1), sequence(4), state(), state(), d_states, mask},
                       lstm);
  }

  RecurrentSize size;
  ir::Block block;
};

std::vector<ir::Literal> operands_of(const ir::Op& op, float bound = 0.9F) {
  std::mt19937 random(static_cast<unsigned>(op.name().size()));
  std::uniform_real_distribution<float> uniform(-bound, bound);
  std::vector<ir::Literal> literals;
  for (const ir::Value& operand : op.operands()) {
    ir::Literal literal(operand.type());
    if (operand.dtype() == ir::DType::kI1) {
      for (std::byte& byte : literal.mutable_bytes())
        byte = std::byte{static_cast<unsigned char>(random() % 2)};
    } else {
      for (float& value : literal.mutable_data<float>()) value = uniform(random);
    }
    literals.push_back(std::move(literal));
  }
  return literals;
}

std::vector<ir::Literal> run_recurrent(const ir::Op& op, const std::vector<ir::Literal>& operands,
                                       IsaLevel isa, int num_threads) {
  const Target target = make_target(std::string(isa_level_name(isa)));
  const auto kernel = make_group_kernel(op, target, num_threads);
  std::vector<const std::byte*> from;
  for (const ir::Literal& operand : operands) from.push_back(operand.bytes().data());
  std::vector<ir::Literal> results;
  std::vector<std::byte*> to;
  for (const ir::Value& result : op.results()) results.emplace_back(result.type());
  for (ir::Literal& result : results) to.push_back(result.mutable_bytes().data());
  // What the arena holds from before must not matter.
  std::vector<std::byte> scratch(kernel->scratch_bytes() + 64, std::byte{0xff});
  std::byte* const aligned =
      scratch.data() + (64 - reinterpret_cast<std::uintptr_t>(scratch.data()) % 64) % 64;
  ThreadPool pool(num_threads);
  kernel->run({from, to, aligned}, pool);
  return results;
}

void expect_same(const ir::Op& op, const std::vector<ir::Literal>& actual,
                 const std::vector<ir::Literal>& expected, bool masked, const std::string& what) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool is_gates = masked && !op.name().ends_with("_gradient") && i == op.results().size() - 1 &&
                          op.results().size() > 2;
    if (is_gates) continue;  // nothing is said of masked steps
    double difference = 0, norm = 0;
    for (std::int64_t k = 0; k < expected[i].type().num_elements(); ++k) {
      difference += std::pow(actual[i].at(k) - expected[i].at(k), 2);
      norm += std::pow(expected[i].at(k), 2);
    }
    EXPECT_LE(std::sqrt(difference), 3e-6 * std::sqrt(norm)) << op.name() << " result " << i << ", " << what;
  }
}

TEST(RecurrentKernelTest, EqualsTheDecompositionAtEveryLevel) {
  for (const RecurrentSize& size :
       {RecurrentSize{1, 1, 1}, {5, 4, 3}, {13, 6, 24}, {9, 3, 37}, {2, 2, 130}}) {
    for (bool full : {false, true}) {
      for (bool go_backwards : {false, true}) {
        const RecurrentGraph graph(size, full, go_backwards);
        for (const auto& op : graph.block.ops()) {
          ASSERT_TRUE(has_group_kernel(*op)) << op->name();
          const std::vector<ir::Literal> operands = operands_of(*op);
          const std::vector<ir::Literal> expected = transform::evaluate_op(*op, operands);
          for (IsaLevel isa : cpu_isa_levels())
            expect_same(*op, run_recurrent(*op, operands, isa, 2), expected, full,
                        std::string(isa_level_name(isa)) + (full ? ", all operands" : "") +
                            (go_backwards ? ", backwards" : ""));
        }
      }
    }
  }
}

TEST(RecurrentKernelTest, EqualsTheDecompositionWithEveryActivation) {
  const std::vector<std::string> names = {"linear", "tanh", "sigmoid", "relu", "hard_sigmoid"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ActivationNames pair{names[i], names[(i + 1) % names.size()]};
    const RecurrentGraph graph({6, 4, 19}, true, i % 2 == 1, pair);
    for (const auto& op : graph.block.ops()) {
      ASSERT_TRUE(has_group_kernel(*op)) << op->name();
      // Small, since values that do not saturate must not grow.
      const std::vector<ir::Literal> operands = operands_of(*op, 0.3F);
      const std::vector<ir::Literal> expected = transform::evaluate_op(*op, operands);
      for (IsaLevel isa : cpu_isa_levels())
        expect_same(*op, run_recurrent(*op, operands, isa, 2), expected, true,
                    pair.activation + " and " + pair.recurrent_activation);
    }
  }
}

TEST(RecurrentKernelTest, TheWideLevelsAgreeInEveryBit) {
  if (cpu_isa_levels().size() < 3) GTEST_SKIP() << "no AVX-512 here";
  const RecurrentGraph graph({7, 5, 37}, true, false);
  for (const auto& op : graph.block.ops()) {
    const std::vector<ir::Literal> operands = operands_of(*op);
    EXPECT_EQ(run_recurrent(*op, operands, IsaLevel::kAvx2, 1),
              run_recurrent(*op, operands, IsaLevel::kAvx512, 1))
        << op->name();
  }
}

TEST(RecurrentKernelTest, TheBitsDoNotDependOnTheNumberOfThreads) {
  const RecurrentGraph graph({37, 5, 20}, true, false);
  for (const auto& op : graph.block.ops()) {
    const std::vector<ir::Literal> operands = operands_of(*op);
    const std::vector<ir::Literal> one = run_recurrent(*op, operands, cpu_isa_level(), 1);
    for (int num_threads : {2, 3, 8, 16})
      EXPECT_EQ(run_recurrent(*op, operands, cpu_isa_level(), num_threads), one) << op->name();
  }
}

TEST(RecurrentKernelTest, TheGradientPassesMaskedRowsAsTheyAreBesideOthersThatCount) {
  const RecurrentGraph graph({6, 3, 8}, true, false);
  for (const auto& op : graph.block.ops()) {
    if (!op->name().ends_with("_gradient")) continue;
    std::vector<ir::Literal> operands = operands_of(*op);
    for (ir::Literal& operand : operands) {
      if (operand.type().dtype == ir::DType::kI1) {
        for (std::size_t i = 0; i < 3; ++i) operand.mutable_bytes()[i] = std::byte{0};  // all steps of row 0
        for (std::size_t i = 3; i < 18; ++i) operand.mutable_bytes()[i] = std::byte{1};
      } else {
        for (float& value : operand.mutable_data<float>()) value = -0.0F;
      }
    }
    for (float& value : operands[0].mutable_data<float>()) value = INFINITY;
    const std::vector<ir::Literal> results = run_recurrent(*op, operands, cpu_isa_level(), 1);
    for (std::int64_t unit = 0; unit < 8; ++unit) {
      const double d_initial = results[1].at(unit);
      EXPECT_TRUE(d_initial == 0 && std::signbit(d_initial))
          << op->name() << " unit " << unit << ": " << d_initial;
    }
  }
}

/// A row that a mask leaves out of all steps keeps its state bit by bit, and its zeros, beside rows that come
/// to NaN: the kernel is infinite.
TEST(RecurrentKernelTest, MaskedRowsKeepTheirStatesBesideOthersThatCount) {
  const RecurrentGraph graph({6, 3, 8}, true, false);
  for (const auto& op : graph.block.ops()) {
    if (op->name().ends_with("_gradient")) continue;
    std::vector<ir::Literal> operands = operands_of(*op);
    for (ir::Literal& operand : operands) {
      if (operand.type().dtype == ir::DType::kI1) {
        for (std::size_t i = 0; i < 18; ++i)
          operand.mutable_bytes()[i] = std::byte{static_cast<unsigned char>(i >= 3)};
      } else {
        for (float& value : operand.mutable_data<float>()) value = -0.0F;
      }
    }
    for (float& value : operands[1].mutable_data<float>()) value = INFINITY;
    const std::vector<ir::Literal> results = run_recurrent(*op, operands, cpu_isa_level(), 1);
    for (std::int64_t unit = 0; unit < 3 * 8; ++unit) {
      const double state = results[0].at(unit);
      EXPECT_TRUE(state == 0 && std::signbit(state)) << op->name() << " unit " << unit << ": " << state;
    }
    EXPECT_TRUE(std::isnan(results[0].at(3 * 8))) << op->name();
  }
}

TEST(RecurrentKernelTest, OtherTypesAreLeftToTheDecomposition) {
  ir::Block block;
  ir::Builder b(block);
  for (const ir::DType dtype : {ir::DType::kF64, ir::DType::kF16, ir::DType::kBF16}) {
    const auto argument = [&](ir::Dims dims) { return block.add_argument({dtype, std::move(dims)}); };
    ops::simple_rnn(b, argument({2, 3, 4}), argument({4, 4}), argument({2, 4}));
    ops::gru(b, {argument({2, 3, 12}), argument({4, 12}), argument({2, 4})});
    ops::lstm(b, {argument({2, 3, 16}), argument({4, 16}), argument({2, 4}), argument({2, 4})});
  }
  for (const auto& op : block.ops()) EXPECT_FALSE(has_group_kernel(*op)) << op->name();
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
