#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/decomposition_test_support.h"
#include "cornu/ops/eigh/eigh.h"
#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/lu/lu.h"
#include "cornu/ops/parse.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/svd/svd.h"
#include "cornu/transform/gradient.h"

namespace cornu::inline v0::ops {
namespace decompositions_test {
namespace {

using ir::DType;

/// A loss and its gradient by JAX; complex numbers are pairs.
struct GoldenRow {
  std::string_view name;
  std::int64_t rows, columns;
  bool is_complex;
  std::vector<double> a, weights;
  double loss;
  std::vector<double> gradient;
};

const std::vector<GoldenRow>& golden_rows() {
  static const std::vector<GoldenRow> rows = {
#include "cornu/ops/decompositions_golden.inc"
  };
  return rows;
}

/// The terms of tools/goldens/decompositions.py.
std::vector<ir::Value> terms(ir::Builder& b, std::string_view name, ir::Value a) {
  if (name == "lu") return real_parts(b, lu(b, a).lu);
  if (name == "eigh") {
    const ir::Value half = full(b, a.type(), 0.5);
    const EighValues result = eigh(b, multiply(b, half, add(b, a, matrix_transpose(b, a, true))));
    return {result.eigenvalues, magnitudes(b, result.eigenvectors)};
  }
  if (name == "singular_values") return {svd(b, a, {.full_matrices = true, .compute_uv = false}).s};
  const SvdValues result = svd(b, a, {.full_matrices = false});
  return {result.s, magnitudes(b, result.u), magnitudes(b, result.vh),
          real(b, matrix_product(b, result.u, result.vh))};
}

ir::Value weighted_sum(ir::Builder& b, const std::vector<ir::Value>& values,
                       std::span<const double> weights) {
  ir::Value sum = full(b, {DType::kF64, {}}, 0);
  for (const ir::Value& value : values) {
    const auto count = static_cast<std::size_t>(value.type().num_elements());
    ir::Literal factors(value.type());
    std::copy_n(weights.begin(), count, factors.mutable_data<double>().begin());
    weights = weights.subspan(count);
    ir::Dims all(value.dims().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
    sum = add(b, sum, reduce_sum(b, multiply(b, value, constant(b, factors)), all));
  }
  EXPECT_TRUE(weights.empty());
  return sum;
}

TEST(DecompositionsTest, LossesAndGradientsAreJaxs) {
  for (const GoldenRow& row : golden_rows()) {
    SCOPED_TRACE(fmt::format("{} {}x{} complex: {}", row.name, row.rows, row.columns, row.is_complex));
    ir::Function function;
    function.name = "main";
    const DType dtype = row.is_complex ? DType::kC128 : DType::kF64;
    const ir::Value a = function.body.add_argument({dtype, {row.rows, row.columns}});
    ir::Builder b(function.body);
    const ir::Value loss = weighted_sum(b, terms(b, row.name, a), row.weights);
    const ir::Value gradient = transform::gradient(b, loss, {&a, 1})[0];
    std::vector<ir::Value> results = {loss};
    for (const ir::Value& part : real_parts(b, gradient)) results.push_back(part);
    function.body.set_results(results);
    ir::Literal argument(a.type());
    std::copy_n(reinterpret_cast<const std::byte*>(row.a.data()), row.a.size() * sizeof(double),
                argument.mutable_bytes().begin());
    const auto values = backends::reference::evaluate(function, {&argument, 1});
    EXPECT_NEAR(values[0].at(0), row.loss, 1e-12);
    const std::size_t step = values.size() - 1;
    for (std::size_t i = 0; i < row.gradient.size(); ++i)
      EXPECT_NEAR(values[1 + i % step].at(static_cast<std::int64_t>(i / step)), row.gradient[i], 1e-10) << i;
  }
}

std::string label(const ir::TensorType& a, void (*build)(ir::Builder&, ir::Value)) {
  return error_label({a}, [build](ir::Builder& b, Operands v) { build(b, v[0]); });
}
void build_lu(ir::Builder& b, ir::Value a) { lu(b, a); }
void build_eigh(ir::Builder& b, ir::Value a) { eigh(b, a); }
void build_svd(ir::Builder& b, ir::Value a) { svd(b, a); }

TEST(DecompositionsTest, I1_RejectsIntegersAndHalves) {
  for (const DType dtype : {DType::kI32, DType::kF16, DType::kBF16}) {
    EXPECT_EQ(label({dtype, {2, 2}}, build_lu), "[cornu.lu] (I1)");
    EXPECT_EQ(label({dtype, {2, 2}}, build_eigh), "[cornu.eigh] (I1)");
    EXPECT_EQ(label({dtype, {2, 2}}, build_svd), "[cornu.svd] (I1)");
  }
}
TEST(DecompositionsTest, I2_RejectsAVector) {
  EXPECT_EQ(label({DType::kF32, {2}}, build_lu), "[cornu.lu] (I2)");
  EXPECT_EQ(label({DType::kF32, {2}}, build_eigh), "[cornu.eigh] (I2)");
  EXPECT_EQ(label({DType::kF32, {2}}, build_svd), "[cornu.svd] (I2)");
}
TEST(DecompositionsTest, I3_RejectsMatricesThatAreNotSquare) {
  EXPECT_EQ(label({DType::kF32, {2, 3}}, build_eigh), "[cornu.eigh] (I3)");
}

TEST(DecompositionsTest, VectorsOfFullMatricesHaveNoGradient) {
  const std::string error = build_error({{DType::kF32, {3, 2}}}, [](ir::Builder& b, Operands v) {
    const SvdValues result = svd(b, v[0]);
    transform::gradient(b, reduce_sum(b, result.u, {0, 1}), v);
  });
  EXPECT_NE(error.find("use full_matrices = false"), std::string::npos) << error;
}

TEST(DecompositionsTest, MatricesWithNanOrInfinityGiveNan) {
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    const ir::Literal a = ir::Literal::of<double>({2, 2, 2}, {1, bad, bad, 1, 2, 0, 0, 3});
    const auto values = run_op({a}, [](ir::Builder& b, Operands v) { return eigh(b, v[0]).eigenvalues; })[0];
    EXPECT_TRUE(std::isnan(values.at(0)) && std::isnan(values.at(1)));
    EXPECT_EQ(values.at(2), 2);
    EXPECT_EQ(values.at(3), 3);
    const auto s = run_op({a}, [](ir::Builder& b, Operands v) { return svd(b, v[0]).s; })[0];
    EXPECT_TRUE(std::isnan(s.at(0)) && std::isnan(s.at(1)));
    EXPECT_EQ(s.at(2), 3);
  }
}

/// Small singular values keep their digits, large and small matrices do not overflow.
TEST(DecompositionsTest, SingularValuesKeepTheirScale) {
  for (const double scale : {1e-200, 1.0, 1e200}) {
    const ir::Literal a = ir::Literal::of<double>({2, 2}, {scale, 1e-12 * scale, 0, 1e-12 * scale});
    const auto s = run_op({a}, [](ir::Builder& b, Operands v) { return svd(b, v[0]).s; })[0];
    EXPECT_NEAR(s.at(0) / scale, 1, 1e-15);
    EXPECT_NEAR(s.at(1) / scale, 1e-12, 1e-26);
  }
}

TEST(DecompositionsTest, VectorsOfARankDeficientMatrixAreOrthonormal) {
  const ir::Literal a = ir::Literal::of<double>({3, 3}, {1, 2, 3, 2, 4, 6, 0, 0, 0});
  const auto products = run_op({a}, [](ir::Builder& b, Operands v) {
    const SvdValues result = svd(b, v[0]);
    const ir::Value u = matrix_product(b, matrix_transpose(b, result.u), result.u);
    return add(b, u, matrix_product(b, result.vh, matrix_transpose(b, result.vh)));
  });
  for (std::int64_t i = 0; i < 9; ++i) EXPECT_NEAR(products[0].at(i), i % 4 == 0 ? 2 : 0, 1e-14) << i;
}

TEST(DecompositionsTest, ASingularMatrixHasALuDecomposition) {
  const ir::Literal a = ir::Literal::of<double>({2, 2}, {0, 1, 0, 2});
  const auto packed = run_op({a}, [](ir::Builder& b, Operands v) { return lu(b, v[0]).lu; })[0];
  EXPECT_EQ(elements<double>(packed), (std::vector<double>{0, 1, 0, 2}));
}

}  // namespace
}  // namespace decompositions_test
}  // namespace cornu::inline v0::ops
