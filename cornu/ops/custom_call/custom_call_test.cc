#include "cornu/ops/custom_call/custom_call.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/error.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/op_test_support.h"
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

/// A call as JAX prints it for its CPU backend.
std::vector<ir::Literal> run_call(const std::string& target, const std::string& config, const ir::Literal& a,
                                  const std::string& result_types) {
  const std::string types = fmt::format("({}) -> ({})", a.type().str(), result_types);
  std::string results;
  const std::string_view tensor = "tensor<";
  std::ptrdiff_t count = 0;
  for (auto at = result_types.find(tensor); at != std::string::npos; at = result_types.find(tensor, at + 1))
    ++count;
  for (std::ptrdiff_t i = 0; i < count; ++i) results += fmt::format("{}%0#{}", i == 0 ? "" : ", ", i);
  const ir::ParsedModule parsed = parse_stablehlo(fmt::format(
      "func.func @main(%a: {}) -> ({}) {{\n"
      "  %0:{} = stablehlo.custom_call @{}(%a) {{{}, mhlo.frontend_attributes = {{num_batch_dims = \"0\"}}, "
      "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = "
      "[#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices "
      "= []>], "
      "result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : "
      "tensor<0xindex>], "
      "sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {{i=3, j=3, k=3, l=3, m=3}}, "
      "custom>}} "
      ": {}\n  return {} : {} }}",
      a.type().str(), result_types, count, target, config, types, results, result_types));
  return backends::reference::evaluate(parsed.entry(), {&a, 1});
}

std::string jax_config(const char* fields) {
  return fmt::format("backend_config = \"\", mhlo.backend_config = {{{}}}", fields);
}

TEST(CustomCallTest, LapackCallsOfJaxAreWrittenOut) {
  const ir::Literal a = ir::Literal::of<double>({2, 2}, {1, 7, 2, 5});
  const auto lu =
      run_call("lapack_dgetrf_ffi", jax_config(""), a, "tensor<2x2xf64>, tensor<2xi32>, tensor<i32>");
  EXPECT_EQ(elements<double>(lu[0]), (std::vector<double>{2, 5, 0.5, 4.5}));
  EXPECT_EQ(elements<std::int32_t>(lu[1]), (std::vector<std::int32_t>{2, 2}));

  const char* const vectors_and_values = "tensor<2x2xf64>, tensor<2xf64>, tensor<i32>";
  const auto lower =
      run_call("lapack_dsyevd_ffi", jax_config("mode = 86 : ui8, uplo = 76 : ui8"), a, vectors_and_values);
  EXPECT_NEAR(lower[1].at(0), 3 - std::sqrt(8.0), 1e-14);  // of {{1, 2}, {2, 5}}
  const auto upper =
      run_call("lapack_dsyevd_ffi", jax_config("mode = 86 : ui8, uplo = 85 : ui8"), a, vectors_and_values);
  EXPECT_NEAR(upper[1].at(0), 3 - std::sqrt(53.0), 1e-14);  // of {{1, 7}, {7, 5}}
  const auto xla = run_call("Eigh", "backend_config = \"1,1,100,1e-6\"", a, "tensor<2x2xf64>, tensor<2xf64>");
  EXPECT_EQ(xla[1].at(0), lower[1].at(0));

  const auto svd = run_call("lapack_dgesdd_ffi", jax_config("mode = 83 : ui8"), a,
                            "tensor<2x2xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<i32>");
  EXPECT_NEAR(svd[1].at(0) * svd[1].at(1), 9, 1e-13);
  const auto l = run_call("lapack_dpotrf_ffi", jax_config("uplo = 76 : ui8"),
                          ir::Literal::of<double>({2, 2}, {4, 0, 2, 5}), "tensor<2x2xf64>, tensor<i32>");
  EXPECT_EQ(elements<double>(l[0]), (std::vector<double>{2, 0, 1, 2}));
}

