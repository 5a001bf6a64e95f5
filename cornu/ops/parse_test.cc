#include "cornu/ops/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cornu/base/error.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/print.h"
#include "cornu/ops/op_texts.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::ops {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_stablehlo(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string around(const std::string& arguments, const std::string& op) {
  return "func.func @main(" + arguments + ") {\n  " + op + "\n  return\n}";
}

TEST(OpTextsTest, EachOpHasOneRow) {
  for (const ir::OpDef* def : all_op_defs()) {
    int count = 0;
    for (const ir::OpText& text : all_op_texts()) count += text.name == def->name ? 1 : 0;
    EXPECT_EQ(count, 1) << def->name << ": a row in its folder's *_text.cc";
  }
  EXPECT_EQ(all_op_texts().size(), all_op_defs().size());
}

/// `part` `count` times, with commas between.
std::string repeated(const std::string& part, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i == 0 ? "" : ", ") + part;
  return all;
}

TEST(ParseStableHloTest, AnOpOfTooFewOrTooManyOperandsIsRefusedWithItsPosition) {
  for (const ir::OpDef* def : all_op_defs()) {
    const ir::OpText& row = *std::find_if(all_op_texts().begin(), all_op_texts().end(),
                                          [&](const ir::OpText& text) { return text.name == def->name; });
    const std::string name(def->name);
    for (const int count : {0, 1, 2, 3, 4, 9}) {
      const std::string operands = repeated("%a", count),
                        types = "(" + repeated("tensor<f32>", count) + ") -> tensor<f32>";
      const std::string text = def->is_composite()
                                   ? "%0 = stablehlo.composite \"" + name + "\" " + operands +
                                         " {decomposition = @main} : " + types
                                   : "%0 = \"stablehlo." + name + "\"(" + operands + ") : " + types;
      const std::string error = error_of(around("%a: tensor<f32>", text));
      // An allowed number may be refused for its types or attributes.
      const bool is_allowed = count >= row.min_operands &&
                              (row.max_operands == ir::OpText::kAnyNumber || count <= row.max_operands);
      EXPECT_TRUE(error.starts_with("program:2:") || (is_allowed && error == "no error"))
          << text << ": " << error;
    }
  }
}

TEST(ParseStableHloTest, AShortFormWithoutItsAttributesIsReadOrRefusedWithAPosition) {
  for (const ir::OpDef* def : all_op_defs()) {
    if (def->is_composite()) continue;
    for (const int count : {0, 1, 2, 3, 9}) {
      const std::string text =
          "%0 = stablehlo." + std::string(def->name) + " " + repeated("%a", count) + " : tensor<f32>";
      const std::string error = error_of(around("%a: tensor<f32>", text));
      EXPECT_TRUE(error == "no error" || error.starts_with("program:")) << text << ": " << error;
    }
  }
}

TEST(ParseStableHloTest, ShortFormsAreThoseOfJax) {
  const ir::ParsedModule parsed = parse_stablehlo(R"(
    func.func @main(%a: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<3x2xf32> {
      %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %1 = stablehlo.slice %a [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
      %2 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      %3 = stablehlo.iota dim = 0 : tensor<4xi32>
      %4 = stablehlo.reduce_precision %a, format = e5m10 : tensor<2x3xf32>
      %5 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %6 = stablehlo.pad %a, %cst, low = [0, 1], high = [1, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
      %7 = chlo.erf %a : tensor<2x3xf32> -> tensor<2x3xf32>
      %8:2 = stablehlo.while(%k = %i, %v = %0) : tensor<i32>, tensor<3x2xf32>
       cond {
        %n = stablehlo.constant dense<3> : tensor<i32>
        %c = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %k, %one : tensor<i32>
        %twice = stablehlo.add %v, %v : tensor<3x2xf32>
        stablehlo.return %next, %twice : tensor<i32>, tensor<3x2xf32>
      }
      return %8#1 : tensor<3x2xf32>
    })");
  EXPECT_EQ(parsed.entry().body.ops().size(), 10U);
  EXPECT_EQ(parsed.entry().body.ops()[8]->name(), "cornu.erf");
}

TEST(ParseStableHloTest, AttributesAreKeptWithADialectAndRefusedWithout) {
  const std::string op = "%0 = \"stablehlo.transpose\"(%a) <{permutation = array<i64: 0>}> ",
                    type = " : (tensor<2xf32>) -> tensor<2xf32>";
  const ir::ParsedModule parsed =
      parse_stablehlo(around("%a: tensor<2xf32>", op + "{mhlo.sharding = \"{replicated}\"}" + type));
  EXPECT_EQ(parsed.entry().body.ops()[0]->attributes().get<std::string>("mhlo.sharding"), "{replicated}");
  EXPECT_NE(ir::to_stablehlo(parsed.entry()).find("{mhlo.sharding = \"{replicated}\"}"), std::string::npos);
  EXPECT_NE(error_of(around("%a: tensor<2xf32>", op + "{conjugate = true}" + type))
                .find("no attribute \"conjugate\""),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::ops
