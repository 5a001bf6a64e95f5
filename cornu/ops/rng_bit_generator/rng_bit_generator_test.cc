#include "cornu/ops/rng_bit_generator/rng_bit_generator.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/parse.h"
#include "cornu/ops/rng_bit_generator/philox.h"

/// The bits are compared with XLA's in tests/programs/random_words.mlir.
namespace cornu::inline v0::ops::rng_bit_generator_folder {
namespace {

using ir::DType;

std::string error(const ir::TensorType& state, const char* algorithm, DType dtype) {
  return error_label(
      {state}, [=](ir::Builder& b, Operands v) { rng_bit_generator(b, v[0], algorithm, {dtype, {3}}); });
}

TEST(RngBitGeneratorTest, I1_RejectsOtherStates) {
  EXPECT_EQ(error({DType::kU32, {2}}, "PHILOX", DType::kU32), "[rng_bit_generator] (I1)");
  EXPECT_EQ(error({DType::kU64, {4}}, "PHILOX", DType::kU32), "[rng_bit_generator] (I1)");
  EXPECT_EQ(error({DType::kU64, {3}}, "THREE_FRY", DType::kU32), "[rng_bit_generator] (I1)");
  EXPECT_EQ(error({DType::kU64, {3}}, "DEFAULT", DType::kU32), "");
}

TEST(RngBitGeneratorTest, I2_RejectsAnUnknownAlgorithm) {
  EXPECT_EQ(error({DType::kU64, {2}}, "MERSENNE", DType::kU32), "[rng_bit_generator] (I2)");
}

TEST(RngBitGeneratorTest, I3_RejectsBitsOfFloats) {
  EXPECT_EQ(error({DType::kU64, {2}}, "PHILOX", DType::kF32), "[rng_bit_generator] (I3)");
}

std::vector<std::uint32_t> philox_words(const std::vector<std::uint32_t>& key_and_counter) {
  std::vector<ir::Literal> inputs;
  for (const std::uint32_t word : key_and_counter)
    inputs.push_back(ir::Literal::of<std::uint32_t>({}, {word}));
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < 4; ++i)
    words.push_back(run_op(inputs,
                           [i](ir::Builder& b, Operands v) {
                             return philox4x32(b, {v[0], v[1]}, {v[2], v[3], v[4], v[5]})[i];
                           })[0]
                        .data<std::uint32_t>()[0]);
  return words;
}

// The known-answer vectors that Random123 publishes (kat_vectors, philox4x32, 10 rounds).
TEST(RngBitGeneratorTest, PhiloxGivesThePublishedWords) {
  EXPECT_EQ(philox_words({0, 0, 0, 0, 0, 0}),
            (std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox_words({0xa4093822, 0x299f31d0, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            (std::vector<std::uint32_t>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RngBitGeneratorTest, TheCounterOf128BitsCarries) {
  const auto state = run_op({ir::Literal::of<std::uint64_t>({3}, {5, 0xfffffffffffffffeU, 7})},
                            [](ir::Builder& b, Operands v) {
                              return rng_bit_generator(b, v[0], "PHILOX", {DType::kU32, {15}})[0];
                            });
  EXPECT_EQ(elements<std::uint64_t>(state[0]), (std::vector<std::uint64_t>{5, 2, 8}));
}

TEST(RngBitGeneratorTest, IsReadInBothForms) {
  for (const char* const op : {"%s, %b = stablehlo.rng_bit_generator %a, algorithm =  THREE_FRY : "
                               "(tensor<2xui64>) -> (tensor<2xui64>, "
                               "tensor<4xui8>)",
                               "%s, %b = \"stablehlo.rng_bit_generator\"(%a) <{rng_algorithm = "
                               "#stablehlo<rng_algorithm THREE_FRY>}> : "
                               "(tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui8>)"}) {
    const ir::ParsedModule parsed =
        parse_stablehlo(std::string("func.func @main(%a: tensor<2xui64>) -> tensor<4xui8> {\n") + op +
                        "\nreturn %b : tensor<4xui8>\n}");
    EXPECT_EQ(parsed.entry().body.ops()[0]->attributes().get<std::string>("rng_algorithm"), "THREE_FRY");
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::rng_bit_generator_folder
