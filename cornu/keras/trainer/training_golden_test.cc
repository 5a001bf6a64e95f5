#include <gtest/gtest.h>

#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

/// Compares several outputs, losses, metrics and weights with real Keras: names, their order, and values.
namespace cornu::inline v0::keras {
namespace {

/// Dense(1) and Dense(3, softmax) on the same input, optionally with names.
class TwoHeads : public Network {
 public:
  explicit TwoHeads(bool named) : Network("TwoHeads", ""), named_(named) {}
  std::vector<std::string> output_names() const override {
    return named_ ? std::vector<std::string>{"out_a", "out_b"} : std::vector<std::string>{};
  }

 protected:
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    return {a_(inputs[0]), b_(inputs[0])};
  }

 private:
  bool named_;
  LayerHandle a_ = track(layers::Dense({.units = 1}));
  LayerHandle b_ = track(layers::Dense({.units = 3, .activation = "softmax"}));
};

Model two_heads(bool named = true) { return Model(std::make_shared<TwoHeads>(named)); }
Model one_head() {
  return Sequential({layers::Input({.shape = {4}}), layers::Dense({.units = 3, .activation = "softmax"})});
}
Model steps_head() { return Sequential({layers::Input({.shape = {3, 4}}), layers::Dense({.units = 2})}); }

class TrainingGoldenTest : public testing::OnEachPlatform {
 protected:
  const nlohmann::json golden_ = testing::load_golden("training");
  Tensor tensor(const char* name) const { return testing::golden_tensor(golden_.at(name)); }
  Tensors a_and_b() const { return {tensor("a"), tensor("b")}; }
  std::vector<Tensor> weights(std::size_t begin = 0) const {
    std::vector<Tensor> all = testing::golden_tensors(golden_.at("weights"));
    return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.end()};
  }

  void follow(const std::string& name, Model model, const std::vector<Tensor>& initial, const Tensors& x,
              const Tensors& y, CompileOptions compile_options, FitOptions options = {}) const {
    SCOPED_TRACE(name);
    const nlohmann::json& expected = golden_.at("cases").at(name);
    for (const StepsPerExecution steps : {StepsPerExecution(1), StepsPerExecution(7)}) {
      compile_options.optimizer = optimizers::SGD({.learning_rate = 0.1});
      compile_options.steps_per_execution = steps;
      model.compile(compile_options);
      model.predict_many(x, {.verbose = 0});
      model.set_weights(initial);
      const Logs evaluated =
          model.evaluate(x, y, {.batch_size = 4, .verbose = 0, .sample_weight = options.sample_weight});
      ASSERT_EQ(evaluated.size(), expected.at("evaluate").size()) << evaluated.str();
      std::size_t k = 0;
      for (const auto& [log, value] : evaluated) {
        const nlohmann::json& entry = expected.at("evaluate")[k++];
        EXPECT_EQ(log, entry[0].get<std::string>());
        testing::expect_near_relative(value, entry[1], 1e-4, "evaluate " + log);
      }
      options.batch_size = 4;
      options.epochs = 2;
      options.shuffle = false;
      options.verbose = 0;
      const callbacks::History history = model.fit(x, y, options);
      ASSERT_EQ(history.history.size(), expected.at("names").size());
      EXPECT_EQ(history.history.keys(), expected.at("names").get<std::vector<std::string>>());
      for (const auto& [log, values] : history.history) {
        for (std::size_t epoch = 0; epoch < values.size(); ++epoch)
          testing::expect_near_relative(values[epoch], expected.at("history").at(log)[epoch], 1e-4, log);
      }
      const std::vector<Tensor> final_weights = testing::golden_tensors(expected.at("final_weights"));
      for (std::size_t i = 0; i < final_weights.size(); ++i)
        testing::expect_close(model.get_weights()[i], final_weights[i], 1e-4, "weight " + std::to_string(i));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(On, TrainingGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(TrainingGoldenTest, LossesAndMetricsByPosition) {
  follow("lists", two_heads(), weights(), tensor("x"), a_and_b(),
         {.loss = {"mse", "categorical_crossentropy"}, .metrics = {{"mae"}, {"accuracy", "mse"}}},
         {.validation_split = 0.3});
}

TEST_P(TrainingGoldenTest, LossesWeightsMetricsAndLabelsByName) {
  follow("names", two_heads(), weights(), tensor("x"), {{"out_b", tensor("b")}, {"out_a", tensor("a")}},
         {.loss = {{"out_a", "mse"}, {"out_b", "categorical_crossentropy"}},
          .loss_weights = {{"out_a", 0.5}, {"out_b", 2.0}},
          .metrics = {{"out_b", {"accuracy"}}}});
}

TEST_P(TrainingGoldenTest, OneLossForAllOutputs) {
  follow("one_loss", two_heads(), weights(), tensor("x"), a_and_b(), {.loss = "mse"});
}

TEST_P(TrainingGoldenTest, AnOutputWithoutALoss) {
  follow("no_second_loss", two_heads(), weights(), tensor("x"), a_and_b(),
         {.loss = {"mse", LossSpec()}, .metrics = {{"mae"}, {"accuracy"}}});
}

TEST_P(TrainingGoldenTest, WeightedMetrics) {
  follow(
      "weighted", two_heads(), weights(), tensor("x"), a_and_b(),
      {.loss = {"mse", "mse"}, .metrics = {{"mae"}, {"mae"}}, .weighted_metrics = {{"mae"}, {"mae", "mse"}}},
      {.sample_weight = tensor("weight")});
}

TEST_P(TrainingGoldenTest, SampleWeightsForEachOutput) {
  follow("weight_each", two_heads(), weights(), tensor("x"), a_and_b(),
         {.loss = {"mse", "mse"}, .weighted_metrics = {{"mae"}, {"mae"}}},
         {.sample_weight = {tensor("weight"), tensor("weight_b")}});
}

TEST_P(TrainingGoldenTest, OutputsWithoutNames) {
  follow("subclassed", two_heads(false), weights(), tensor("x"), a_and_b(),
         {.loss = {"mse", "categorical_crossentropy"}, .metrics = {{"mae"}, {"accuracy", "mae"}}});
}

TEST_P(TrainingGoldenTest, ClassWeights) {
  follow("class_weight", one_head(), weights(2), tensor("x"), tensor("b"),
         {.loss = "categorical_crossentropy", .metrics = {"accuracy"}, .weighted_metrics = {"accuracy"}},
         {.validation_split = 0.3, .class_weight = {{0, 0.5}, {1, 3.0}}});
}

TEST_P(TrainingGoldenTest, ClassWeightsOfClassIdsAndNamesThatClash) {
  follow("sparse_class_weight", one_head(), weights(2), tensor("x"), tensor("ids"),
         {.loss = "crossentropy", .metrics = {"accuracy", "acc", "accuracy"}}, {.class_weight = {{2, 4.0}}});
}

TEST_P(TrainingGoldenTest, WeightsOfSteps) {
  follow("step_weights", steps_head(), testing::golden_tensors(golden_.at("weights_steps")),
         tensor("x_steps"), tensor("y_steps"),
         {.loss = "mse", .metrics = {"mae"}, .weighted_metrics = {"mae"}},
         {.sample_weight = tensor("weight_steps")});
}

}  // namespace
}  // namespace cornu::inline v0::keras
