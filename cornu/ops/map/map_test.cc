#include "cornu/ops/map/map.h"

#include <gtest/gtest.h>

#include "cornu/ir/op_def.h"
#include "cornu/ir/print.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops::map_folder {
namespace {

using ir::DType;

ir::Value first(ir::Builder&, Operands v) { return v[0]; }

TEST(MapTest, C1_RejectsInputsOfDifferentShapes) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {3}}},
                        [](ir::Builder& b, Operands v) { map(b, {v[0], v[1]}, first); }),
            "[map] (C1)");
}

TEST(MapTest, C2_RejectsNoInput) {
  EXPECT_EQ(error_label(
                {{DType::kF32, {}}},
                [](ir::Builder& b, Operands v) { map(b, {}, [&](ir::Builder&, Operands) { return v[0]; }); }),
            "[map] (C2)");
}

std::string program(const std::string& dimensions, const std::string& op) {
  return "func.func @main(%x: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x3xf32> {\n"
         "%0 = \"stablehlo.map\"(%x, %x) <{dimensions = array<i64: " +
         dimensions + ">}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n" + op +
         "\nstablehlo.return %1 : tensor<f32>\n}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>\n"
         "return %0 : tensor<2x3xf32>\n}";
}

TEST(MapTest, C3_RejectsOtherDimensions) {
  const std::string text = program("1, 0", "%1 = stablehlo.add %a, %b : tensor<f32>");
  try {
    parse_stablehlo(text);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("(C3)"), std::string::npos) << error.what();
  }
}

TEST(MapTest, C4_RejectsAComputationThatReturnsNoScalar) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}},
                        [](ir::Builder& b, Operands v) {
                          map(b, {v[0]}, [&](ir::Builder&, Operands) { return v[0]; });
                        }),
            "[map] (C4)");
}

TEST(MapTest, AComputationOfElementwiseOpsIsWrittenOut) {
  const auto parsed = parse_stablehlo(program(
      "0, 1",
      "%c = stablehlo.constant dense<2.0> : tensor<f32>\n%m = stablehlo.multiply %a, %c : tensor<f32>\n"
      "%1 = stablehlo.subtract %m, %s : tensor<f32>"));
  const std::string printed = ir::to_stablehlo(parsed.module);
  EXPECT_EQ(printed.find("stablehlo.map"), std::string::npos) << printed;
  const auto y = run_op({ir::Literal::of<float>({2, 3}, {0, 1, 2, 3, 4, 5}), ir::Literal::of<float>({}, {1})},
                        [](ir::Builder& b, Operands v) {
                          return map(b, {v[0]}, [&](ir::Builder& c, Operands w) {
                            return subtract(c, add(c, w[0], w[0]), v[1]);
                          });
                        });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{-1, 1, 3, 5, 7, 9}));
}

TEST(MapTest, AComputationOfOtherOpsStays) {
  const std::string text = program("0, 1",
                                   "%r = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>\n"
                                   "%1 = stablehlo.reshape %r : (tensor<1xf32>) -> tensor<f32>");
  EXPECT_NE(ir::to_stablehlo(parse_stablehlo(text).module).find("stablehlo.map"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::ops::map_folder
