#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <random>

#include "cornu/backends/cpu/emit/compiled_step.h"
#include "cornu/backends/cpu/onednn/module.h"
#include "cornu/backends/cpu/plan/plan_text_test_support.h"
#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/disk_cache.h"
#include "cornu/base/temporary_folder.h"

// Products of bf16 with and without instructions for them. What is planned and emitted for a target is tested
// on any machine; what such code computes only where the CPU has them.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;
using runtime::ArgumentKind;

Target avx512(bool bf16_products) {
  return {IsaLevel::kAvx512, 16, 32, true, true, bf16_products ? Bf16Level::kVectors : Bf16Level::kNone};
}

class Bf16ProductsTest : public PlanText {
 protected:
  std::string product_groups(const Target& target, std::int64_t depth = 512, std::int64_t columns = 64) {
    const Value x = argument({128, depth}, ArgumentKind::kFixed, DType::kBF16);
    const Value w = argument({depth, columns}, ArgumentKind::kFixed, DType::kBF16);
    argument({128, columns}, ArgumentKind::kState, DType::kBF16);
    return groups({ops::matmul(b_, x, w)}, {.parallel = false, .target = target});
  }
};

TEST_F(Bf16ProductsTest, AreMultipliedAsTheyAreWhereTheTargetCan) {
  EXPECT_EQ(product_groups(avx512(true)), "  matrix_dot [128x64]: (b0 b1) -> b2: dot_general\n");
  EXPECT_EQ(plan_.buffers[2].type.dtype, DType::kBF16);
  EXPECT_LT(plan_.groups[0].scratch_buffer, 0);
}

TEST_F(Bf16ProductsTest, AreWidenedWhereItCannot) {
  EXPECT_EQ(product_groups(avx512(false)),
            "  loop [128x512]: (b0) -> b3: convert\n"
            "  loop [512x64]: (b1) -> b4: convert\n"
            "  matrix_dot [128x64]: (b3 b4) -> b5: dot_general\n"
            "  loop [128x64]: (b5) -> b2: convert\n");
  EXPECT_EQ(plan_.buffers[5].type.dtype, DType::kF32);
}

TEST_F(Bf16ProductsTest, ThoseOfConvolutionsAreWidenedToo) {
  const Value x = argument({1, 8, 8, 2}, ArgumentKind::kFixed, DType::kBF16);
  const Value w = argument({3, 3, 2, 4}, ArgumentKind::kFixed, DType::kBF16);
  argument({1, 6, 6, 4}, ArgumentKind::kState, DType::kBF16);
  plan({ops::convolution(b_, x, w, ops::channels_last(2), {})});
  EXPECT_EQ(step_after("simplify"),
            "  v0 = convert(a0): 1x8x8x2xf32\n"
            "  v1 = convert(a1): 3x3x2x4xf32\n"
            "  v2 = convolution(v0 v1): 1x6x6x4xf32\n"
            "  v3 = convert(v2): 1x6x6x4xbf16\n"
            "  return v3\n");
}

TEST_F(Bf16ProductsTest, RecurrencesRunInF32AndRoundTheirResults) {
  const Value projected = argument({2, 3, 16}, ArgumentKind::kFixed, DType::kBF16);
  const Value kernel = argument({4, 16}, ArgumentKind::kFixed, DType::kBF16);
  const Value state = argument({2, 4}, ArgumentKind::kFixed, DType::kBF16);
  argument({2, 3, 4}, ArgumentKind::kState, DType::kBF16);
  plan({ops::lstm(b_, {.projected = projected, .recurrent_kernel = kernel, .hidden = state, .carry = state})
            .states});
  EXPECT_EQ(step_after("simplify"),
            "  v0 = convert(a0): 2x3x16xf32\n"
            "  v1 = convert(a1): 4x16xf32\n"
            "  v2 = convert(a2): 2x4xf32\n"
            "  v3 v4 v5 v6 v7 = cornu.lstm(v0 v1 v2 v2): 2x3x4xf32\n"
            "  v8 = convert(v3): 2x3x4xbf16\n"
            "  return v8\n");
}

