#include "cornu/keras/optimizers/loss_scale_optimizer.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::optimizers {
namespace {

using nlohmann::json;

/// A row of the golden file: an optimizer that wraps another one, its variables, and gradients of which some
/// are not finite.
struct ScaledRun {
  explicit ScaledRun(const json& of) : row(of) {
    clear_session();
    const json& config = row.at("config");
    const OptimizerHandle inner =
        row.at("inner") == "SGD"
            ? OptimizerHandle(SGD({.learning_rate = config.at("learning_rate").get<double>(),
                                   .momentum = config.at("momentum")}))
            : OptimizerHandle(Adam({.learning_rate = config.at("learning_rate").get<double>(),
                                    .clipnorm = config.at("clipnorm").get<double>()}));
    optimizer =
        LossScaleOptimizer({.inner_optimizer = inner, .initial_scale = 1024, .dynamic_growth_steps = 3});
    for (const json& start : row.at("starts"))
      variables.emplace_back(testing::golden_tensor(start).literal(),
                             VariableOptions{.name = variables.empty() ? "kernel" : "bias"});
    optimizer->build(variables);
    for (const Variable& variable : optimizer->variables()) {
      if (variable.name() == "dynamic_scale") scale = variable;
      if (variable.name() == "step_counter") counter = variable;
    }
  }

  /// The gradients of a scaled loss, with one element that is not finite if the row has one.
  std::vector<Tensor> gradients(std::size_t step) const {
    const json& of_step = row.at("gradients")[step];
    std::vector<Tensor> all;
    for (const json& value : of_step.at("values"))
      all.push_back(testing::golden_tensor(value) * static_cast<double>(scale.read().at(0)));
    if (!of_step.at("broken").is_null()) {
      std::vector<float> values = all[1].to_vector<float>();
      values[2] = std::strtof(of_step.at("broken").get<std::string>().c_str(), nullptr);
      all[1] = Tensor::adopt(all[1].shape(), std::move(values));
    }
    return all;
  }

  void check(std::size_t step) const {
    const json& wanted = row.at("steps")[step];
    const std::string what = row.at("inner").get<std::string>() + " step " + std::to_string(step);
    for (std::size_t i = 0; i < variables.size(); ++i)
      testing::expect_close(Tensor(variables[i].read()), testing::golden_tensor(wanted.at("variables")[i]),
                            3e-6, what);
    EXPECT_EQ(scale.read().at(0), wanted.at("scale").get<double>()) << what;
    EXPECT_EQ(counter.read().at(0), wanted.at("counter").get<double>()) << what;
    EXPECT_EQ(optimizer.iterations().item<int>(), wanted.at("iterations").get<int>()) << what;
  }

  const json& row;
  OptimizerHandle optimizer;
  std::vector<Variable> variables;
  Variable scale, counter;
};

class LossScaleOptimizerTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, LossScaleOptimizerTest, testing::platforms(), testing::PlatformName());

TEST_P(LossScaleOptimizerTest, ScaleAndSkippedStepsAreKerass) {
  const json golden = testing::load_golden("mixed_precision");
  for (const json& row : golden.at("loss_scaling")) {
    ScaledRun run(row);
    std::vector<std::string> paths;
    for (const Variable& variable : run.optimizer->variables()) paths.push_back(variable.path());
    EXPECT_EQ(paths, row.at("paths").get<std::vector<std::string>>());
    for (std::size_t step = 0; step < row.at("steps").size(); ++step) {
      run.optimizer.apply(run.gradients(step), run.variables);
      run.check(step);
    }
  }
}

TEST_P(LossScaleOptimizerTest, ATracedStepSkipsInsideTheProgram) {
  const json golden = testing::load_golden("mixed_precision");
  for (const json& row : golden.at("loss_scaling")) {
    ScaledRun run(row);
    std::vector<Variable> given;
    for (const Tensor& gradient : run.gradients(0))
      given.emplace_back(gradient.literal(), VariableOptions{.name = "gradient"});
    testing::TracedStep traced([&](Trace&) -> std::vector<Tensor> {
      run.optimizer.apply(std::vector<Tensor>{given[0].value(), given[1].value()}, run.variables);
      return {};
    });
    for (std::size_t step = 0; step < row.at("steps").size(); ++step) {
      const std::vector<Tensor> gradients = run.gradients(step);
      for (std::size_t i = 0; i < given.size(); ++i) given[i].load(gradients[i].literal());
      traced.run();
      run.check(step);
    }
  }
}

TEST_P(LossScaleOptimizerTest, TheInnerOptimizerLosesItsFactor) {
  const SGD inner({.learning_rate = 1, .loss_scale_factor = 8});
  const LossScaleOptimizer optimizer({.inner_optimizer = inner, .initial_scale = 1024});
  const std::vector<Variable> variables = {
      Variable(Tensor::of<float>({2}, {3, 5}).literal(), {.name = "kernel"})};
  optimizer.apply(std::vector<Tensor>{Tensor::of<float>({2}, {1024, -2048})}, variables);
  EXPECT_EQ(Tensor(variables[0].read()).to_vector<float>(), (std::vector<float>{2, 7}));
  EXPECT_TRUE(inner.get_config().at("loss_scale_factor").is_null());
  EXPECT_TRUE(optimizer.get_config().at("inner_optimizer").at("config").at("loss_scale_factor").is_null());
  EXPECT_EQ(SGD({.loss_scale_factor = 8}).get_config().at("loss_scale_factor"), Config(8));
}

TEST(LossScaleOptimizerOptionsTest, RefusesWhatCannotBe) {
  EXPECT_THROW(LossScaleOptimizer({}), Error);
  EXPECT_THROW(LossScaleOptimizer({.inner_optimizer = "adam", .initial_scale = 0}), Error);
  EXPECT_THROW(LossScaleOptimizer({.inner_optimizer = "adam", .dynamic_growth_steps = 0}), Error);
  const LossScaleOptimizer optimizer({.inner_optimizer = SGD({.learning_rate = 0.5})});
  optimizer.set_learning_rate(0.25);
  EXPECT_EQ(optimizer.learning_rate().item<float>(), 0.25F);
  EXPECT_THROW(optimizer->swap_averages(), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::optimizers