/// The numbers are NumPy's.
TEST(CustomCallTest, LapacksEigenvaluesOfGeneralMatricesAreWrittenOut) {
  const ir::Literal a = ir::Literal::of<double>({2, 2}, {1, 4, -1, 1});  // eigenvalues 1 + 2i, 1 - 2i
  const char* const both = "compute_left = 86 : ui8, compute_right = 86 : ui8";
  const char* const types =
      "tensor<2xf64>, tensor<2xf64>, tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>";
  const auto real = run_call("lapack_dgeev_ffi", jax_config(both), a, types);
  const std::int64_t first = real[1].at(0) > 0 ? 0 : 1;
  EXPECT_NEAR(real[0].at(first), 1, 1e-14);
  EXPECT_NEAR(real[1].at(first), 2, 1e-14);
  EXPECT_NEAR(std::abs(ir::complex_at(real[3], first) - std::sqrt(0.8)), 0, 1e-14);  // right: (2, i) / sqrt 5
  EXPECT_NEAR(std::abs(ir::complex_at(real[3], 2 + first) - std::complex(0.0, std::sqrt(0.2))), 0, 1e-14);
  EXPECT_NEAR(std::abs(ir::complex_at(real[2], first) - std::complex(0.0, -std::sqrt(0.2))), 0, 1e-14);
  EXPECT_NEAR(std::abs(ir::complex_at(real[2], 2 + first) - std::sqrt(0.8)), 0, 1e-14)
      << "left: (-i, 2) / sqrt 5";
}

TEST(CustomCallTest, LapacksSchurFormsAreWrittenOut) {
  // A rotation by a right angle, scaled, and the eigenvalue 3.
  const ir::Literal a = ir::Literal::of<double>({3, 3}, {0, 4, 1, -1, 0, 1, 0, 0, 3});
  const char* const types =
      "tensor<3x3xf64>, tensor<3x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<i32>, tensor<i32>";
  const auto results = run_call("lapack_dgees_ffi", jax_config("mode = 86 : ui8, sort = 78 : ui8"), a, types);
  double product = 1, sum = 0;
  for (std::int64_t i = 0; i < 3; ++i) {
    product *= std::hypot(results[2].at(i), results[3].at(i));
    sum += results[2].at(i);
  }
  EXPECT_NEAR(product, 12, 1e-13);
  EXPECT_NEAR(sum, 3, 1e-14);
  const std::int64_t block = results[3].at(0) != 0 ? 0 : 4;  // where the pair of eigenvalues is
  EXPECT_NEAR(results[0].at(block), results[0].at(block + 4), 1e-14);
  EXPECT_NEAR(results[0].at(block + 1) * results[0].at(block + 3), -4, 1e-13);
  EXPECT_THROW(run_call("lapack_dgees_ffi", jax_config("mode = 86 : ui8, sort = 83 : ui8"), a, types), Error);
}

TEST(CustomCallTest, AnErrorFunctionOfHloIsWrittenOut) {
  const ir::Literal a = ir::Literal::of<double>({2, 2}, {0, 0.5, -1, 3});
  const auto results =
      run_call("mhlo.erf", "mhlo.attributes = {}, mhlo.version = 1 : i64", a, "tensor<2x2xf64>");
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_NEAR(results[0].at(i), std::erf(a.at(i)), 1e-15);
}

TEST(CustomCallTest, ShardingChangesNothing) {
  const ir::Literal a = ir::Literal::of<double>({2, 2}, {1, 7, 2, 5});
  const auto same =
      run_call("Sharding", "backend_config = \"\", mhlo.sharding = \"{replicated}\"", a, "tensor<2x2xf64>");
  EXPECT_EQ(elements<double>(same[0]), elements<double>(a));
}

TEST(CustomCallTest, AConfigurationThatIsMissingIsNamed) {
  const ir::Literal a = ir::Literal::of<double>({2, 2}, {1, 7, 2, 5});
  try {
    run_call("lapack_dsyevd_ffi", jax_config("mode = 86 : ui8"), a,
             "tensor<2x2xf64>, tensor<2xf64>, tensor<i32>");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find("must have uplo in its backend_config"),
              std::string_view::npos);
  }
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
