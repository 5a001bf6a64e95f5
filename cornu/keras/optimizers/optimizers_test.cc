#include "cornu/keras/optimizers/optimizers.h"

#include <gtest/gtest.h>
#include <limits>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/constraints/constraints.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

/// Sets an option of Adafactor, Muon or ScheduleFreeAdamW.
template <typename Options>
void set_recent(Options& options, const std::string& key, const nlohmann::json& value) {
  const auto set = [&]<typename T>(const char* name, T& member) {
    if (key == name) member = value.get<T>();
  };
  if constexpr (requires { options.clip_threshold; }) {
    set("beta_2_decay", options.beta_2_decay);
    set("epsilon_2", options.epsilon_2);
    set("clip_threshold", options.clip_threshold);
  }
  if constexpr (requires { options.ns_steps; }) {
    if (key == "rms_rate" && value.is_null()) options.rms_rate.reset();
    if (key == "exclude_layers") options.exclude_layers = value.get<std::vector<std::string>>();
    set("ns_steps", options.ns_steps);
    set("adam_beta_1", options.adam_beta_1);
    set("adam_lr_ratio", options.adam_lr_ratio);
    if (key == "adam_weight_decay") options.adam_weight_decay = value.get<double>();
  }
  if constexpr (requires { options.warmup_steps; }) set("warmup_steps", options.warmup_steps);
}

/// Sets the options that are in the golden file's configuration.
template <typename Options>
Options golden_options(const nlohmann::json& config, Options options = {}) {
  for (const auto& item : config.items()) {
    const std::string& key = item.key();
    const nlohmann::json& value = item.value();
    const auto set = [&]<typename T>(const char* name, T& member) {
      if (key == name) member = value.get<T>();
    };
    const auto set_optional = [&]<typename T>(const char* name, std::optional<T>& member) {
      if (key == name) member = value.get<T>();
    };
    if (key == "learning_rate") options.learning_rate = value.get<double>();
    if (key == "schedule")
      options.learning_rate = optimizers::schedules::ExponentialDecay(
          {.initial_learning_rate = 0.1, .decay_steps = 4, .decay_rate = 0.5});
    if constexpr (requires { *options.weight_decay; }) {
      set_optional("weight_decay", options.weight_decay);
    } else {
      set("weight_decay", options.weight_decay);
    }
    set_optional("clipnorm", options.clipnorm);
    set_optional("clipvalue", options.clipvalue);
    set_optional("global_clipnorm", options.global_clipnorm);
    set("use_ema", options.use_ema);
    set("ema_momentum", options.ema_momentum);
    set_optional("ema_overwrite_frequency", options.ema_overwrite_frequency);
    set_optional("loss_scale_factor", options.loss_scale_factor);
    set_optional("gradient_accumulation_steps", options.gradient_accumulation_steps);
    if constexpr (requires { options.momentum; }) set("momentum", options.momentum);
    if constexpr (requires { options.nesterov; }) set("nesterov", options.nesterov);
    if constexpr (requires { options.rho; }) set("rho", options.rho);
    if constexpr (requires { options.centered; }) set("centered", options.centered);
    if constexpr (requires { options.epsilon; }) set("epsilon", options.epsilon);
    if constexpr (requires { options.amsgrad; }) set("amsgrad", options.amsgrad);
    if constexpr (requires { options.initial_accumulator_value; })
      set("initial_accumulator_value", options.initial_accumulator_value);
    set_recent(options, key, value);
    if constexpr (requires { options.beta_1; }) {
      set("beta_1", options.beta_1);
      set("beta_2", options.beta_2);
    }
    if constexpr (requires { options.beta; }) {
      set("beta", options.beta);
      set("learning_rate_power", options.learning_rate_power);
      set("l1_regularization_strength", options.l1_regularization_strength);
      set("l2_regularization_strength", options.l2_regularization_strength);
      set("l2_shrinkage_regularization_strength", options.l2_shrinkage_regularization_strength);
    }
  }
  return options;
}

template <typename Handle, typename Options>
OptimizerHandle make_golden(const nlohmann::json& config) {
  return Handle(golden_options<Options>(config));
}