TEST_F(Bf16ProductsTest, AreWidenedWhereTheyGoToLoops) {
  const std::string small = product_groups(avx512(true), 16);
  EXPECT_NE(small.find("  dot [128x64]: (b3 b4) -> b5: dot_general\n"), std::string::npos) << small;
  EXPECT_EQ(plan_.buffers[5].type.dtype, DType::kF32);
}

TEST_F(Bf16ProductsTest, OfFewColumnsAreWidened) {
  product_groups(avx512(true), 1024, 4);
  for (const Group& group : plan_.groups)
    if (group.is<DotGroup>() || group.is<MatrixDotGroup>()) {
      EXPECT_EQ(group.op->result().dtype(), DType::kF32);
    }
}

TEST_F(Bf16ProductsTest, ConvolutionsStayWhereTilesMultiplyThem) {
  if (!onednn::serves(make_target("").isa)) GTEST_SKIP() << "no oneDNN";
  const Value x = argument({4, 8, 8, 16}, ArgumentKind::kFixed, DType::kBF16);
  const Value w = argument({3, 3, 16, 16}, ArgumentKind::kFixed, DType::kBF16);
  argument({4, 6, 6, 16}, ArgumentKind::kState, DType::kBF16);
  const Value y = ops::convolution(b_, x, w, ops::channels_last(2), {});
  Target target = make_target("");
  target.bf16 = Bf16Level::kTiles;
  EXPECT_EQ(groups({y}, {.parallel = false, .target = target}),
            "  kernel [4x6x6x16]: (b0 b1) -> b2: convolution\n");
  const auto multiplies = find_cpu_op(*y.op())->kernel.multiplies_bf16;
  EXPECT_TRUE(multiplies(*y.op(), target));
  target.bf16 = Bf16Level::kVectors;
  EXPECT_FALSE(multiplies(*y.op(), target));
}

TEST_F(Bf16ProductsTest, LongSumsHaveMemoryInF32) {
  product_groups(avx512(true), 1025);
  ASSERT_TRUE(plan_.groups[0].is<MatrixDotGroup>());
  const int scratch = plan_.groups[0].scratch_buffer;
  ASSERT_GE(scratch, 0);
  EXPECT_EQ(plan_.buffers[static_cast<std::size_t>(scratch)].type.size_bytes(), 128U * 64 * sizeof(float));
}

TEST_F(Bf16ProductsTest, OnlyTheLevelAvx512HasThem) {
  for (const IsaLevel level : cpu_isa_levels())
    EXPECT_EQ(make_target(std::string(isa_level_name(level))).bf16,
              level == IsaLevel::kAvx512 ? default_bf16_level() : Bf16Level::kNone);
}

TEST_F(Bf16ProductsTest, CodeForThemIsAnotherEntryOfTheCache) {
  const TemporaryFolder folder("cornu-bf16-");
  const DiskCache cache({.folder = folder.path().string()});
  const Value x = argument({64});  // the same module for both
  groups({ops::add(b_, x, x)}, {.target = avx512(true)});
  for (const bool has : {true, false}) {
    EXPECT_FALSE(compile_step(plan_, avx512(has), {.cache = &cache})->from_cache());
    EXPECT_TRUE(compile_step(plan_, avx512(has), {.cache = &cache})->from_cache());
  }
}

TEST_F(Bf16ProductsTest, NumbersAreRoundedByTheInstruction) {
  const Value x = argument({4096}, ArgumentKind::kFixed);
  argument({4096}, ArgumentKind::kState, DType::kBF16);
  groups({ops::convert(b_, ops::tanh(b_, x), DType::kBF16)}, {.target = avx512(true)});
  const auto assembly = [&](bool has) { return compile_step(plan_, avx512(has))->text("assembly"); };
  EXPECT_NE(assembly(true).find("vcvtneps2bf16"), std::string::npos);
  EXPECT_EQ(assembly(false).find("vcvtneps2bf16"), std::string::npos);
}

TEST_F(Bf16ProductsTest, NumbersAreRoundedOnceOnTheirWayToMemory) {
  const Value x = argument({4096}, ArgumentKind::kFixed);
  argument({4096}, ArgumentKind::kState, DType::kBF16);
  groups({ops::convert(b_, x, DType::kBF16)}, {.parallel = false, .target = avx512(true)});
  const std::string text = compile_step(plan_, avx512(true))->text("assembly");
  const std::size_t first = text.find("vcvtneps2bf16");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("vcvtneps2bf16", first + 1), std::string::npos) << text;
}

