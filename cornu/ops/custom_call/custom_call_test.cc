#include "cornu/ops/custom_call/custom_call.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/error.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops {
namespace {

/// The calls are those of jnp.linalg.qr on a platform without LAPACK, the numbers NumPy's.
TEST(CustomCallTest, QrIsLapacks) {
  const ir::ParsedModule parsed = parse_stablehlo(R"m(
    func.func @main(%a: tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xf64>, tensor<3x2xf64>) {
      %0:2 = stablehlo.custom_call @Qr(%a) {api_version = 1 : i32} : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xf64>)
      %1 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) {api_version = 1 : i32} : (tensor<3x2xf64>, tensor<2xf64>) -> tensor<3x2xf64>
      return %0#0, %0#1, %1 : tensor<3x2xf64>, tensor<2xf64>, tensor<3x2xf64>
    })m");
  const ir::Literal a = ir::Literal::of<double>({3, 2}, {1, 2, 2, 0, 2, 4});
  const auto results = backends::reference::evaluate(parsed.entry(), {&a, 1});
  const double q[] = {-1. / 3, 0.29814239699997197, -2. / 3, -0.7453559924999298,
                      -2. / 3, 0.5962847939999439};
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_NEAR(results[2].at(i), q[i], 1e-14) << i;
  EXPECT_NEAR(results[0].at(0), -3, 1e-14);
  EXPECT_NEAR(results[0].at(1), -10. / 3, 1e-14);
  EXPECT_NEAR(results[1].at(0), 4. / 3, 1e-14);
}

TEST(CustomCallTest, AnotherTargetIsNamed) {
  try {
    parse_stablehlo(
        "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.custom_call @Magic(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  return %0 : tensor<2xf32> }");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
    EXPECT_NE(std::string_view(error.what()).find("Cornu has no custom call \"Magic\""),
              std::string_view::npos);
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops
