#include <gtest/gtest.h>

#include <fmt/format.h>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class FitCallbacksTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(FitCallbacksTest);

/// Records every call.
class Recorder : public callbacks::Callback {
 public:
  std::string text;
  void on_train_begin() override { text += "train("; }
  void on_train_end(Logs&) override { text += ")"; }
  void on_epoch_begin(std::int64_t epoch) override { text += fmt::format("epoch {}[", epoch); }
  void on_epoch_end(std::int64_t, Logs& logs) override { text += fmt::format(" logs {}]", logs.size()); }
  void on_train_batch_begin(const callbacks::BatchRange& batches) override {
    text += fmt::format(" <{}", batches.first);
  }
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
  model.fit(data.x, data.one_hot,
            {.batch_size = 2, .epochs = 2, .verbose = 0, .callbacks = {&recorder}, .validation_split = 0.2});
  // 11 rows to train on: 6 steps as 3 + 3; 3 rows to validate: 2 steps.
  const std::string epoch = "[ <0-2 3> <3-5 3> test{0-1.} logs 2]";
  EXPECT_EQ(recorder.text, "train(epoch 0" + epoch + "epoch 1" + epoch + ")");
}

/// Records the hooks that Recorder leaves out, and the short names.
class OtherHooks : public callbacks::Callback {
 public:
  std::string text;
  void on_batch_begin(const callbacks::BatchRange& batches) override { text += range("b", batches); }
  void on_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override { text += range("e", batches); }
  void on_test_begin() override { text += "test("; }
  void on_test_end(Logs& logs) override { text += fmt::format("logs {})", logs.size()); }
  void on_test_batch_begin(const callbacks::BatchRange& batches) override { text += range("tb", batches); }
  void on_test_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
    text += range("te", batches);
  }
  void on_predict_begin() override { text += "predict("; }
  void on_predict_end() override { text += ")"; }
  void on_predict_batch_begin(const callbacks::BatchRange& batches) override { text += range("pb", batches); }
  void on_predict_batch_end(const callbacks::BatchRange& batches) override { text += range("pe", batches); }

 private:
  static std::string range(const char* hook, const callbacks::BatchRange& batches) {
    return fmt::format("{} {}-{} of {};", hook, batches.first, batches.last, batches.count);
  }
};

TEST_P(FitCallbacksTest, HooksOfBatchesTestsAndPredictionsGetFirstLastAndCount) {
  const Flowers data(9);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 3});
  OtherHooks hooks;
  model.fit(data.x, data.one_hot, {.batch_size = 2, .verbose = 0, .callbacks = {&hooks}});
  EXPECT_EQ(hooks.text, "b 0-2 of 3;e 0-2 of 3;b 3-4 of 2;e 3-4 of 2;");
  hooks.text.clear();
  model.evaluate(data.x, data.one_hot, {.batch_size = 2, .verbose = 0, .callbacks = {&hooks}});
  EXPECT_EQ(hooks.text, "test(tb 0-2 of 3;te 0-2 of 3;tb 3-4 of 2;te 3-4 of 2;logs 1)");
  hooks.text.clear();
  (void)model.predict(data.x, {.batch_size = 2, .verbose = 0, .callbacks = {&hooks}});
  EXPECT_EQ(hooks.text, "predict(pb 0-2 of 3;pe 0-2 of 3;pb 3-3 of 1;pe 3-3 of 1;pb 4-4 of 1;pe 4-4 of 1;)");
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
  const auto history =
      model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 10, .verbose = 0, .callbacks = {&stopper}});
  EXPECT_EQ(history.num_steps, 2);
  EXPECT_EQ(history.epoch, std::vector<std::int64_t>{0});
  EXPECT_EQ(history["loss"].back(), stopper.loss);
  EXPECT_EQ(model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0}).num_steps, 10)
      << "the next run starts afresh";
}

