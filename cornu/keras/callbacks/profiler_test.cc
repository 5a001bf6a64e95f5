#include "cornu/keras/callbacks/profiler.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/runtime/profiler.h"
#include "cornu/runtime/trace_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class ProfilerCallbackTest : public ::testing::Test {
 protected:
  void SetUp() override {
    clear_session();
    set_random_seed(42);
    path_ = ::testing::TempDir() + "/cornu_profiler_callback_test.json";
    std::remove(path_.c_str());
  }
  void TearDown() override { std::remove(path_.c_str()); }

  std::string file() const {
    std::ifstream stream(path_);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  static Sequential compiled_model(std::int64_t steps_per_execution = 1) {
    Sequential model = small_model();
    model.compile({.optimizer = "adam",
                   .loss = "mse",
                   .metrics = {"accuracy"},
                   .steps_per_execution = steps_per_execution});
    return model;
  }

  std::string path_, printed_;
  std::function<void(std::string_view)> print_ = [this](std::string_view text) { printed_ += text; };
};

TEST_F(ProfilerCallbackTest, MeasuresTheBatchesAskedForAndWritesTableAndTrace) {
  const Flowers data(40);
  Sequential model = compiled_model();
  callbacks::Profiler profiler({.profile_batch = {3, 5}, .trace_file = path_, .print = print_});
  model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&profiler}});
  EXPECT_NE(printed_.find("3 steps in 3 executions"), std::string::npos) << printed_;
  EXPECT_NE(printed_.find("dense"), std::string::npos) << "groups tell their layers: " << printed_;
  EXPECT_EQ(printed_, profiler.report());
  const runtime::ReadTrace trace = runtime::read_trace(file());
  EXPECT_EQ(trace.slices.at("step"), 3);
  EXPECT_EQ(trace.slices.at("execution"), 3);
  EXPECT_NE(file().find("optimizer"), std::string::npos)
      << "all groups are in the trace, the slowest in the table";
}

TEST_F(ProfilerCallbackTest, BatchesAreCountedOverEpochsAndAnExecutionIsMeasuredAsAWhole) {
  const Flowers data(40);
  Sequential model = compiled_model(5);
  callbacks::Profiler profiler({.profile_batch = 14, .trace_file = path_, .print = print_});
  model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&profiler}});
  EXPECT_NE(printed_.find("5 steps in 1 executions"), std::string::npos) << printed_;
  EXPECT_EQ(runtime::read_trace(file()).slices.at("step"), 5);
}

TEST_F(ProfilerCallbackTest, ValidationBetweenMeasuredBatchesIsMeasuredTooAndEvaluateAndPredictByThemselves) {
  const Flowers data(40);
  Sequential model = compiled_model();
  callbacks::Profiler profiler({.profile_batch = {8, 9}, .print = print_});
  model.fit(data.x, data.one_hot,
            {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&profiler}, .validation_split = 0.2});
  const std::size_t first = printed_.find("2 steps in 2 executions");
  ASSERT_NE(first, std::string::npos) << printed_;
  EXPECT_NE(printed_.find("2 steps in 2 executions", first + 1), std::string::npos)
      << "two tables, of training and of validation: " << printed_;
  printed_.clear();
  model.evaluate(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .callbacks = {&profiler}});
  EXPECT_NE(printed_.find("2 steps in 2 executions"), std::string::npos) << printed_;
  EXPECT_EQ(printed_.find("optimizer"), std::string::npos) << "evaluate updates nothing: " << printed_;
  printed_.clear();
  model.predict(data.x, {.batch_size = 4, .verbose = 0, .callbacks = {&profiler}});
  EXPECT_NE(printed_.find(" steps in "), std::string::npos) << printed_;
}

TEST_F(ProfilerCallbackTest, ARunThatEndsBeforeTheFirstBatchToMeasureSaysSo) {
  const Flowers data(8);
  Sequential model = compiled_model();
  callbacks::Profiler profiler({.profile_batch = {100, 200}, .print = print_});
  model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .callbacks = {&profiler}});
  EXPECT_EQ(printed_,
            "profile: the run ended after 2 batches, before the first one that was to be measured, 100\n");
}

TEST_F(ProfilerCallbackTest, APathThatCannotBeWrittenIsAnErrorBeforeTraining) {
  const Flowers data(8);
  Sequential model = compiled_model();
  try {
    model.fit(data.x, data.one_hot,
              {.batch_size = 4,
               .verbose = 0,
               .callbacks = {
                   callbacks::Profiler({.profile_batch = 1, .trace_file = "no/such/folder/trace.json"})}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    EXPECT_EQ(
        std::string(error.what()),
        "[profiler] cannot write \"no/such/folder/trace.json\": No such file or directory; make the folder "
        "no/such/folder first");
  }
  EXPECT_EQ(model.optimizer()->iterations().item<std::int64_t>(), 0) << "not a step ran";
}

TEST_F(ProfilerCallbackTest, ARunThatThrowsLeavesNobodyMeasuring) {
  class Thrower : public callbacks::Callback {
   public:
    void on_train_batch_begin(const callbacks::BatchRange&) override { throw std::runtime_error("enough"); }
  };
  const Flowers data(8);
  Sequential model = compiled_model();
  EXPECT_THROW(
      model.fit(data.x, data.one_hot,
                {.batch_size = 4,
                 .verbose = 0,
                 .callbacks = {callbacks::Profiler({.profile_batch = 1, .print = print_}), Thrower()}}),
      std::runtime_error);
  EXPECT_EQ(runtime::Profiler::current(), nullptr);
  EXPECT_EQ(printed_, "");
}

TEST_F(ProfilerCallbackTest, OptionsOutOfRangeAreRefused) {
  EXPECT_THROW(callbacks::ProfileBatch(0), Error);
  EXPECT_THROW(callbacks::ProfileBatch(5, 4), Error);
  EXPECT_THROW(callbacks::Profiler({.num_groups = 0}), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras
