#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/distillation/distiller.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"

/// Numbers of real Keras: tools/goldens/distillation.py.
namespace cornu::inline v0::keras::distillation {
namespace {

using nlohmann::json;

class DistillationTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, DistillationTest, testing::platforms(), testing::PlatformName());

TEST_P(DistillationTest, LossesAreKerass) {
  const json golden = testing::load_golden("distillation").at("losses");
  const Tensor teacher = testing::golden_tensor(golden.at("teacher")),
               student = testing::golden_tensor(golden.at("student"));
  const auto check = [&](const char* name, const DistillationLoss& loss, const Tensors& from,
                         const Tensors& to) {
    EXPECT_NEAR(loss.compute_loss(from, to).item<double>(), golden.at("values").at(name).get<double>(), 1e-5)
        << name;
  };
  check("divergence", LogitsDistillation({.temperature = 4.0}), teacher, student);
  check("crossentropy",
        LogitsDistillation(
            {.temperature = 2.0, .loss = {losses::CategoricalCrossentropy({.from_logits = true})}}),
        teacher, student);
  check("logits_mse", LogitsDistillation({.loss = {"mse"}}), teacher, student);
  check("features", FeatureDistillation(), teacher, student);
  check("cosine", FeatureDistillation({.loss = {losses::CosineSimilarity()}}), teacher, student);
  check("two_outputs", LogitsDistillation({.loss = {"kl_divergence", "mse"}}), {teacher, student},
        {student, teacher});
}

Model golden_model(const std::string& name, const json& weights) {
  const KerasTensor input = Input({.shape = {5}});
  const KerasTensor hidden =
      layers::Dense({.units = 4, .activation = "tanh", .name = name + "_hidden"})(input);
  Model model(
      {.inputs = input, .outputs = layers::Dense({.units = 3, .name = name + "_out"})(hidden), .name = name});
  model->set_weights(testing::golden_tensors(weights));
  return model;
}

TEST_P(DistillationTest, TrainingIsKerass) {
  for (const json& row : testing::load_golden("distillation").at("runs")) {
    clear_session();
    const Model teacher = golden_model("teacher", row.at("teacher")),
                student = golden_model("student", row.at("student"));
    DistillerOptions options = {.teacher = teacher,
                                .student = student,
                                .distillation_losses = {LogitsDistillation({.temperature = 2.0})},
                                .distillation_loss_weights = {1.0},
                                .student_loss_weight = 0.25};
    if (row.at("with_features").get<bool>()) {
      options.distillation_losses.push_back(FeatureDistillation(
          {.teacher_layer_name = "teacher_hidden", .student_layer_name = "student_hidden"}));
      options.distillation_loss_weights.push_back(0.5);
    }
    Distiller distiller(options);
    distiller.compile({.optimizer = optimizers::SGD({.learning_rate = 0.1}),
                       .loss = losses::SparseCategoricalCrossentropy({.from_logits = true}),
                       .metrics = {"accuracy"}});
    const Tensor x = testing::golden_tensor(row.at("x")), y = testing::golden_tensor(row.at("y"));
    const callbacks::History history =
        distiller.fit(x, y, {.batch_size = 4, .epochs = 3, .verbose = 0, .shuffle = false});
    for (const auto& [name, values] : row.at("logs").items())
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(history[name].at(i), values[i].get<double>(), 2e-5) << name << " " << i;
    const std::vector<Tensor> wanted = testing::golden_tensors(row.at("after"));
    for (std::size_t i = 0; i < wanted.size(); ++i)
      testing::expect_close(distiller.student()->get_weights()[i], wanted[i], 2e-5, "student");
    for (std::size_t i = 0; i < row.at("teacher").size(); ++i)
      testing::expect_close(teacher->get_weights()[i], testing::golden_tensor(row.at("teacher")[i]), 0,
                            "teacher");
    const Logs evaluated = distiller.evaluate(x, y, {.batch_size = 4, .verbose = 0});
    for (const auto& [name, value] : row.at("evaluated").items())
      EXPECT_NEAR(evaluated[name], value.get<double>(), 2e-5) << name;
    testing::expect_close(distiller.predict(x, {.verbose = 0}), testing::golden_tensor(row.at("predicted")),
                          2e-5, "predictions");
  }
}

TEST(DistillerErrorsTest, RefusesWhatCannotBe) {
  const Sequential teacher({Input({.shape = {2}}), layers::Dense({.units = 2, .name = "a"})});
  const Sequential student({Input({.shape = {2}}), layers::Dense({.units = 2, .name = "b"})});
  const auto refused = [](const DistillerOptions& options) { EXPECT_THROW((void)Distiller(options), Error); };
  refused({.student = student, .distillation_losses = {LogitsDistillation()}});
  refused({.teacher = teacher, .student = student});
  refused({.teacher = teacher,
           .student = student,
           .distillation_losses = {LogitsDistillation()},
           .student_loss_weight = 2});
  refused({.teacher = teacher,
           .student = student,
           .distillation_losses = {LogitsDistillation()},
           .distillation_loss_weights = {1, 2}});
  refused({.teacher = teacher,
           .student = student,
           .distillation_losses = {FeatureDistillation({.teacher_layer_name = "none"})}});
  EXPECT_THROW(LogitsDistillation({.temperature = 0}), Error);
  EXPECT_THROW(LogitsDistillation({.loss = {}}), Error);
  EXPECT_THROW(FeatureDistillation({.loss = {LossSpec()}}), Error);
  EXPECT_NO_THROW(FeatureDistillation({.loss = "mae"}));
  EXPECT_THROW((void)FeatureDistillation().compute_loss({ops::ones({2}), ops::ones({2})}, ops::ones({2})),
               Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::distillation