TEST_P(FitCallbacksTest, AutoStaysAsFineAsACallbackNeeds) {
  class Fine : public callbacks::Callback {
   public:
    std::int64_t max_batches_per_call() const override { return 2; }
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      most = std::max(most, batches.count);
    }
    std::int64_t most = 0;
  };
  const Flowers data(64);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = "auto"});
  Fine fine;
  const auto history =
      model.fit(data.x, data.one_hot, {.batch_size = 2, .epochs = 4, .verbose = 0, .callbacks = {&fine}});
  EXPECT_EQ(history.num_steps, 128);
  EXPECT_LE(fine.most, 2);
}

TEST_P(FitCallbacksTest, EpochHooksMayAddLogs) {
  class Adder : public callbacks::Callback {
   public:
    void on_epoch_end(std::int64_t epoch, Logs& logs) override {
      logs.set("twice_the_epoch", 2.0 * static_cast<double>(epoch));
    }
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
  model.fit(data.x, data.one_hot,
            {.batch_size = 5, .epochs = 2, .callbacks = {&bar}, .validation_split = 0.2});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4) << text;
  EXPECT_EQ(text.find("Epoch 1/2\n5/5 ━━━━━━━━━━━━━━━━━━━━ 0s "), 0u) << text;
  for (const char* part :
       {"Epoch 2/2\n", "/step - accuracy: ", " - loss: ", " - val_accuracy: ", " - val_loss: "})
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
  EXPECT_THROW(model.fit(data.x, data.one_hot, {.batch_size = 4, .callbacks = {Thrower(), &bar}}),
               std::runtime_error);
  EXPECT_EQ(model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0}).num_steps, 5);
}

// A copy would be called in place of the caller's object.
static_assert(!std::is_constructible_v<callbacks::CallbackEntry, Recorder&>);
static_assert(!std::is_constructible_v<callbacks::CallbackEntry, const Recorder&>);
static_assert(std::is_constructible_v<callbacks::CallbackEntry, Recorder>);
static_assert(std::is_constructible_v<callbacks::CallbackEntry, Recorder*>);

TEST_P(FitCallbacksTest, ProgramsThatRunOutliveTheCache) {
  class Predictor : public callbacks::Callback {
   public:
    explicit Predictor(const Flowers& data) : data_(data) {}
    void on_train_batch_end(const callbacks::BatchRange&, LazyLogs&) override {
      for (std::int64_t batch_size = 1; batch_size <= 9; ++batch_size)
        EXPECT_EQ(model()->predict(data_.x, {.batch_size = batch_size, .verbose = 0}).num_rows(), 20);
    }

   private:
    const Flowers& data_;
  };
  const Flowers data(20);
  Sequential model = small_model(), alone = small_model();
  for (Sequential* each : {&model, &alone}) each->compile({.optimizer = "adam", .loss = "mse", .seed = 1});
  const FitOptions options{.batch_size = 10, .verbose = 0, .validation_split = 0.2};
  FitOptions watched = options;
  watched.callbacks = {Predictor(data)};
  const auto history = model.fit(data.x, data.one_hot, watched);
  EXPECT_EQ(alone.fit(data.x, data.one_hot, options).history, history.history);
  EXPECT_TRUE(same_bits(model.weights(), alone.weights()));
}

TEST_P(FitCallbacksTest, ARunningModelIsNotChangedByItsCallbacks) {
  class Meddler : public callbacks::Callback {
   public:
    Meddler(Sequential& model, const Flowers& data) : sequential_(model), data_(data) {}
    void on_epoch_end(std::int64_t, Logs&) override {
      const auto refused = [](const Error& error, const char* caller) {
        expect_contains(error, ErrorCode::kFailedPrecondition, {caller, "is running"});
      };
      refused(error_of([&] { model()->compile({.optimizer = "sgd", .loss = "mse"}); }), "[compile]");
      refused(error_of([&] { model()->fit(data_.x, data_.one_hot, {.verbose = 0}); }), "[fit]");
      refused(error_of([&] { sequential_.add(layers::Dense({.units = 2})); }), "[add]");
      refused(error_of([&] { sequential_.pop(); }), "[pop]");
    }

   private:
    Sequential& sequential_;
    const Flowers& data_;
  };
  const Flowers data(20);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  EXPECT_EQ(model
                .fit(data.x, data.one_hot,
                     {.batch_size = 5, .epochs = 3, .verbose = 0, .callbacks = {Meddler(model, data)}})
                .num_steps,
            12);
  EXPECT_NO_THROW(model.add(layers::Dense({.units = 3})));
  EXPECT_NO_THROW(model.compile({.optimizer = "sgd", .loss = "mse"}));
}