Literal bf16_numbers(const ir::Dims& dims) {
  Literal literal(ir::TensorType{DType::kF32, dims});
  std::mt19937 random(static_cast<unsigned>(literal.type().num_elements()));
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (float& x : literal.mutable_data<float>()) x = uniform(random);
  return literal;
}

TEST(Bf16ProgramsTest, RolesOfADenseLayerAreAsTheReference) {
  for (const std::int64_t inputs : {96, 1100})
    expect_as_reference({bf16_numbers({70, inputs}), bf16_numbers({inputs, 83}), bf16_numbers({70, 83})},
                        [](ir::Builder& b, std::span<const Value> v) -> std::vector<Value> {
                          std::vector<Value> half;
                          for (const Value x : v) half.push_back(ops::convert(b, x, DType::kBF16));
                          const Value &x = half[0], &w = half[1], &dy = half[2];
                          return {ops::matmul(b, x, w), ops::matmul(b, dy, ops::transpose(b, w, {1, 0})),
                                  ops::matmul(b, ops::transpose(b, x, {1, 0}), dy)};
                        });
}

TEST(Bf16ProgramsTest, RoundingIsToNearestEvenToTheLastBit) {
  Literal x(ir::TensorType{DType::kF32, {10}});
  const std::array<std::uint32_t, 10> bits = {0x3f800000, 0x3f808000, 0x3f818000, 0x3f808001, 0x3f817fff,
                                              0xbf818000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x80000000};
  std::memcpy(x.mutable_bytes().data(), bits.data(), sizeof(bits));
  expect_as_reference({x}, [](ir::Builder& b, std::span<const Value> v) -> std::vector<Value> {
    const Value half = ops::convert(b, v[0], DType::kBF16);
    return {ops::bitcast_convert(b, half, DType::kU16),
            ops::bitcast_convert(b, ops::convert(b, half, DType::kF32), DType::kU32)};
  });
}

/// One product by an eager program, and by the reference.
void expect_eager_product(std::int64_t depth, bool transpose_lhs, bool transpose_rhs) {
  ir::Function function;
  function.name = "main";
  const auto dims = [](std::int64_t rows, std::int64_t columns, bool transposed) {
    return transposed ? ir::Dims{3, columns, rows} : ir::Dims{3, rows, columns};
  };
  std::vector<Literal> inputs;
  ir::Builder b(function.body);
  std::vector<Value> halves;
  for (const ir::Dims& each : {dims(20, depth, transpose_lhs), dims(depth, 37, transpose_rhs)}) {
    inputs.push_back(bf16_numbers(each));
    halves.push_back(ops::convert(b, function.body.add_argument(inputs.back().type()), DType::kBF16));
  }
  const std::int64_t lhs_contracting = transpose_lhs ? 1 : 2, rhs_contracting = transpose_rhs ? 2 : 1;
  function.body.set_results({ops::dot_general(b, halves[0], halves[1],
                                              {.lhs_batching = {0},
                                               .rhs_batching = {0},
                                               .lhs_contracting = {lhs_contracting},
                                               .rhs_contracting = {rhs_contracting}})});
  const std::vector<Literal> expected = reference::evaluate(function, inputs);
  Literal result(expected[0].type());
  const std::byte* const in[] = {inputs[0].bytes().data(), inputs[1].bytes().data()};
  std::byte* const out[] = {result.mutable_bytes().data()};
  runtime::make_client("cpu", {.num_threads = 2})->prepare(function)->run(in, out);
  EXPECT_EQ(ops::compare_literals(result, expected[0], 1), "");
}

TEST(Bf16ProgramsTest, EagerProductsAreAsTheReference) {
  for (const std::int64_t depth : {33, 1030})
    for (const bool transpose_lhs : {false, true})
      for (const bool transpose_rhs : {false, true}) {
        SCOPED_TRACE(fmt::format("{} {} {}", depth, transpose_lhs, transpose_rhs));
        expect_eager_product(depth, transpose_lhs, transpose_rhs);
      }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
