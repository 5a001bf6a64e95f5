/// What the callback writes into event files, and where.
#include <gtest/gtest.h>

#include <filesystem>

#include "cornu/io/tfrecord.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

/// How many events of the files in a folder hold a text.
int count_in(const std::string& folder, std::string_view text) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    io::RecordReader records(entry.path().string());
    while (const auto record = records.next())
      count += record->view.find(text) == std::string_view::npos ? 0 : 1;
  }
  return count;
}

/// The steps, below 128, of the events with a tag. An event begins with the time, a field of nine bytes,
/// and the step.
std::vector<int> steps_of(const std::string& folder, std::string_view tag) {
  constexpr std::size_t kStepKey = 9;
  std::vector<int> steps;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    io::RecordReader records(entry.path().string());
    while (const auto record = records.next()) {
      if (record->view.find(tag) == std::string_view::npos) continue;
      EXPECT_EQ(record->view.at(kStepKey), '\x10');
      steps.push_back(record->view.at(kStepKey + 1));
    }
  }
  return steps;
}

TEST(TensorBoardTest, EvaluationsStandAtTheUpdatesOfAccumulatedGradients) {
  const TestFolder folder;
  const Tensor x = ops::ones({8, 3}), y = ops::zeros({8, 1});
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 1})});
  model.compile({.optimizer = optimizers::SGD({.gradient_accumulation_steps = 2}), .loss = "mse"});
  model.fit(x, y,
            {.batch_size = 2,
             .epochs = 2,
             .verbose = 0,
             .callbacks = {callbacks::TensorBoard({.log_dir = folder / "logs"})},
             .validation_data = {x, y}});
  EXPECT_EQ(steps_of(folder / "logs/validation", "evaluation_loss_vs_iterations"), (std::vector<int>{2, 4}));
}

TEST(TensorBoardTest, TagsAndFoldersAreKerass) {
  const TestFolder folder;
  const Tensor x = ops::ones({8, 3}), y = ops::zeros({8, 1});
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 1, .name = "out"})},
                   {.name = "m"});
  model.compile({.loss = "mse", .metrics = {"mae"}});
  callbacks::TensorBoard board({.log_dir = folder / "logs",
                                .histogram_freq = 2,
                                .write_images = true,
                                .write_steps_per_second = true,
                                .update_freq = 2});
  model.fit(x, y,
            {.batch_size = 2, .epochs = 3, .verbose = 0, .callbacks = {&board}, .validation_data = {x, y}});
  const std::string train = folder / "logs/train", validation = folder / "logs/validation";
  EXPECT_EQ(count_in(train, "brain.Event:2"), 1);
  EXPECT_EQ(count_in(train, "graph_keras_model"), 1);
  for (const char* tag : {"epoch_loss", "epoch_mae", "epoch_learning_rate", "epoch_steps_per_second"})
    EXPECT_EQ(count_in(train, tag), 3) << tag;
  for (const char* tag : {"batch_loss", "batch_mae", "batch_steps_per_second"})
    EXPECT_EQ(count_in(train, tag), 6) << tag;
  EXPECT_EQ(count_in(train, "m/out/kernel/histogram"), 2) << "epochs 0 and 2";
  EXPECT_EQ(count_in(train, "m/out/kernel/image"), 2);
  EXPECT_EQ(count_in(train, "IHDR"), 2) << "the bias is a single number";
  for (const char* tag : {"epoch_loss", "epoch_mae", "evaluation_loss_vs_iterations"})
    EXPECT_EQ(count_in(validation, tag), 3) << tag;
  EXPECT_NE(
      error_text_of([] { callbacks::TensorBoard({.update_freq = "hour"}); }).find("update_freq must be"),
      std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::keras
