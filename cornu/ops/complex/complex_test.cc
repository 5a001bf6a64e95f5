#include "cornu/ops/complex/complex.h"

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <string_view>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/error.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/complex_functions.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/parse.h"
#include "cornu/ops/registry.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/split_complex.h"

namespace cornu::inline v0::ops {
namespace {

using Complex = std::complex<double>;
using ir::DType;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A function's value and gradients by mpmath and JAX.
struct GoldenRow {
  std::string_view name;
  Complex z, w, value, z_gradient, w_gradient;
};
const GoldenRow kGolden[] = {
#include "cornu/ops/complex/complex_golden.inc"
};

ir::Literal literal(Complex value) { return ir::Literal::of<Complex>({}, {value}); }

bool is_binary(std::string_view name) { return name == "multiply" || name == "divide" || name == "power"; }

Complex number(const ir::Literal& value) {
  return ir::is_complex(value.type().dtype) ? ir::complex_at(value, 0) : Complex(value.at(0));
}

void expect_near(Complex actual, Complex expected, double tolerance, const GoldenRow& row) {
  EXPECT_LE(std::abs(actual - expected), tolerance * std::abs(expected))
      << row.name << " of " << row.z << " and " << row.w << ": " << actual << ", expected " << expected;
}

/// The function of one row; the operands are its arguments.
std::unique_ptr<ir::Function> function_of(const GoldenRow& row) {
  auto function = std::make_unique<ir::Function>();
  function->name = "main";
  std::vector<ir::Value> operands = {function->body.add_argument({DType::kC128, {}})};
  if (is_binary(row.name)) operands.push_back(function->body.add_argument({DType::kC128, {}}));
  ir::Builder b(function->body);
  const ir::OpDef* const def = find_op_def(row.name);
  function->body.set_results(
      {def != nullptr ? b.create(*def, operands).result() : complex_function_of(b, row.name, operands[0])});
  return function;
}

std::vector<ir::Literal> arguments_of(const GoldenRow& row) {
  std::vector<ir::Literal> arguments = {literal(row.z)};
  if (is_binary(row.name)) arguments.push_back(literal(row.w));
  return arguments;
}

TEST(ComplexTest, ValuesAreExact) {
  for (const GoldenRow& row : kGolden) {
    const auto function = function_of(row);
    const double tolerance = row.name == "power" ? 1e-13 : 1e-14;
    expect_near(number(backends::reference::evaluate(*function, arguments_of(row))[0]), row.value, tolerance,
                row);
    // The graph of real numbers: its arguments and its result have the parts as one more dimension.
    const auto parts = transform::split_complex(*function);
    ASSERT_NE(parts, nullptr);
    std::vector<ir::Literal> arguments;
    for (const Complex argument : {row.z, row.w})
      arguments.push_back(ir::Literal::of<double>({2}, {argument.real(), argument.imag()}));
    arguments.resize(function->body.arguments().size());
    const ir::Literal result = backends::reference::evaluate(*parts, arguments)[0];
    expect_near(result.type().rank() == 0 ? Complex(result.at(0)) : Complex(result.at(0), result.at(1)),
                row.value, tolerance, row);
  }
}

TEST(ComplexTest, GradientsAreJaxs) {
  for (const GoldenRow& row : kGolden) {
    if (find_op_def(row.name) == nullptr || row.z_gradient != row.z_gradient) continue;
    const auto function = function_of(row);
    ir::Builder b(function->body);
    const ir::Value result = function->body.results()[0];
    const bool is_real = !ir::is_complex(result.dtype());
    const ir::Value seed = constant(b, is_real ? ir::Literal::scalar(DType::kF64, 1) : literal({1, -0.5}));
    std::vector<ir::Op*> ops;
    for (const auto& op : function->body.ops()) ops.push_back(op.get());
    const auto gradients =
        transform::vector_jacobian_product(b, {&result, 1}, {&seed, 1}, function->body.arguments(), ops);
    function->body.set_results(gradients);
    const auto values = backends::reference::evaluate(*function, arguments_of(row));
    const double tolerance = row.name == "power" ? 1e-12 : 1e-13;
    expect_near(number(values[0]), row.z_gradient, tolerance, row);
    if (values.size() > 1) expect_near(number(values[1]), row.w_gradient, tolerance, row);
  }
}

std::string error_of(std::string_view text) {
  try {
    parse_stablehlo(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ComplexTest, I1_RefusesOtherTypes) {
  EXPECT_NE(error_of("func.func @f(%a: tensor<2xi32>) -> tensor<2xi32> {\n"
                     "  %0 = \"stablehlo.real\"(%a) : (tensor<2xi32>) -> tensor<2xi32>\n"
                     "  return %0 : tensor<2xi32> }")
                .find("(I1) operand must be of floats or complex numbers; got tensor<2xi32>"),
            std::string::npos);
  EXPECT_NE(
      error_of("func.func @f(%a: tensor<2xf16>) -> tensor<2xf16> {\n"
               "  %0 = \"stablehlo.complex\"(%a, %a) : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>\n"
               "  return %0 : tensor<2xf16> }")
          .find("(I1) lhs must be of f32 or f64; got tensor<2xf16>"),
      std::string::npos);
}

TEST(ComplexTest, C1_RefusesPartsOfTwoTypes) {
  EXPECT_NE(error_of("func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xcomplex<f32>> {\n"
                     "  %0 = \"stablehlo.complex\"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> "
                     "tensor<2xcomplex<f32>>\n  return %0 : tensor<2xcomplex<f32>> }")
                .find("(C1) lhs and rhs must have one type; got tensor<2xf32> and tensor<3xf32>"),
            std::string::npos);
}

TEST(ComplexTest, LiteralsReadAndPrint) {
  const ir::ParsedModule parsed = parse_stablehlo(
      "func.func @f() -> tensor<2xcomplex<f32>> {\n"
      "  %0 = stablehlo.constant dense<[(1.0, -2.5), (0x7F800000, 3)]> : tensor<2xcomplex<f32>>\n"
      "  return %0 : tensor<2xcomplex<f32>> }");
  const ir::Literal value = backends::reference::evaluate(parsed.entry(), {})[0];
  EXPECT_EQ(ir::complex_at(value, 0), Complex(1, -2.5));
  EXPECT_EQ(ir::complex_at(value, 1), Complex(std::numeric_limits<double>::infinity(), 3));
  EXPECT_NE(error_of("func.func @f() -> tensor<complex<f32>> {\n"
                     "  %0 = stablehlo.constant dense<1.0> : tensor<complex<f32>>\n"
                     "  return %0 : tensor<complex<f32>> }")
                .find("expected an element of complex<f32> such as (1.0, 2.0)"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::ops
