#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "cornu/keras/config/global_settings.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"

/// Dtypes of real Keras: tools/goldens/default_dtypes.py.
namespace cornu::inline v0::keras::config {
namespace {

using nlohmann::json;
using Call = std::function<Tensor()>;
using Calls = std::map<std::string, Call>;

class FloatxScope {
 public:
  explicit FloatxScope(const std::string& name) { set_floatx(name); }
  ~FloatxScope() { set_floatx("float32"); }
  FloatxScope(const FloatxScope&) = delete;
  FloatxScope& operator=(const FloatxScope&) = delete;
};

Calls creations() {
  return {{"zeros", [] { return ops::zeros({2}); }},
          {"ones", [] { return ops::ones({2}); }},
          {"empty", [] { return ops::empty({2}); }},
          {"full_1", [] { return ops::full({2}, 1); }},
          {"full_0.5", [] { return ops::full({2}, 0.5); }},
          {"eye", [] { return ops::eye(2); }},
          {"identity", [] { return ops::identity(2); }},
          {"tri", [] { return ops::tri(2); }},
          {"arange_3", [] { return ops::arange(3); }},
          {"arange_3.0", [] { return ops::arange(0.0, 3.0); }},
          {"arange_0.5", [] { return ops::arange(0, 2, 0.5); }},
          {"linspace_0.5_1", [] { return ops::linspace(0.5, 1.0, {.num = 3}); }},
          {"logspace_0.5_1", [] { return ops::logspace(0.5, 1.0, {.num = 3}); }},
          {"bartlett", [] { return ops::bartlett(4); }},
          {"blackman", [] { return ops::blackman(4); }},
          {"hamming", [] { return ops::hamming(4); }},
          {"hanning", [] { return ops::hanning(4); }},
          {"kaiser", [] { return ops::kaiser(4, 1); }},
          {"convert_to_tensor_0.5", [] { return ops::convert_to_tensor(0.5); }},
          {"uniform", [] { return random::uniform({2}); }},
          {"normal", [] { return random::normal({2}); }},
          {"truncated_normal", [] { return random::truncated_normal({2}); }},
          {"gamma", [] { return random::gamma({2}, 1.0); }},
          {"beta", [] { return random::beta({2}, 1.0, 1.0); }},
          {"binomial", [] { return random::binomial({2}, 3.0, 0.5); }},
          {"randint", [] { return random::randint({2}, 0, 3); }},
          {"one_hot_int", [] { return ops::one_hot(ops::zeros({2}, DType::kI32), 3); }},
          {"multi_hot_int", [] { return ops::multi_hot(ops::zeros({2}, DType::kI32), 3); }}};
}

const Tensor& integers() {
  static const Tensor x = Tensor::of<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  return x;
}

Calls unary_functions() {
  using Unary = Tensor (*)(const Tensor&);  // one of the overloads
  const std::map<std::string, Unary> functions = {
      {"angle", &ops::angle},
      {"arccos", &ops::arccos},
      {"arccosh", &ops::arccosh},
      {"arcsin", &ops::arcsin},
      {"arcsinh", &ops::arcsinh},
      {"arctan", &ops::arctan},
      {"arctanh", &ops::arctanh},
      {"cbrt", &ops::cbrt},
      {"ceil", &ops::ceil},
      {"cos", &ops::cos},
      {"cosh", &ops::cosh},
      {"deg2rad", &ops::deg2rad},
      {"exp", &ops::exp},
      {"exp2", &ops::exp2},
      {"expm1", &ops::expm1},
      {"fabs", &ops::fabs},
      {"floor", &ops::floor},
      {"i0", &ops::i0},
      {"log", &ops::log},
      {"log10", &ops::log10},
      {"log1p", &ops::log1p},
      {"log2", &ops::log2},
      {"mean", [](const Tensor& x) { return ops::mean(x); }},
      {"median", [](const Tensor& x) { return ops::median(x); }},
      {"nanmean", [](const Tensor& x) { return ops::nanmean(x); }},
      {"rad2deg", &ops::rad2deg},
      {"sin", &ops::sin},
      {"sinc", &ops::sinc},
      {"sinh", &ops::sinh},
      {"sqrt", &ops::sqrt},
      {"std", [](const Tensor& x) { return ops::std(x); }},
      {"tan", &ops::tan},
      {"tanh", &ops::tanh},
      {"trunc", &ops::trunc},
      {"var", [](const Tensor& x) { return ops::var(x); }}};
  Calls calls;
  for (const auto& [name, function] : functions) calls[name + "_int"] = [=] { return function(integers()); };
  for (const char* name : {"mean", "sqrt", "var"})
    calls[std::string(name) + "_bool"] = [function = functions.at(name)] { return function(integers() > 2); };
  return calls;
}

Calls binary_functions() {
  using Binary = Tensor (*)(const Tensor&, const Tensor&);  // one of the overloads
  const auto of = [](Binary function) -> Call { return [=] { return function(integers(), integers()); }; };
  const auto with_half = [](Binary function) -> Call { return [=] { return function(integers(), 0.5); }; };
  return {{"arctan2_ints", of(&ops::arctan2)},
          {"divide_ints", of([](const Tensor& x, const Tensor& y) { return ops::divide(x, y); })},
          {"heaviside_ints", of(&ops::heaviside)},
          {"hypot_ints", of(&ops::hypot)},
          {"linspace_ints", of([](const Tensor& x, const Tensor& y) { return ops::linspace(x, y); })},
          {"logaddexp_ints", of(&ops::logaddexp)},
          {"logspace_ints", of([](const Tensor& x, const Tensor& y) { return ops::logspace(x, y); })},
          {"true_divide_ints", of([](const Tensor& x, const Tensor& y) { return ops::true_divide(x, y); })},
          {"add_int_0.5", with_half([](const Tensor& x, const Tensor& y) { return x + y; })},
          {"divide_int_0.5", with_half([](const Tensor& x, const Tensor& y) { return x / y; })},
          {"floor_divide_int_0.5", with_half(&ops::floor_divide)},
          {"maximum_int_0.5", with_half([](const Tensor& x, const Tensor& y) { return ops::maximum(x, y); })},
          {"mod_int_0.5", with_half(&ops::mod)},
          {"multiply_int_0.5", with_half([](const Tensor& x, const Tensor& y) { return x * y; })},
          {"power_int_0.5", with_half([](const Tensor& x, const Tensor& y) { return ops::power(x, y); })},
          {"subtract_int_0.5", with_half([](const Tensor& x, const Tensor& y) { return x - y; })},
          {"divide_int_2", [] { return integers() / 2; }},
          {"where_int_0.5", [] { return ops::where(integers() > 2, integers(), 0.5); }},
          {"average_int", [] { return ops::average(integers()); }},
          {"quantile_int", [] { return ops::quantile(integers(), 0.5); }},
          {"corrcoef_int", [] { return ops::corrcoef(integers()); }},
          {"norm_int", [] { return ops::norm(integers()); }}};
}

/// The dtype of Keras's rule. Keras takes the width of floatx also for ranges of integers, and float16 for the
/// width of bfloat16; here integers are int32 and floats follow floatx.
std::string expected_dtype(const std::string& floatx, const std::string& recorded) {
  if (recorded == "int16") return "int32";
  return floatx == "bfloat16" && recorded == "float16" ? floatx : recorded;
}

TEST(DefaultDtypesTest, ResultsWithoutADtypeHaveKerass) {
  const json golden = testing::load_golden("default_dtypes");
  Calls calls = creations();
  calls.merge(unary_functions());
  calls.merge(binary_functions());
  for (const std::string name : {"float16", "bfloat16", "float32", "float64"}) {
    const FloatxScope floatx(name);
    const json& recorded = golden.at(name);
    EXPECT_EQ(recorded.size(), calls.size());
    for (const auto& [call, dtype] : recorded.items())
      EXPECT_EQ(ir::numpy_name(calls.at(call)().dtype()), expected_dtype(name, dtype.get<std::string>()))
          << call << " after set_floatx(\"" << name << "\")";
  }
}

TEST(DefaultDtypesTest, InitializersFollowFloatx) {
  EXPECT_EQ(initializers::Ones()({2}).dtype(), DType::kF32);
  const FloatxScope floatx("float64");
  EXPECT_EQ(initializers::Ones()({2}).dtype(), DType::kF64);
  EXPECT_EQ(initializers::Ones()({2}, DType::kF16).dtype(), DType::kF16);
}

TEST(DefaultDtypesTest, NumbersOfCallsKeepTheTensorsDtypeAndTheirPrecision) {
  const FloatxScope floatx("float16");
  const Tensor x = ops::ones({1}, DType::kF64) * 0.1;
  EXPECT_EQ(x.dtype(), DType::kF64);
  EXPECT_EQ(x.item<double>(), 0.1);
  EXPECT_EQ((ops::ones({1}, DType::kF32) + 1e-3).dtype(), DType::kF32);
}

TEST(DefaultDtypesTest, CompiledFunctionsKeepTheDtypeOfTheirTrace) {
  const auto half = function([](const Tensor& x) { return x / 2; });
  EXPECT_EQ(half(integers()).dtype(), DType::kF32);
  const FloatxScope floatx("float64");
  EXPECT_EQ(half(integers()).dtype(), DType::kF32);
  EXPECT_EQ(function([](const Tensor& x) { return x / 2; })(integers()).dtype(), DType::kF64);
}

}  // namespace
}  // namespace cornu::inline v0::keras::config
