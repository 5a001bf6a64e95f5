#include "cornu/keras/regularizers/regularizers.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/constraints/constraints.h"
#include "cornu/keras/testing/golden_test_support.h"

namespace cornu::inline v0::keras {
namespace {

RegularizerSpec golden_regularizer(const std::string& name, const nlohmann::json& config) {
  if (name == "L1L2")
    return regularizers::L1L2({.l1 = config.value("l1", 0.0), .l2 = config.value("l2", 0.0)});
  if (name == "OrthogonalRegularizer")
    return regularizers::OrthogonalRegularizer(
        {.factor = config.value("factor", 0.01), .mode = config.value("mode", "rows")});
  return name;
}

ConstraintSpec golden_constraint(const std::string& name, const nlohmann::json& config) {
  ops::Axes axis = 0;
  if (config.contains("axis"))
    axis = config["axis"].is_array() ? ops::Axes(config["axis"].get<std::vector<std::int64_t>>())
                                     : ops::Axes(config["axis"].get<int>());
  if (name == "MaxNorm")
    return constraints::MaxNorm({.max_value = config.value("max_value", 2.0), .axis = axis});
  if (name == "UnitNorm") return constraints::UnitNorm({.axis = axis});
  if (name == "MinMaxNorm")
    return constraints::MinMaxNorm({.min_value = config.at("min_value"),
                                    .max_value = config.at("max_value"),
                                    .rate = config.value("rate", 1.0),
                                    .axis = axis});
  return name;
}

class RegularizersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, RegularizersGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(RegularizersGoldenTest, PenaltiesAndGradientsAreKeras) {
  const nlohmann::json golden = testing::load_golden("regularizers");
  const Tensor w = testing::golden_tensor(golden.at("w"));
  for (const nlohmann::json& row : golden.at("regularizers")) {
    const std::string what = row.at("name").get<std::string>() + " " + row.at("config").dump();
    const std::shared_ptr<Regularizer> regularizer =
        golden_regularizer(row.at("name"), row.at("config")).get();
    EXPECT_EQ(regularizer->class_name(), row.at("name").get<std::string>());
    testing::expect_near_relative((*regularizer)(w).item<double>(), row.at("result"), 1e-5, what);
    if (row.at("result") == 0) continue;  // no gradient flows
    const Tensor gradient = testing::gradient_at(w, [&](const Tensor& x) { return (*regularizer)(x); });
    testing::expect_close(gradient, testing::golden_tensor(row.at("gradient")), 1e-5, what + " gradient");
  }
}

TEST_P(RegularizersGoldenTest, ConstraintsProjectAsInKeras) {
  const nlohmann::json golden = testing::load_golden("regularizers");
  for (const nlohmann::json& row : golden.at("constraints")) {
    const std::string what = row.at("name").get<std::string>() + " " + row.at("config").dump();
    const std::shared_ptr<Constraint> constraint = golden_constraint(row.at("name"), row.at("config")).get();
    EXPECT_EQ(constraint->class_name(), row.at("name").get<std::string>());
    testing::expect_close((*constraint)(testing::golden_tensor(row.at("x"))),
                          testing::golden_tensor(row.at("y")), 1e-5, what);
  }
}

TEST(RegularizersTest, NamesObjectsAndFunctionsAreTaken) {
  EXPECT_EQ(RegularizerSpec("l1_l2").get()->class_name(), "L1L2");
  EXPECT_FLOAT_EQ((*RegularizerSpec("L1L2").get())(Tensor::of<float>({2}, {3, -4})).item<float>(),
                  0.01F * 7 + 0.01F * 25);
  EXPECT_EQ(RegularizerSpec("orthogonal_regularizer").get()->class_name(), "OrthogonalRegularizer");
  EXPECT_EQ(RegularizerSpec(regularizers::L2({.l2 = 0.5})).get()->class_name(), "L2");
  const RegularizerSpec own = [](const Tensor& x) { return ops::sum(x) * 2.0; };
  EXPECT_EQ((*own.get())(Tensor::of<float>({2}, {1, 2})).item<float>(), 6.0F);
  const RegularizerSpec copy = own;  // NOLINT(performance-unnecessary-copy-initialization): what is tested
  EXPECT_EQ(copy.get(), own.get());
  const ConstraintSpec twice = [](const Tensor& x) { return x * 2.0; };
  EXPECT_EQ((*twice.get())(Tensor(3.0F)).item<float>(), 6.0F);
  EXPECT_EQ(regularizers::L1()(Tensor::of<float>({2}, {1, -2})).item<float>(), 0.03F);
  EXPECT_EQ(constraints::NonNeg()(Tensor::of<float>({2}, {1, -2})).at(1), 0);
  EXPECT_FALSE(RegularizerSpec().is_set());
}

TEST(RegularizersTest, MistakesAreErrorsWithTheValue) {
  const auto message = [](auto&& make) -> std::string {
    try {
      make();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([] { regularizers::L1({.l1 = -0.5}); }),
            "[l1] l1 must be finite and not negative; got l1 = -0.5");
  EXPECT_EQ(message([] { regularizers::L1L2({.l2 = INFINITY}); }),
            "[l1l2] l2 must be finite and not negative; got l2 = inf");
  EXPECT_EQ(message([] { regularizers::OrthogonalRegularizer({.mode = "both"}); }),
            "[orthogonal_regularizer] mode must be \"rows\" or \"columns\"; got mode = \"both\"");
  EXPECT_NE(message([] { regularizers::OrthogonalRegularizer()(Tensor::zeros({3})); }).find("needs a matrix"),
            std::string::npos);
  EXPECT_EQ(message([] { (void)RegularizerSpec("l3").get(); }),
            "[regularizers.get] unknown name; got name = \"l3\"; did you mean \"l1\" or \"l2\"?");
  EXPECT_NE(message([] { constraints::MinMaxNorm({.min_value = 2}); }).find("min_value = 2, max_value = 1"),
            std::string::npos);
  EXPECT_NE(message([] { constraints::MinMaxNorm({.rate = 1.5}); }).find("rate = 1.5"), std::string::npos);
  EXPECT_NE(message([] { constraints::MaxNorm({.max_value = -1}); }).find("max_value = -1"),
            std::string::npos);
  EXPECT_EQ(message([] { (void)ConstraintSpec("maxnrm").get(); }),
            "[constraints.get] unknown name; got name = \"maxnrm\"; did you mean \"max_norm\"?");
}

}  // namespace
}  // namespace cornu::inline v0::keras