OptimizerHandle golden_optimizer(const std::string& name, const nlohmann::json& config) {
  using namespace optimizers;
  if (name == "SGD") return make_golden<SGD, SGDOptions>(config);
  if (name == "Adam") return make_golden<Adam, AdamOptions>(config);
  if (name == "AdamW") return make_golden<AdamW, AdamWOptions>(config);
  if (name == "RMSprop") return make_golden<RMSprop, RMSpropOptions>(config);
  if (name == "Adagrad") return make_golden<Adagrad, AdagradOptions>(config);
  if (name == "Adadelta") return make_golden<Adadelta, AdadeltaOptions>(config);
  if (name == "Adamax") return make_golden<Adamax, AdamaxOptions>(config);
  if (name == "Nadam") return make_golden<Nadam, NadamOptions>(config);
  if (name == "Lion") return make_golden<Lion, LionOptions>(config);
  if (name == "Lamb") return make_golden<Lamb, LambOptions>(config);
  if (name == "Ftrl") return make_golden<Ftrl, FtrlOptions>(config);
  if (name == "Adafactor") return make_golden<Adafactor, AdafactorOptions>(config);
  if (name == "Muon") return make_golden<Muon, MuonOptions>(config);
  if (name == "ScheduleFreeAdamW") return make_golden<ScheduleFreeAdamW, ScheduleFreeAdamWOptions>(config);
  throw std::runtime_error("no optimizer " + name);
}

/// All elements one after the other.
Tensor flat(std::span<const Variable> variables) {
  std::vector<float> values;
  for (const Variable& variable : variables) {
    const ir::Literal value = variable.read();
    for (const float x : value.data<float>()) values.push_back(x);
  }
  const auto count = static_cast<std::int64_t>(values.size());
  return Tensor::adopt({count}, std::move(values));
}

/// A row of the golden file: an optimizer, its variables, and the gradients to apply.
struct GoldenRun {
  explicit GoldenRun(const nlohmann::json& row, const std::vector<Tensor>& starts)
      : what(row.at("optimizer").get<std::string>() + " " + row.at("config").dump()) {
    clear_session();
    optimizer = golden_optimizer(row.at("optimizer"), row.at("config"));
    if (row.at("config").contains("exclude"))
      optimizer->exclude_from_weight_decay({.var_names = {row.at("config").at("exclude")}});
    const bool is_constrained = row.at("config").contains("constraint");
    for (const Tensor& start : starts) {
      VariableOptions options = {.name = variables.empty() ? "kernel" : "bias"};
      if (is_constrained && variables.empty()) options.constraint = constraints::NonNeg();
      variables.emplace_back(start.literal(), options);
    }
  }

  void check_step(const nlohmann::json& row, std::size_t step) const {
    const Tensor expected = testing::golden_tensor(row.at("steps"));
    const auto k = static_cast<std::int64_t>(step);
    testing::expect_close(flat(variables), ops::reshape(expected.rows(k, k + 1), {-1}), 3e-6,
                          what + " step " + std::to_string(step));
  }

  void check_end(const nlohmann::json& row) const {
    std::vector<std::string> paths;
    std::vector<Variable> slots;
    for (const Variable& variable : optimizer->variables()) {
      paths.push_back(variable.path());
      if (!(variable == optimizer->iteration_variable()) &&
          !(variable == optimizer->learning_rate_variable()))
        slots.push_back(variable);
    }
    EXPECT_EQ(paths, row.at("paths").get<std::vector<std::string>>()) << what;
    EXPECT_EQ(optimizer.iterations().item<int>(), row.at("iterations")) << what;
    // After ten steps in f32 the slots of ScheduleFreeAdamW differ by 3.5e-6 of their size.
    testing::expect_close(flat(slots), testing::golden_tensor(row.at("slots")), 5e-6, what + " slots");
    if (!row.contains("final")) return;
    optimizer->finalize_variable_values(variables);
    testing::expect_close(flat(variables), testing::golden_tensor(row.at("final")), 3e-6,
                          what + " final values");
  }

