#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cornu/backends/cpu/attention/score_rows.h"
#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/ops/all.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

struct AttentionSize {
  std::int64_t batch, queries, keys, heads, dim, value_dim;
};

struct AttentionMasks {
  bool is_masked = false, is_causal = false;
  std::optional<double> score = {};  // of what is masked
};

/// The op and its gradient, which takes the op's results.
struct AttentionGraph {
  AttentionGraph(const AttentionSize& n, const AttentionMasks& masks) {
    ir::Builder b(block);
    const auto argument = [&](ir::Dims dims, ir::DType dtype = ir::DType::kF32) {
      return block.add_argument({dtype, std::move(dims)});
    };
    const ir::Value query = argument({n.batch, n.queries, n.heads, n.dim});
    const ir::Value key = argument({n.batch, n.keys, n.heads, n.dim});
    const ir::Value value = argument({n.batch, n.keys, n.heads, n.value_dim});
    const ir::Value mask =
        masks.is_masked ? argument({n.batch, 1, n.queries, n.keys}, ir::DType::kI1) : ir::Value();
    const ops::DotProductAttentionOptions options{
        .scale = n.dim > 100 ? 0.03 : 0.7, .is_causal = masks.is_causal, .masked_score = masks.score};
    const auto result = ops::dot_product_attention(b, query, key, value, mask, options);
    const ir::Value d_output = argument({n.batch, n.queries, n.heads, n.value_dim});
    ops::dot_product_attention_gradient(b, {query, key, value, result, d_output, mask}, options);
  }
  const ir::Op& forward() const { return *block.ops()[0]; }
  const ir::Op& backward() const { return *block.ops()[1]; }

  ir::Block block;
};

ir::Literal random_literal(const ir::TensorType& type, std::mt19937& random) {
  ir::Literal literal(type);
  if (type.dtype == ir::DType::kI1) {  // all keys are masked for the first query, half for the others
    std::size_t i = 0;
    for (std::byte& byte : literal.mutable_bytes())
      byte =
          std::byte{i++ < static_cast<std::size_t>(type.dims[3]) ? static_cast<unsigned char>(0)
                                                                 : static_cast<unsigned char>(random() % 2)};
    return literal;
  }
  std::normal_distribution<float> normal(0, 1.5F);
  for (float& value : literal.mutable_data<float>()) value = normal(random);
  return literal;
}

using Literals = std::vector<ir::Literal>;

/// query, key, value[, mask]; then the gradient of the output.
Literals inputs_of(const AttentionGraph& graph) {
  std::mt19937 random(5);
  Literals inputs;
  for (const ir::Value& argument : graph.block.arguments())
    inputs.push_back(random_literal(argument.type(), random));
  return inputs;
}

Literals run_attention(const ir::Op& op, const Literals& operands, IsaLevel isa, int num_threads) {
  const auto kernel = make_group_kernel(op, make_target(std::string(isa_level_name(isa))), num_threads);
  std::vector<const std::byte*> from;
  for (const ir::Literal& operand : operands) from.push_back(operand.bytes().data());
  Literals results;
  std::vector<std::byte*> to;
  for (const ir::Value& result : op.results()) results.emplace_back(result.type());
  // Old contents of the arena must not matter.
  for (ir::Literal& result : results) {
    std::ranges::fill(result.mutable_bytes(), std::byte{0xff});
    to.push_back(result.mutable_bytes().data());
  }
  std::vector<std::byte> scratch(kernel->scratch_bytes() + 64, std::byte{0xff});
  std::byte* const aligned =
      scratch.data() + (64 - reinterpret_cast<std::uintptr_t>(scratch.data()) % 64) % 64;
  ThreadPool pool(num_threads);
  kernel->run({from, to, aligned}, pool);
  return results;
}

/// The operands of the gradient: the inputs, the op's results, the gradient of the output, the mask.
Literals gradient_operands(const Literals& inputs, const Literals& results) {
  Literals operands(inputs.begin(), inputs.begin() + 3);
  operands.insert(operands.end(), results.begin(), results.end());
  operands.push_back(inputs.back());
  if (inputs.size() > 4) operands.push_back(inputs[3]);
  return operands;
}

void expect_near(const Literals& actual, const Literals& expected, const std::string& what) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double difference = 0, norm = 0;
    for (std::int64_t k = 0; k < expected[i].type().num_elements(); ++k) {
      difference += std::pow(actual[i].at(k) - expected[i].at(k), 2);
      norm += std::pow(expected[i].at(k), 2);
    }
    EXPECT_LE(std::sqrt(difference), 1e-5 * std::sqrt(norm)) << what << ", result " << i;
  }
}

/// Compares kernels with the definitions, at every level.
void check(const AttentionSize& size, const AttentionMasks& masks) {
  const AttentionGraph graph(size, masks);
  const Literals inputs = inputs_of(graph), operands(inputs.begin(), inputs.end() - 1);
  const Literals expected = transform::evaluate_op(graph.forward(), operands);
  const Literals of_gradient = gradient_operands(inputs, expected);
  const Literals expected_gradient = transform::evaluate_op(graph.backward(), of_gradient);
  for (const IsaLevel isa : cpu_isa_levels()) {
    const std::string what = fmt::format("{}, {} keys{}{}, score {}", isa_level_name(isa), size.keys,
                                         masks.is_masked ? ", masked" : "", masks.is_causal ? ", causal" : "",
                                         masks.score.value_or(-1e38));
    const Literals results = run_attention(graph.forward(), operands, isa, 2);
    expect_near({results[0]}, {expected[0]}, what);
    expect_near(run_attention(graph.backward(), of_gradient, isa, 2), expected_gradient, what + ", gradient");
  }
}

