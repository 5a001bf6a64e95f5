#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"

/// Types of less than eight bits and floats of eight on the engine, against the reference backend.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;

TEST(SmallTypesOnCpuTest, ConversionsAndArithmeticAreThoseOfTheReferenceBackend) {
  Literal x(ir::TensorType{DType::kF32, {5, 40}});
  for (std::size_t i = 0; i < 200; ++i)
    x.mutable_data<float>()[i] =
        static_cast<float>(std::sin(static_cast<double>(i)) * std::exp(0.07 * static_cast<double>(i) - 6));
  for (const DType dtype :
       {DType::kI2, DType::kI4, DType::kU2, DType::kU4, DType::kF4E2M1FN, DType::kF6E2M3FN, DType::kF6E3M2FN,
        DType::kF8E3M4, DType::kF8E4M3, DType::kF8E4M3B11FNUZ, DType::kF8E4M3FN, DType::kF8E4M3FNUZ,
        DType::kF8E5M2, DType::kF8E5M2FNUZ})
    expect_as_reference({x}, [dtype](ir::Builder& b, std::span<const Value> v) -> std::vector<Value> {
      const Value small = ops::convert(b, v[0], dtype);
      const Value sum = ops::add(b, small, ops::multiply(b, small, small));
      return {ops::convert(b, small, DType::kF32), ops::convert(b, ops::maximum(b, sum, small), DType::kF32)};
    });
}

/// The largest distance of the engine's results from the exact ones, in units in the last place.
template <typename T, typename Exact>
double worst_ulp(Value (*function)(ir::Builder&, Value), const Exact& exact, double end) {
  std::vector<T> x;
  for (int i = 0; i < 20000; ++i) {
    const double part = (i + 0.37) / 20000;
    for (const double value : {std::exp(-60 + part * (60 + std::log(end))), 2 * part, end * part}) {
      x.push_back(static_cast<T>(std::min(value, end)));
      x.push_back(-x.back());
    }
  }
  const auto count = static_cast<std::int64_t>(x.size());
  const auto client = runtime::make_client("cpu");
  const Literal y = run_on(
      *client, {Literal::of<T>({count}, std::span<const T>(x))},
      [&](ir::Builder& b, std::span<const Value> v) -> std::vector<Value> { return {function(b, v[0])}; })[0];
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double wanted = exact(static_cast<long double>(x[i]));
    const T rounded = static_cast<T>(wanted);
    if (!std::isfinite(rounded) || std::fabs(rounded) < std::numeric_limits<T>::min()) continue;
    const T size = std::fabs(rounded);
    const long double unit = size - std::nextafter(size, T(0));
    const auto error = static_cast<double>(std::fabs(y.data<T>()[i] - wanted) / unit);
    if (!(error <= worst)) worst = error;
    if (!(error <= 3)) ADD_FAILURE() << "at " << x[i] << ": " << y.data<T>()[i] << ", " << error << " units";
    if (!(error <= 3)) break;
  }
  return worst;
}

// Functions of CHLO are within 3 units in the last place on the engine too.
TEST(ChloOnCpuTest, IsWithinThreeUnitsInTheLastPlace) {
  struct Row {
    const char* name;
    Value (*function)(ir::Builder&, Value);
    long double (*exact)(long double);
    double end_f32, end_f64;
  };
  const Row rows[] = {
      {"asin", &ops::asin, &std::asin, 1, 1},           {"acos", &ops::acos, &std::acos, 1, 1},
      {"atan", &ops::atan, &std::atan, 1e30, 1e300},    {"sinh", &ops::sinh, &std::sinh, 89.4, 710.4},
      {"cosh", &ops::cosh, &std::cosh, 89.4, 710.4},    {"asinh", &ops::asinh, &std::asinh, 3e38, 1e308},
      {"acosh", &ops::acosh, &std::acosh, 3e38, 1e308}, {"atanh", &ops::atanh, &std::atanh, 1, 1},
      {"tan", &ops::tan, &std::tan, 1e4, 1e4}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const double f32 = worst_ulp<float>(row.function, row.exact, row.end_f32),
                 f64 = worst_ulp<double>(row.function, row.exact, row.end_f64);
    EXPECT_LE(f32, 3);
    EXPECT_LE(f64, 3);
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