TEST_P(FitCallbacksTest, ValidationRunsInFullAfterAStop) {
  class Stopper : public callbacks::Callback {
   public:
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      if (batches.last == 1) model()->set_stop_training(true);
    }
    void on_test_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      model()->set_stop_training(true);
      test_steps += batches.count;
    }
    std::int64_t test_steps = 0;
  };
  const Flowers data(20), held_out(12, 8);
  for (const int steps_per_execution : {1, 2}) {
    Sequential model = small_model();
    model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = steps_per_execution});
    Stopper stopper;
    const auto history = model.fit(data.x, data.one_hot,
                                   {.batch_size = 4,
                                    .epochs = 10,
                                    .verbose = 0,
                                    .callbacks = {&stopper},
                                    .validation_data = {held_out.x, held_out.one_hot}});
    EXPECT_EQ(history.num_steps, 2);
    EXPECT_EQ(history.epoch.size(), 1u);
    EXPECT_EQ(stopper.test_steps, 3);
    EXPECT_EQ(history["val_loss"].back(),
              model.evaluate(held_out.x, held_out.one_hot, {.batch_size = 4, .verbose = 0})["loss"]);
  }
}

TEST_P(FitCallbacksTest, RunsInsideARunKeepTheRequestToStopAndDoNotObeyIt) {
  class Evaluator : public callbacks::Callback {
   public:
    explicit Evaluator(const Flowers& data) : data_(data) {}
    void on_train_batch_end(const callbacks::BatchRange&, LazyLogs&) override {
      model()->set_stop_training(true);
      loss = model()->evaluate(data_.x, data_.one_hot, {.verbose = 0})["loss"];
      EXPECT_EQ(model()->predict(data_.x, {.verbose = 0}).num_rows(), data_.x.num_rows());
      EXPECT_TRUE(model()->stop_training());
    }
    double loss = 0;

   private:
    const Flowers& data_;
  };
  const Flowers data(20);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  Evaluator evaluator(data);
  EXPECT_EQ(
      model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 5, .verbose = 0, .callbacks = {&evaluator}})
          .num_steps,
      1);
  EXPECT_EQ(model.evaluate(data.x, data.one_hot, {.verbose = 0})["loss"], evaluator.loss);
}

TEST_P(FitCallbacksTest, ARunInsideARunOfTheSameProgramLeavesItsDataBound) {
  class Evaluator : public callbacks::Callback {
   public:
    void on_test_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      if (batches.first > 0 || inside_) return;
      inside_ = true;
      const Flowers few(4, 9);
      model()->evaluate(few.x, few.one_hot, {.batch_size = 4, .verbose = 0});
    }
    void on_predict_batch_end(const callbacks::BatchRange& batches) override {
      if (batches.first > 0) return;
      const Flowers few(4, 9);
      model()->predict(few.x, {.batch_size = 4, .verbose = 0});
    }

   private:
    bool inside_ = false;
  };
  const Flowers data(40);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const Tensor whole = model.predict(data.x, {.batch_size = 4, .verbose = 0});
  EXPECT_TRUE(model.predict(data.x, {.batch_size = 4, .verbose = 0, .callbacks = {Evaluator()}}).literal() ==
              whole.literal());
  // The inner run resets the metrics, as in Keras: the rest are the rows after the first batch.
  const double rest =
      model.evaluate(data.x.rows(4, 40), data.one_hot.rows(4, 40), {.batch_size = 4, .verbose = 0})["loss"];
  const Flowers few(4, 9);
  const double first = model.evaluate(few.x, few.one_hot, {.batch_size = 4, .verbose = 0})["loss"];
  EXPECT_NEAR(model.evaluate(data.x, data.one_hot,
                             {.batch_size = 4, .verbose = 0, .callbacks = {Evaluator()}})["loss"],
              (36 * rest + 4 * first) / 40, 1e-6);
}

}  // namespace
}  // namespace cornu::inline v0::keras