TEST(AttentionKernelTest, EqualsTheDefinitionAlsoOverSeveralBlocks) {
  for (const AttentionSize& size : {AttentionSize{1, 1, 1, 1, 1, 1},
                                    {2, 5, 7, 3, 4, 6},
                                    {1, 70, 530, 2, 9, 17},
                                    {1, 130, 40, 1, 16, 8},
                                    {1, 200, 200, 1, 24, 16},
                                    {1, 90, 150, 1, 530, 8}})
    for (const bool is_masked : {false, true})
      for (const bool is_causal : {false, true}) check(size, {is_masked, is_causal});
}

TEST(AttentionKernelTest, MaskedKeysHaveTheirScore) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const AttentionSize& size :
       {AttentionSize{2, 5, 7, 3, 4, 6}, {1, 70, 530, 2, 9, 17}, {1, 90, 40, 1, 16, 8}}) {
    for (const double score : {-1e9, -2.0, 0.0, 40.0, -kInfinity})
      check(size, {.is_causal = true, .score = score});
    for (const double score : {-1e9, -2.0, 40.0})
      for (const bool is_causal : {false, true}) check(size, {true, is_causal, score});
  }
}

TEST(AttentionKernelTest, AQueryThatSeesKeysOfScoreMinusInfinityOnlyHasNoOutput) {
  const AttentionGraph graph({1, 3, 5, 1, 4, 2},
                             {.is_masked = true, .score = -std::numeric_limits<double>::infinity()});
  const Literals inputs = inputs_of(graph);  // the first query sees nothing
  const Literals results =
      run_attention(graph.forward(), Literals(inputs.begin(), inputs.end() - 1), cpu_isa_level(), 1);
  for (std::int64_t i = 0; i < results[0].type().num_elements(); ++i)
    EXPECT_EQ(std::isnan(results[0].at(i)), i < 2) << i;
}

TEST(AttentionKernelTest, FewKeysAndFewQueriesRunAsTheDefinition) {
  const auto has_kernel = [](std::int64_t queries, std::int64_t keys) {
    const AttentionGraph graph({8, queries, keys, 2, 32, 32}, {});
    EXPECT_EQ(has_group_kernel(graph.forward()), has_group_kernel(graph.backward()));
    return has_group_kernel(graph.forward());
  };
  EXPECT_TRUE(has_kernel(64, 64));
  EXPECT_FALSE(has_kernel(1, 512));
  EXPECT_FALSE(has_kernel(512, 32));
}

TEST(AttentionKernelTest, BitsDependNeitherOnThreadsNorOnTheWideLevel) {
  const AttentionGraph graph({3, 140, 600, 2, 8, 24}, {.is_causal = true});
  const Literals inputs = inputs_of(graph), operands(inputs.begin(), inputs.end() - 1);
  const Literals one = run_attention(graph.forward(), operands, cpu_isa_level(), 1);
  const Literals of_gradient = gradient_operands(inputs, one);
  const Literals one_gradient = run_attention(graph.backward(), of_gradient, cpu_isa_level(), 1);
  for (const int num_threads : {2, 3, 8, 16}) {
    EXPECT_EQ(run_attention(graph.forward(), operands, cpu_isa_level(), num_threads), one);
    EXPECT_EQ(run_attention(graph.backward(), of_gradient, cpu_isa_level(), num_threads), one_gradient);
  }
  if (cpu_isa_levels().size() < 3) return;
  EXPECT_EQ(run_attention(graph.forward(), operands, IsaLevel::kAvx2, 1), one);
  EXPECT_EQ(run_attention(graph.backward(), of_gradient, IsaLevel::kAvx2, 1), one_gradient);
}

TEST(AttentionKernelTest, ItsScratchMemoryDoesNotGrowWithTheNumberOfQueries) {
  const Target target = make_target(std::string(isa_level_name(cpu_isa_level())));
  const auto bytes = [&](std::int64_t queries) {
    const AttentionGraph graph({1, queries, 4096, 4, 64, 64}, {});
    return make_group_kernel(graph.forward(), target, 2)->scratch_bytes() +
           make_group_kernel(graph.backward(), target, 2)->scratch_bytes();
  };
  EXPECT_EQ(bytes(4096), bytes(512));
  EXPECT_LT(bytes(4096), std::size_t{4} << 20);  // the scores alone are 256 MiB
}

TEST(AttentionKernelTest, ExponentialsAreAccurateAndEndInZero) {
  std::vector<float> x;
  for (float number = 0; number > -100; number -= 0.0078F) x.push_back(number);
  x.insert(x.end(), {-104, -1e9F, -3e38F, -std::numeric_limits<float>::infinity()});
  const auto count = static_cast<std::int64_t>(x.size());
  for (const IsaLevel level : cpu_isa_levels()) {
    std::vector<float> y = x;
    y.resize(x.size() + 16);  // whole lines
    attention::row_functions(level).exponentials({.num_keys = count, .num_earlier = count}, 0, y.data());
    EXPECT_EQ(y[0], 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double wanted = x[i] < -87.3366 ? 0 : std::exp(static_cast<double>(x[i]));
      ASSERT_NEAR(y[i], wanted, 2e-7 * wanted) << isa_level_name(level) << ", of " << x[i];
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