  std::string what;
  OptimizerHandle optimizer;
  std::vector<Variable> variables;
};

class OptimizersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, OptimizersGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(OptimizersGoldenTest, TenStepsSlotsAndPathsFollowKeras) {
  const nlohmann::json golden = testing::load_golden("optimizers");
  const std::vector<Tensor> starts = testing::golden_tensors(golden.at("starts"));
  for (const nlohmann::json& row : golden.at("cases")) {
    const GoldenRun run(row, starts);
    std::vector<Variable> gradients;
    for (const Tensor& start : starts)
      gradients.emplace_back(ir::Literal(start.type()), VariableOptions{.name = "g"});
    testing::TracedStep step([&](Trace&) -> std::vector<Tensor> {
      run.optimizer.apply(std::vector<Tensor>(gradients.begin(), gradients.end()), run.variables);
      return {};
    });
    for (std::size_t k = 0; k < 10; ++k) {
      for (std::size_t i = 0; i < gradients.size(); ++i)
        gradients[i].load(testing::golden_tensor(golden.at("gradients")[k][i]).literal());
      step.run();
      run.check_step(row, k);
    }
    run.check_end(row);
  }
}

TEST(OptimizersTest, TenEagerStepsFollowKeras) {
  const testing::OnReferenceBackend on_reference;
  const nlohmann::json golden = testing::load_golden("optimizers");
  const std::vector<Tensor> starts = testing::golden_tensors(golden.at("starts"));
  for (const nlohmann::json& row : golden.at("cases")) {
    const GoldenRun run(row, starts);
    for (std::size_t k = 0; k < 10; ++k) {
      run.optimizer.apply(testing::golden_tensors(golden.at("gradients")[k]), run.variables);
      run.check_step(row, k);
    }
    run.check_end(row);
  }
}

TEST(OptimizersTest, GradientsOfOneVariableAreWrittenInBraces) {
  const optimizers::SGD sgd({.learning_rate = 0.5});
  const Variable x(1.0F);
  const Tensor gradient = 0.5F;
  sgd.apply_gradients({{gradient, x}});
  EXPECT_EQ(x.value().item<float>(), 0.75F);
  sgd.apply({gradient}, {x});
  EXPECT_EQ(x.value().item<float>(), 0.5F);
}

