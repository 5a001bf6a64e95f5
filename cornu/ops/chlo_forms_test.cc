#include "cornu/ops/chlo_forms.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"
#include "cornu/ops/parse.h"

/// Texts as jaxlib prints them.
namespace cornu::inline v0::ops {
namespace chlo_forms_test {
namespace {

std::vector<double> results_of(const std::string& op, const std::string& type,
                               const std::string& name = "%0") {
  const ir::ParsedModule parsed = parse_stablehlo(
      "func.func @main() -> " + type +
      " {\n"
      "  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
      "  %b = stablehlo.constant dense<[[1.0, 2.0], [3.0, 1.0], [0.0, 5.0]]> : tensor<3x2xf32>\n"
      "  %c = stablehlo.constant dense<[[1.0], [3.0], [0.0]]> : tensor<3x1xf32>\n"
      "  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>\n"
      "  %l = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>\n"
      "  %r = stablehlo.constant dense<[[[1.0], [10.0]], [[100.0], [1000.0]]]> : tensor<2x2x1xf32>\n"
      "  %s = stablehlo.constant dense<[2, 1]> : tensor<2xi32>\n"
      "  " +
      name + " = " + op + "\n  return %0 : " + type + "\n}");
  const ir::Literal result = backends::reference::evaluate(parsed.entry(), {})[0];
  std::vector<double> values;
  for (std::int64_t i = 0; i < result.type().num_elements(); ++i) values.push_back(result.at(i));
  return values;
}

using Values = std::vector<double>;

TEST(ChloFormsTest, OperandsAreBroadcast) {
  const std::string types = " : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>";
  EXPECT_EQ(results_of("chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 1>}" + types,
                       "tensor<3x2xf32>"),
            (Values{2, 4, 4, 3, 1, 7}));
  EXPECT_EQ(results_of("chlo.broadcast_subtract %a, %b" + types, "tensor<3x2xf32>"),
            (Values{0, 0, -2, 1, 1, -3}));
  EXPECT_EQ(results_of("chlo.broadcast_multiply %a, %c : (tensor<2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>",
                       "tensor<3x2xf32>"),
            (Values{1, 2, 3, 6, 0, 0}));
  EXPECT_EQ(
      results_of("chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : "
                 "(tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>",
                 "tensor<3x2xi1>"),
      (Values{0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(results_of("chlo.broadcast_select %p, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<3x2xf32>) -> "
                       "tensor<3x2xf32>",
                       "tensor<3x2xf32>"),
            (Values{1, 2, 1, 1, 1, 5}));
}

TEST(ChloFormsTest, ShapesThatDoNotFitAreRefused) {
  EXPECT_THROW(results_of("chlo.broadcast_add %b, %s : (tensor<3x2xf32>, tensor<2xi32>) -> tensor<3x2xf32>",
                          "tensor<3x2xf32>"),
               Error);
  EXPECT_THROW(
      results_of("chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>, "
                 "tensor<3x2xf32>) -> tensor<3x2xf32>",
                 "tensor<3x2xf32>"),
      Error);
}

TEST(ChloFormsTest, ConstantsTakeTheTypeOfTheOperand) {
  EXPECT_EQ(
      results_of(
          "\"chlo.constant_like\"(%a) <{value = 3.500000e+00 : f32}> : (tensor<2xf32>) -> tensor<2xf32>",
          "tensor<2xf32>"),
      (Values{3.5, 3.5}));
  EXPECT_EQ(results_of("\"chlo.constant_like\"(%s) <{value = 7 : i32}> : (tensor<2xi32>) -> tensor<2xi32>",
                       "tensor<2xi32>"),
            (Values{7, 7}));
  EXPECT_EQ(results_of("chlo.constant dense<1.0> : tensor<2xf32>", "tensor<2xf32>"), (Values{1, 1}));
  EXPECT_EQ(results_of("chlo.conj %a : tensor<2xf32> -> tensor<2xf32>", "tensor<2xf32>"), (Values{1, 2}));
}

/// Rows 0 and 1 are multiplied by the first matrix, row 2 by the second; each group sums its own rows.
TEST(ChloFormsTest, RaggedDotsMultiplyByGroups) {
  EXPECT_EQ(
      results_of(
          "\"chlo.ragged_dot\"(%l, %r, %s) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision "
          "DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], "
          "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : "
          "(tensor<3x2xf32>, tensor<2x2x1xf32>, tensor<2xi32>) -> tensor<3x1xf32>",
          "tensor<3x1xf32>"),
      (Values{21, 43, 6500}));
  EXPECT_EQ(
      results_of("\"chlo.ragged_dot\"(%l, %c, %s) <{ragged_dot_dimension_numbers = "
                 "#chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], "
                 "lhs_ragged_dimensions = [0]>}> : (tensor<3x2xf32>, tensor<3x1xf32>, tensor<2xi32>) -> "
                 "tensor<2x2x1xf32>",
                 "tensor<2x2x1xf32>"),
      (Values{10, 14, 0, 0}));
}

const std::string kScanOfRows =
    " {\n^bb0(%x: tensor<2xf32>, %carry: tensor<2xf32>):\n"
    "  %sum = stablehlo.add %x, %carry : tensor<2xf32>\n"
    "  stablehlo.return %sum, %sum : tensor<2xf32>, tensor<2xf32>\n"
    "} : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)\n"
    "  %0 = stablehlo.reshape %t#";

TEST(ChloFormsTest, AScanIsALoop) {
  const std::string first = "0 : (tensor<3x2xf32>) -> tensor<3x2xf32>",
                    last = "1 : (tensor<2xf32>) -> tensor<2xf32>";
  const auto scan = [&](const std::string& head, const std::string& result, const std::string& type) {
    // The results of the scan are named %t; %0 is a copy of one of them.
    return results_of("stablehlo.constant dense<0.0> : tensor<f32>\n  %t:2 = " + head + kScanOfRows + result,
                      type, "%unused");
  };
  EXPECT_EQ(scan("chlo.scan(%b) inits(%a) dimension=0", first, "tensor<3x2xf32>"),
            (Values{2, 4, 5, 5, 5, 10}));
  EXPECT_EQ(scan("chlo.scan(%b) inits(%a) dimension=0", last, "tensor<2xf32>"), (Values{5, 10}));
  EXPECT_EQ(
      scan("chlo.scan(%b) inits(%a) dimension=0 attributes {is_reverse = true}", first, "tensor<3x2xf32>"),
      (Values{5, 10, 4, 8, 1, 7}));
}

TEST(ChloFormsTest, AScanWhoseBodyDoesNotFitIsRefused) {
  EXPECT_THROW(results_of("stablehlo.constant dense<0.0> : tensor<f32>\n  %t:2 = chlo.scan(%b) inits(%a) "
                          "dimension=1" +
                              kScanOfRows + "1 : (tensor<2xf32>) -> tensor<2xf32>",
                          "tensor<2xf32>", "%unused"),
               Error);
}

}  // namespace
}  // namespace chlo_forms_test
}  // namespace cornu::inline v0::ops
