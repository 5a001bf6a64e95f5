#include "cornu/tensor/transformations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"

/// Numbers of real Keras: tools/goldens/transformations.py.
namespace cornu::inline v0 {
namespace {

nlohmann::json golden() {
  std::ifstream file("tests/goldens/transformations.json");
  if (!file) throw std::runtime_error("run the tests in the repository's root");
  return nlohmann::json::parse(file);
}

Tensor tensor(const nlohmann::json& array) {
  return Tensor::adopt(array.at("shape").get<Dims>(), array.at("data").get<std::vector<float>>());
}

void expect_near(const Tensor& actual, const nlohmann::json& expected, const std::string& what) {
  const auto data = expected.at("data").get<std::vector<double>>();
  ASSERT_EQ(actual.shape(), expected.at("shape").get<Dims>()) << what;
  for (std::size_t i = 0; i < data.size(); ++i)
    EXPECT_NEAR(actual.at(static_cast<std::int64_t>(i)), data[i], 2e-6 * std::max(1.0, std::fabs(data[i])))
        << what;
}

using Combine = Tensor (*)(const Tensor&, const Tensor&);
Combine function_of(const std::string& name) {
  if (name == "add") return [](const Tensor& a, const Tensor& b) { return a + b; };
  if (name == "multiply") return [](const Tensor& a, const Tensor& b) { return a * b; };
  return [](const Tensor& a, const Tensor& b) { return ops::matmul(a, b); };
}

TEST(AssociativeScanTest, EqualsKeras) {
  for (const nlohmann::json& c : golden().at("scan")) {
    const auto scan = [&](const Tensor& x) {
      return associative_scan(function_of(c.at("f")), x, {.reverse = c.at("reverse"), .axis = c.at("axis")});
    };
    expect_near(scan(tensor(c.at("x"))), c.at("result"), c.at("f"));
    expect_near(function(scan)(tensor(c.at("x"))), c.at("result"), "traced");
  }
}

TEST(AssociativeScanTest, TakesStructures) {
  const nlohmann::json c = golden().at("recurrence");
  using Line = std::pair<Tensor, Tensor>;
  const auto combine = [](const Line& x, const Line& y) {
    return Line(x.first * y.first, x.second * y.first + y.second);
  };
  expect_near(associative_scan(combine, Line(tensor(c.at("a")), tensor(c.at("b")))).second, c.at("result"),
              "recurrence");
}

TEST(AssociativeScanTest, HasTheGradientOfSums) {
  Tensor x = ops::arange(5, {.dtype = DType::kF32}) + 1.0;
  GradientTape tape;
  tape.watch(x);
  const Tensor products = associative_scan([](const Tensor& a, const Tensor& b) { return a * b; }, x);
  const Tensor gradient = tape.gradient(ops::sum(products), x);
  // d/dx_i of 1 + 2 + 6 + 24 + 120 in terms of x = 1 ... 5: the sum of the products from i on, divided by
  // x_i.
  const std::vector<double> expected = {153, 76, 50, 36, 24};
  for (std::int64_t i = 0; i < 5; ++i)
    EXPECT_NEAR(gradient.at(i), expected[static_cast<std::size_t>(i)], 1e-4);
}

TEST(AssociativeScanTest, RefusesOtherExtentsAndTypes) {
  const auto sum = [](const Tensor& a, const Tensor& b) { return a + b; };
  expect_contains(error_of([&] { associative_scan(sum, ops::ones({3}), {.axis = 1}); }),
                  ErrorCode::kInvalidArgument, {"associative_scan", "axis 1"});
  const auto total = [](const Tensor& a, const Tensor&) { return ops::sum(a); };
  expect_contains(error_of([&] { associative_scan(total, ops::ones({3})); }), ErrorCode::kInvalidArgument,
                  {"must return the types"});
}

TEST(VectorizedMapTest, EqualsKeras) {
  const nlohmann::json c = golden().at("map");
  const auto dot = [](const std::pair<Tensor, Tensor>& row) { return ops::sum(row.first * row.second); };
  expect_near(vectorized_map(dot, std::pair(tensor(c.at("x")), tensor(c.at("y")))), c.at("result"), "map");
}

TEST(JvpTest, EqualsKeras) {
  const nlohmann::json c = golden().at("jvp");
  const auto plain = [](const Tensor& x) { return ops::sin(x) * ops::exp(x); };
  const auto both = [&](const Tensor& x, const Tensor& direction) {
    const auto result = jvp(plain, x, direction);
    return std::pair(result.primals_out, result.tangents_out);
  };
  for (const auto& [y, slope] : {both(tensor(c.at("x")), tensor(c.at("direction"))),
                                 function(both)(tensor(c.at("x")), tensor(c.at("direction")))}) {
    expect_near(y, c.at("plain")[0], "value");
    expect_near(slope, c.at("plain")[1], "product");
  }
  const auto layer = jvp([](const Tensor& x, const Tensor& w) { return ops::tanh(ops::matmul(x, w)); },
                         std::tuple(tensor(c.at("x")), tensor(c.at("w"))),
                         std::tuple(tensor(c.at("direction")), tensor(c.at("w_direction"))));
  expect_near(layer.tangents_out, c.at("layer")[1], "layer");
}

TEST(JvpTest, IsZeroWithoutADependenceAndChecksTypes) {
  const auto none = jvp([](const Tensor& x) { return ops::ones_like(x); }, ops::ones({2}), ops::ones({2}));
  EXPECT_EQ(none.tangents_out.at(0), 0);
  expect_contains(error_of([] { jvp([](const Tensor& x) { return x; }, ops::ones({2}), ops::ones({3})); }),
                  ErrorCode::kInvalidArgument, {"jvp", "tangent 0"});
}

TEST(RearrangeTest, EqualsKeras) {
  const nlohmann::json c = golden().at("rearrange");
  for (const nlohmann::json& each : c.at("cases")) {
    ops::RearrangeOptions options;
    for (const auto& [axis, length] : each.at("lengths").items())
      options.axes_lengths.emplace_back(axis, length);
    const std::string pattern = each.at("pattern");
    expect_near(ops::rearrange(tensor(c.at("x")), pattern, options), each.at("result"), pattern);
  }
}

TEST(RearrangeTest, RefusesPatternsThatDoNotFit) {
  const auto refused = [](const char* pattern, const char* why, const ops::RearrangeOptions& options = {}) {
    expect_contains(error_of([&] { ops::rearrange(ops::ones({4, 6}), pattern, options); }),
                    ErrorCode::kInvalidArgument, {"rearrange", why, pattern});
  };
  refused("a b", "input -> output");
  refused("a -> a", "1 axes");
  refused("a b -> a c", "same axes");
  refused("a (b c -> a b c", "not closed");
  refused("a (b c) -> a b c", "axes_lengths must have");
  refused("a (b c) -> a b c", "cannot be split", {.axes_lengths = {{"b", 4}}});
  refused("a b -> b a", "no axis", {.axes_lengths = {{"d", 4}}});
  refused("a a -> a a", "twice");
  refused("a [b] -> a b", "neither an axis");
}

TEST(ViewTest, EqualsKeras) {
  const nlohmann::json c = golden().at("view");
  const Tensor x = tensor(c.at("x"));
  expect_near(ops::view(x, DType::kI32), c.at("int32"), "int32");
  expect_near(ops::view(x, DType::kU8), c.at("uint8"), "uint8");
  expect_near(ops::view(ops::view(x, DType::kU8), DType::kF32), c.at("back"), "back");
}

TEST(ViewTest, RefusesSizesThatDoNotFit) {
  expect_contains(error_of([] { ops::view(ops::ones({}), DType::kF64); }), ErrorCode::kInvalidArgument,
                  {"scalar"});
  expect_contains(error_of([] { ops::view(ops::ones({3}), DType::kF64); }), ErrorCode::kInvalidArgument,
                  {"multiple of 2"});
  expect_contains(error_of([] { ops::view(ops::ones({3}), DType::kI1); }), ErrorCode::kInvalidArgument,
                  {"integers or floats"});
}

TEST(PolarTest, EqualsKeras) {
  const nlohmann::json c = golden().at("polar");
  const Tensor z = ops::polar(tensor(c.at("abs")), tensor(c.at("angle")));
  expect_near(ops::real(z), c.at("real"), "real");
  expect_near(ops::imag(z), c.at("imag"), "imag");
}

}  // namespace
}  // namespace cornu::inline v0