TEST(OptimizersTest, LearningRateChangesWithoutCompilingAgain) {
  const testing::OnReferenceBackend on_reference;
  const optimizers::SGD sgd({.learning_rate = 0.5});
  const Variable x(ir::Literal::scalar(DType::kF32, 1.0), {.name = "x"});
  testing::TracedStep step([&](Trace&) -> std::vector<Tensor> {
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
  for (int i = 0; i < 4; ++i)
    variables.emplace_back(ir::Literal(TensorType{DType::kF32, {8, 8}}), VariableOptions{});
  testing::TracedStep step([&](Trace&) -> std::vector<Tensor> {
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
  const double infinity = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  const optimizers::SGD sgd;
  for (const double value : {-0.5, infinity, nan}) {
    refused([&] { optimizers::SGD({.learning_rate = value}); }, "learning_rate");
    refused([&] { sgd->set_learning_rate(value); }, "learning_rate");
  }
  EXPECT_FLOAT_EQ(static_cast<float>(sgd->learning_rate().item<double>()), 0.01f);
  for (const double value : {-0.1, 1.0, nan}) {
    refused([&] { optimizers::Adam({.beta_1 = value}); }, "[adam] beta_1");
    refused([&] { optimizers::Adam({.beta_2 = value}); }, "[adam] beta_2");
    refused([&] { optimizers::RMSprop({.rho = value}); }, "[rmsprop] rho");
  }
  refused([&] { optimizers::Adam({.epsilon = -1}); }, "[adam] epsilon");
  refused([&] { optimizers::RMSprop({.epsilon = nan}); }, "[rmsprop] epsilon");
  EXPECT_NO_THROW(optimizers::Adam({.beta_1 = 0, .beta_2 = 0, .epsilon = 0}));
}

TEST(OptimizersTest, OptionsThatExcludeEachOtherAndSettingsInVainAreRefused) {
  const auto message = [](auto&& make) -> std::string {
    try {
      make();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([] { optimizers::SGD({.clipnorm = 1.0, .global_clipnorm = 2.0, .name = "s"}); }),
            "[s] only one of clipnorm, clipvalue and global_clipnorm can be set; got clipnorm = 1, "
            "global_clipnorm = 2");
  EXPECT_NE(message([] { optimizers::SGD({.clipvalue = -1.0}); }).find("got clipvalue = -1"),
            std::string::npos);
  EXPECT_NE(message([] { optimizers::Adam({.weight_decay = -1.0}); }).find("got weight_decay = -1"),
            std::string::npos);
  EXPECT_NE(message([] {
              optimizers::Adam({.use_ema = true, .ema_momentum = 1.5});
            }).find("got ema_momentum = 1.5"),
            std::string::npos);
  EXPECT_NE(
      message([] { optimizers::Adam({.use_ema = true, .ema_overwrite_frequency = 0}); }).find("at least 1"),
      std::string::npos);
  EXPECT_NE(message([] { optimizers::Adam({.gradient_accumulation_steps = 1}); }).find("at least 2"),
            std::string::npos);
  EXPECT_NE(message([] { optimizers::Adam({.loss_scale_factor = 0.0}); }).find("must be positive"),
            std::string::npos);
  EXPECT_NE(
      message([] { optimizers::Ftrl({.learning_rate_power = 0.5}); }).find("[ftrl] learning_rate_power"),
      std::string::npos);
  EXPECT_NE(message([] { optimizers::Lion({.beta_1 = 0}); }).find("[lion] beta_1"), std::string::npos);

  const testing::OnReferenceBackend on_reference;
  const optimizers::SGD sgd({.learning_rate = optimizers::schedules::InverseTimeDecay(
                                 {.initial_learning_rate = 0.5, .decay_steps = 1, .decay_rate = 1.0})});
  EXPECT_NE(message([&] { sgd.set_learning_rate(0.1); }).find("follows a schedule"), std::string::npos);
  EXPECT_EQ(sgd.learning_rate().item<float>(), 0.5F);
  EXPECT_NE(message([&] { sgd.apply(std::vector<Tensor>{1.0F}); }).find("call build"), std::string::npos);
  const Variable x(ir::Literal::scalar(DType::kF32, 1.0), {.name = "x"});
  const Variable y(ir::Literal::scalar(DType::kF32, 1.0), {.name = "y"});
  sgd.apply(std::vector<Tensor>{1.0F}, std::vector<Variable>{x});
  EXPECT_EQ(x.read().at(0), 0.5);
  EXPECT_EQ(sgd.learning_rate().item<float>(), 0.25F);
  EXPECT_NE(
      message([&] { sgd.apply(std::vector<Tensor>{1.0F}, std::vector<Variable>{y}); }).find("without \"y\""),
      std::string::npos);
  EXPECT_NE(message([&] { sgd->exclude_from_weight_decay({}); }).find("before the optimizer is built"),
            std::string::npos);
  EXPECT_NE(message([] {
              const optimizers::SGD decaying({.weight_decay = 0.1});
              decaying->exclude_from_weight_decay({.var_names = {"[bias"}});
            }).find("var_names must be regular expressions"),
            std::string::npos);
  EXPECT_NE(message([&] {
              sgd.apply(std::vector<Tensor>{Tensor::zeros({2})}, std::vector<Variable>{x});
            }).find("has shape"),
            std::string::npos);
  EXPECT_EQ(x.read().at(0), 0.5) << "refused calls change nothing";
  EXPECT_EQ(sgd.iterations().item<int>(), 1);
}

TEST(OptimizersTest, WeightDecayLeavesOutWhatIsListedAndNamesThatMatch) {
  const std::vector<std::string> names = {"kernel", "bias_1", "bias_x", "gamma", "listed"};
  std::vector<Variable> variables;
  for (const std::string& name : names)
    variables.emplace_back(ir::Literal::scalar(DType::kF32, 1.0), VariableOptions{.name = name});
  const optimizers::SGD sgd({.learning_rate = 0.5, .weight_decay = 0.5});
  sgd->exclude_from_weight_decay({.var_list = {variables[4]}, .var_names = {R"(bias_\d)", "^gam"}});
  sgd.apply(std::vector<Tensor>(names.size(), Tensor::zeros({})), variables);
  std::vector<double> values;
  for (const Variable& variable : variables) values.push_back(variable.read().at(0));
  EXPECT_EQ(values, (std::vector<double>{0.75, 1, 0.75, 1, 1}));
}

TEST(OptimizersTest, PairsOfSomeOfTheVariablesInAnyOrderAreTaken) {
  const testing::OnReferenceBackend on_reference;
  std::vector<Variable> variables;
  for (const char* name : {"a", "b", "c"})
    variables.emplace_back(ir::Literal::scalar(DType::kF32, 0.0), VariableOptions{.name = name});
  const optimizers::SGD sgd({.learning_rate = 1.0, .momentum = 0.5});
  sgd->build(variables);
  const std::vector<std::pair<Tensor, Variable>> pairs = {
      {Tensor(3.0F), variables[2]}, {Tensor(), variables[1]}, {Tensor(1.0F), variables[0]}};
  for (int i = 0; i < 2; ++i) sgd.apply_gradients(pairs);
  EXPECT_EQ(variables[0].read().at(0), -2.5);
  EXPECT_EQ(variables[1].read().at(0), 0);
  EXPECT_EQ(variables[2].read().at(0), -7.5);
}

TEST(OptimizersTest, LearningRatesByFunctionsAndNames) {
  const testing::OnReferenceBackend on_reference;
  const optimizers::SGD of_count(
      {.learning_rate = [](const Tensor& step) { return ops::cast(step, DType::kF32) * 0.5 + 1.0; }});
  const optimizers::SGD of_nothing({.learning_rate = [] { return Tensor(0.25F); }});
  EXPECT_EQ(of_count.learning_rate().item<float>(), 1.0F);
  EXPECT_EQ(of_nothing.learning_rate().item<float>(), 0.25F);
  for (const char* name : {"sgd", "Adam", "adamw", "AdamW", "rmsprop", "RMSprop", "Adagrad", "adadelta",
                           "adamax", "nadam", "lion", "lamb", "ftrl"})
    EXPECT_EQ(canonical_name(Optimizer::from_name(name)->class_name()), canonical_name(name));
  EXPECT_EQ(optimizers::Adam({.loss_scale_factor = 8.0})->scale_loss(Tensor(2.0F)).item<float>(), 16.0F);
}

TEST(SchedulesTest, RatesAreKerasRates) {
  const testing::OnReferenceBackend on_reference;
  const nlohmann::json golden = testing::load_golden("schedules");
  for (const nlohmann::json& row : golden.at("cases")) {
    const nlohmann::json& config = row.at("config");
    const std::string name = row.at("schedule");
    const double initial = config.value("initial_learning_rate", 0.0);
    const std::int64_t steps = config.value("decay_steps", std::int64_t{0});
    LearningRateScheduleHandle schedule;
    using namespace optimizers::schedules;
    if (name == "ExponentialDecay")
      schedule = ExponentialDecay({.initial_learning_rate = initial,
                                   .decay_steps = steps,
                                   .decay_rate = config.at("decay_rate"),
                                   .staircase = config.value("staircase", false)});
    if (name == "InverseTimeDecay")
      schedule = InverseTimeDecay({.initial_learning_rate = initial,
                                   .decay_steps = steps,
                                   .decay_rate = config.at("decay_rate"),
                                   .staircase = config.value("staircase", false)});
    if (name == "PiecewiseConstantDecay")
      schedule =
          PiecewiseConstantDecay({.boundaries = config.at("boundaries"), .values = config.at("values")});
    if (name == "PolynomialDecay")
      schedule = PolynomialDecay({.initial_learning_rate = initial,
                                  .decay_steps = steps,
                                  .end_learning_rate = config.value("end_learning_rate", 0.0001),
                                  .power = config.value("power", 1.0),
                                  .cycle = config.value("cycle", false)});
    if (name == "CosineDecay") {
      CosineDecayOptions options = {
          .initial_learning_rate = initial, .decay_steps = steps, .alpha = config.value("alpha", 0.0)};
      if (config.contains("warmup_target")) options.warmup_target = config.at("warmup_target").get<double>();
      options.warmup_steps = config.value("warmup_steps", std::int64_t{0});
      schedule = CosineDecay(options);
    }
    if (name == "CosineDecayRestarts")
      schedule = CosineDecayRestarts({.initial_learning_rate = initial,
                                      .first_decay_steps = config.at("first_decay_steps"),
                                      .t_mul = config.value("t_mul", 2.0),
                                      .m_mul = config.value("m_mul", 1.0),
                                      .alpha = config.value("alpha", 0.0)});
    ASSERT_TRUE(schedule) << name;
    std::vector<float> rates;
    for (const std::int64_t step : golden.at("steps").get<std::vector<std::int64_t>>())
      rates.push_back(
          schedule(Tensor(ir::Literal::of<std::int64_t>({}, std::vector<std::int64_t>{step}))).item<float>());
    const auto count = static_cast<std::int64_t>(rates.size());
    testing::expect_close(Tensor::adopt({count}, rates), testing::golden_tensor(row.at("rates")), 2e-6,
                          name + " " + config.dump());
  }
}

TEST(SchedulesTest, MistakesAreErrorsWithTheValue) {
  using namespace optimizers::schedules;
  const auto message = [](auto&& make) -> std::string {
    try {
      make();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([] { PiecewiseConstantDecay({.boundaries = {5, 3}, .values = {1, 2, 3}}); }),
            "[PiecewiseConstant] boundaries must rise; got boundaries = [5, 3]");
  EXPECT_EQ(message([] { PiecewiseConstantDecay({.boundaries = {5}, .values = {1}, .name = "mine"}); }),
            "[mine] needs one value more than boundaries; got 1 boundaries and 1 values");
  EXPECT_EQ(message([] { PiecewiseConstantDecay({.boundaries = {5}, .values = {1, -0.5}}); }),
            "[PiecewiseConstant] values must be finite and not negative; got values = -0.5");
  EXPECT_EQ(message([] { ExponentialDecay({.initial_learning_rate = 0.1, .decay_rate = 0.5}); }),
            "[ExponentialDecay] decay_steps must be positive; got decay_steps = 0");
  EXPECT_EQ(
      message([] { ExponentialDecay({.initial_learning_rate = -0.1, .decay_steps = 3, .decay_rate = 0.5}); }),
      "[ExponentialDecay] initial_learning_rate must be finite and not negative; got initial_learning_rate = "
      "-0.1");
  EXPECT_NE(message([] {
              CosineDecay({.initial_learning_rate = 0.1, .decay_steps = 2, .warmup_steps = -2});
            }).find("warmup_steps = -2"),
            std::string::npos);
  EXPECT_NE(message([] {
              CosineDecayRestarts({.initial_learning_rate = 0.1, .first_decay_steps = 2, .t_mul = 0});
            }).find("t_mul = 0"),
            std::string::npos);
}

TEST(OptimizersTest, ErrorsNameTheArgument) {
  const auto argument = [](auto make) -> std::string {
    try {
      make();
    } catch (const Error& error) {
      return error.argument();
    }
    return "no error";
  };
  EXPECT_EQ(argument([] { optimizers::Adam({.beta_1 = 1}); }), "beta_1");
  EXPECT_EQ(argument([] { optimizers::SGD({.learning_rate = -1}); }), "learning_rate");
  EXPECT_EQ(argument([] { optimizers::SGD({.use_ema = true, .ema_momentum = 2}); }), "ema_momentum");
  EXPECT_EQ(argument([] {
              optimizers::schedules::ExponentialDecay({.initial_learning_rate = 0.1, .decay_rate = 0.5});
            }),
            "decay_steps");
}

}  // namespace
}  // namespace cornu::inline v0::keras
