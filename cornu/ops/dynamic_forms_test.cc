#include "cornu/ops/dynamic_forms.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops {
namespace dynamic_forms_test {
namespace {

using Values = std::vector<double>;

Values results_of(const std::string& ops, const std::string& type) {
  const ir::ParsedModule parsed = parse_stablehlo(
      "func.func @main() -> " + type +
      " {\n"
      "  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>\n"
      "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "  %one = stablehlo.constant dense<1> : tensor<2xi64>\n"
      "  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>\n" +
      ops + "  return %0 : " + type + "\n}");
  const ir::Literal result = backends::reference::evaluate(parsed.entry(), {})[0];
  Values values;
  for (std::int64_t i = 0; i < result.type().num_elements(); ++i) values.push_back(result.at(i));
  return values;
}

TEST(DynamicFormsTest, ShapesOfStaticResultsAreNotNeeded) {
  EXPECT_EQ(results_of("%0 = stablehlo.dynamic_reshape %x, %shape : (tensor<2x3xf32>, tensor<2xi64>) -> "
                       "tensor<3x2xf32>\n",
                       "tensor<3x2xf32>"),
            (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(results_of("%0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi64>) -> tensor<3x2xi32>\n",
                       "tensor<3x2xi32>"),
            (Values{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(results_of("%0 = stablehlo.dynamic_broadcast_in_dim %zero, %shape, dims = [] : (tensor<f32>, "
                       "tensor<2xi64>) -> tensor<3x2xf32>\n",
                       "tensor<3x2xf32>"),
            Values(6, 0));
  EXPECT_EQ(results_of("%0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>\n",
                       "tensor<i32>"),
            Values{3});
}

/// The padding is computed from constants.
TEST(DynamicFormsTest, OperandsAreComputedFromConstants) {
  EXPECT_EQ(results_of("%low = stablehlo.subtract %one, %shape : tensor<2xi64>\n"  // -2, -1
                       "%0 = stablehlo.dynamic_pad %x, %zero, %low, %one, %one : (tensor<2x3xf32>, "
                       "tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x5xf32>\n",
                       "tensor<2x5xf32>"),
            (Values{0, 5, 0, 6, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(results_of("%begin = stablehlo.subtract %one, %one : tensor<2xi64>\n"
                       "%0 = stablehlo.real_dynamic_slice %x, %begin, %one, %one : (tensor<2x3xf32>, "
                       "tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1xf32>\n",
                       "tensor<1x1xf32>"),
            Values{1});
}

TEST(DynamicFormsTest, ValuesOfRunTimeAreRefused) {
  try {
    parse_stablehlo(
        "func.func @main(%x: tensor<3xf32>, %n: tensor<1xi64>) -> tensor<5xf32> {\n"
        "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "  %0 = stablehlo.dynamic_pad %x, %zero, %n, %n, %n : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, "
        "tensor<1xi64>, tensor<1xi64>) -> tensor<5xf32>\n"
        "  return %0 : tensor<5xf32>\n}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("edge_padding_low is known at run time only"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace dynamic_forms_test
}  // namespace cornu::inline v0::ops
