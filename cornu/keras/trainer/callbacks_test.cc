#include <gtest/gtest.h>

#include <fmt/format.h>

#include "cornu/keras/trainer/model_test_fixture.h"

namespace cornu::keras {
namespace {

class FitCallbacksTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(FitCallbacksTest);

/// Writes down every call.
class Recorder : public callbacks::Callback {
 public:
  std::string text;
  void on_train_begin() override { text += "train("; }
  void on_train_end(Logs&) override { text += ")"; }
  void on_epoch_begin(std::int64_t epoch) override { text += fmt::format("epoch {}[", epoch); }
  void on_epoch_end(std::int64_t, Logs& logs) override { text += fmt::format(" logs {}]", logs.size()); }
  void on_train_batch_begin(const callbacks::BatchRange& batches) override { text += fmt::format(" <{}", batches.first); }
  void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
    text += fmt::format("-{} {}>", batches.last, batches.count);
  }
  void on_test_begin() override { text += " test{"; }
  void on_test_end(Logs&) override { text += "}"; }
  void on_test_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
    text += fmt::format("{}-{}.", batches.first, batches.last);
  }
};

TEST_P(FitCallbacksTest, HooksAreCalledInKerassOrderWithTheBatchesOfAnExecution) {
  const Flowers data(14);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 3});
  Recorder recorder;
  model.fit(data.x, data.one_hot, {.batch_size = 2, .epochs = 2, .verbose = 0, .callbacks = {&recorder}, .validation_split = 0.2});
  // 11 rows to train on: 6 steps as 3 + 3; 3 rows to validate: 2 steps.
  const std::string epoch = "[ <0-2 3> <3-5 3> test{0-1.} logs 2]";
  EXPECT_EQ(recorder.text, "train(epoch 0" + epoch + "epoch 1" + epoch + ")");
}

TEST_P(FitCallbacksTest, StopTrainingEndsAfterTheExecution) {
  class Stopper : public callbacks::Callback {
   public:
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs& logs) override {
      if (batches.last == 1) model()->set_stop_training(true);
      loss = logs.get()["loss"];
    }
    double loss = 0;
  };
  const Flowers data(20);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  Stopper stopper;
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 10, .verbose = 0, .callbacks = {&stopper}});
  EXPECT_EQ(history.num_steps, 2);
  EXPECT_EQ(history.epoch, std::vector<std::int64_t>{0});
  EXPECT_EQ(history["loss"].back(), stopper.loss);
  EXPECT_EQ(model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0}).num_steps, 10) << "the next run starts afresh";
}

TEST_P(FitCallbacksTest, AutoStaysAsFineAsACallbackNeeds) {
  class Fine : public callbacks::Callback {
   public:
    std::int64_t max_batches_per_call() const override { return 2; }
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override { most = std::max(most, batches.count); }
    std::int64_t most = 0;
  };
  const Flowers data(64);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = "auto"});
  Fine fine;
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 2, .epochs = 4, .verbose = 0, .callbacks = {&fine}});
  EXPECT_EQ(history.num_steps, 128);
  EXPECT_LE(fine.most, 2);
}

TEST_P(FitCallbacksTest, EpochHooksMayAddLogs) {
  class Adder : public callbacks::Callback {
   public:
    void on_epoch_end(std::int64_t epoch, Logs& logs) override { logs.set("twice_the_epoch", 2.0 * static_cast<double>(epoch)); }
  };
  const Flowers data(8);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const auto history = model.fit(data.x, data.one_hot, {.epochs = 3, .verbose = 0, .callbacks = {Adder()}});
  EXPECT_EQ(history["twice_the_epoch"], (std::vector<double>{0, 2, 4}));
}

TEST_P(FitCallbacksTest, TheBarShowsOneLineAnEpochInAPipe) {
  const Flowers data(30);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .metrics = {"accuracy"}});
  std::string text;
  callbacks::ProgbarLogger bar({.write = [&](std::string_view piece) { text += piece; }});
  model.fit(data.x, data.one_hot, {.batch_size = 5, .epochs = 2, .callbacks = {&bar}, .validation_split = 0.2});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4) << text;
  EXPECT_EQ(text.find("Epoch 1/2\n5/5 ━━━━━━━━━━━━━━━━━━━━ 0s "), 0u) << text;
  for (const char* part : {"Epoch 2/2\n", "/step - accuracy: ", " - loss: ", " - val_accuracy: ", " - val_loss: "})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST_P(FitCallbacksTest, TheBarIsRedrawnInATerminal) {
  const Flowers data(200);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 10});
  std::string text;
  callbacks::ProgbarLogger bar({.redraw = true, .write = [&](std::string_view piece) { text += piece; }});
  model.fit(data.x, data.one_hot, {.batch_size = 2, .epochs = 2, .callbacks = {&bar}});
  EXPECT_GE(std::count(text.begin(), text.end(), '\r'), 4);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_NE(text.find("\x1b[1m100/100\x1b[0m "), std::string::npos);
}

TEST_P(FitCallbacksTest, AnExceptionOfACallbackLeavesTheModelUsable) {
  class Thrower : public callbacks::Callback {
   public:
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      if (batches.last == 1) throw std::runtime_error("mine");
    }
  };
  const Flowers data(20);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  std::string text;
  callbacks::ProgbarLogger bar({.redraw = true, .write = [&](std::string_view piece) { text += piece; }});
  EXPECT_THROW(model.fit(data.x, data.one_hot, {.batch_size = 4, .callbacks = {Thrower(), &bar}}), std::runtime_error);
  EXPECT_EQ(model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0}).num_steps, 5);
}

}  // namespace
}  // namespace cornu::keras
