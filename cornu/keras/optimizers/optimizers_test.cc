#include "cornu/keras/optimizers/optimizers.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/names.h"
#include "cornu/keras/testing/golden.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras {
namespace {

std::optional<double> optional_number(const nlohmann::json& config, const char* name) {
  return config.contains(name) ? std::optional<double>(config.at(name).get<double>()) : std::nullopt;
}

std::shared_ptr<Optimizer> golden_optimizer(const std::string& name, const nlohmann::json& config) {
  if (name == "SGD")
    return optimizers::SGD({.learning_rate = config.value("learning_rate", 0.01),
                            .momentum = config.value("momentum", 0.0),
                            .nesterov = config.value("nesterov", false),
                            .clipnorm = optional_number(config, "clipnorm"),
                            .clipvalue = optional_number(config, "clipvalue"),
                            .global_clipnorm = optional_number(config, "global_clipnorm")})
        .shared();
  if (name == "Adam")
    return optimizers::Adam({.learning_rate = config.value("learning_rate", 0.001),
                             .beta_1 = config.value("beta_1", 0.9),
                             .beta_2 = config.value("beta_2", 0.999),
                             .epsilon = config.value("epsilon", 1e-7),
                             .amsgrad = config.value("amsgrad", false),
                             .weight_decay = optional_number(config, "weight_decay")})
        .shared();
  return optimizers::RMSprop({.learning_rate = config.value("learning_rate", 0.001),
                              .rho = config.value("rho", 0.9),
                              .momentum = config.value("momentum", 0.0),
                              .centered = config.value("centered", false)})
      .shared();
}

class OptimizersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, OptimizersGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(OptimizersGoldenTest, TenStepsFollowKeras) {
  const nlohmann::json golden = testing::load_golden("optimizers");
  const std::vector<Tensor> starts = testing::golden_tensors(golden.at("starts"));
  for (const nlohmann::json& row : golden.at("cases")) {
    const std::string what = row.at("optimizer").get<std::string>() + " " + row.at("config").dump();
    const std::shared_ptr<Optimizer> optimizer = golden_optimizer(row.at("optimizer"), row.at("config"));
    std::vector<Variable> variables;
    std::vector<Variable> gradients;
    for (const Tensor& start : starts) {
      variables.emplace_back(start.literal(), VariableOptions{.name = "v"});
      gradients.emplace_back(ir::Literal(start.type()), VariableOptions{.name = "g"});
    }
    testing::CompiledStep step([&](Trace&) -> std::vector<Tensor> {
      optimizer->apply(std::vector<Tensor>(gradients.begin(), gradients.end()), variables);
      return {};
    });
    for (std::size_t k = 0; k < 10; ++k) {
      for (std::size_t i = 0; i < variables.size(); ++i) gradients[i].load(testing::golden_tensor(golden.at("gradients")[k][i]).literal());
      step.run();
      for (std::size_t i = 0; i < variables.size(); ++i)
        testing::expect_close(Tensor(variables[i].read()), testing::golden_tensor(row.at("steps")[k][i]), 2e-6,
                              what + " step " + std::to_string(k));
    }
    const std::vector<Variable> all = optimizer->variables();
    EXPECT_EQ(all[0].read().at(0), 10);
    ASSERT_EQ(all.size(), row.at("slots").size() + 2) << what;
    for (std::size_t i = 2; i < all.size(); ++i)
      testing::expect_close(Tensor(all[i].read()), testing::golden_tensor(row.at("slots")[i - 2]), 2e-6, what + " slot " + all[i].name());
  }
}

TEST(OptimizersTest, SlotsAreNamedAsInKeras) {
  clear_session();
  const optimizers::Adam adam;
  const std::vector<Variable> variables = {
      Variable(ir::Literal(TensorType{DType::kF32, {2, 3}}), {.name = "kernel", .path = "sequential/dense/kernel"})};
  adam->build(variables);
  std::vector<std::string> paths;
  for (const Variable& variable : adam->variables()) paths.push_back(variable.path());
  EXPECT_EQ(paths, (std::vector<std::string>{"adam/iteration", "adam/learning_rate", "adam/sequential_dense_kernel_momentum",
                                             "adam/sequential_dense_kernel_velocity"}));
}

TEST(OptimizersTest, LearningRateChangesWithoutCompilingAgain) {
  const testing::OnReferenceBackend on_reference;
  const optimizers::SGD sgd({.learning_rate = 0.5});
  const Variable x(ir::Literal::scalar(DType::kF32, 1.0), {.name = "x"});
  testing::CompiledStep step([&](Trace&) -> std::vector<Tensor> {
    sgd->apply(std::vector<Tensor>{1.0F}, std::span(&x, 1));
    return {};
  });
  step.run();
  EXPECT_EQ(x.read().at(0), 0.5);
  sgd->set_learning_rate(0.25);
  step.run();
  EXPECT_EQ(x.read().at(0), 0.25);
}

TEST(OptimizersTest, AdamsStepGraphHasOnePowerPairForAllVariables) {
  const testing::OnReferenceBackend on_reference;
  const optimizers::Adam adam;
  std::vector<Variable> variables;
  for (int i = 0; i < 4; ++i) variables.emplace_back(ir::Literal(TensorType{DType::kF32, {8, 8}}), VariableOptions{});
  testing::CompiledStep step([&](Trace&) -> std::vector<Tensor> {
    std::vector<Tensor> gradients;
    for (const Variable& variable : variables) gradients.push_back(variable.value());
    adam->apply(gradients, variables);
    return {};
  });
  int num_powers = 0;
  for (const auto& op : step.program().function->body.ops()) {
    num_powers += op->name() == "power" ? 1 : 0;
    if (op->name() == "power") {
      EXPECT_EQ(op->result().rank(), 0);
    }
  }
  EXPECT_EQ(num_powers, 2);
}

TEST(OptimizersTest, MistakesAreErrors) {
  EXPECT_THROW(optimizers::SGD({.momentum = 1.5}), Error);
  EXPECT_THROW((void)Optimizer::from_name("adamm"), Error);
  const optimizers::SGD sgd;
  const std::vector<Variable> one = {Variable(ir::Literal(TensorType{DType::kF32, {2}}))};
  EXPECT_THROW(sgd->apply(std::vector<Tensor>{}, one), Error);
  EXPECT_THROW(sgd->apply(std::vector<Tensor>{Tensor()}, one), Error);
}

TEST(OptimizersTest, OptionsOutOfRangeAreRefused) {
  const auto refused = [](auto&& make, const char* part) {
    try {
      make();
      ADD_FAILURE() << "taken: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const optimizers::SGD sgd;
  for (const double value : {-0.5, infinity, nan}) {
    refused([&] { optimizers::SGD({.learning_rate = value}); }, "learning_rate");
    refused([&] { sgd->set_learning_rate(value); }, "learning_rate");
  }
  EXPECT_FLOAT_EQ(static_cast<float>(sgd->learning_rate().read().at(0)), 0.01f);
  for (const double value : {-0.1, 1.0, nan}) {
    refused([&] { optimizers::Adam({.beta_1 = value}); }, "[adam] beta_1");
    refused([&] { optimizers::Adam({.beta_2 = value}); }, "[adam] beta_2");
    refused([&] { optimizers::RMSprop({.rho = value}); }, "[rmsprop] rho");
  }
  refused([&] { optimizers::Adam({.epsilon = -1}); }, "[adam] epsilon");
  refused([&] { optimizers::RMSprop({.epsilon = nan}); }, "[rmsprop] epsilon");
  EXPECT_NO_THROW(optimizers::Adam({.beta_1 = 0, .beta_2 = 0, .epsilon = 0}));
}

}  // namespace
}  // namespace cornu::keras
