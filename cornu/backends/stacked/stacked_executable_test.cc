#include "cornu/backends/stacked/stacked_executable.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/ops/all.h"
#include "cornu/runtime/fake_device_test_support.h"

namespace cornu::inline v0::backends::stacked {
namespace {

using ir::DType;
using runtime::ArgumentKind;

/// A device that writes down what it is asked for and computes nothing.
struct Diary {
  std::vector<std::string> lines;
  std::string fails;  // the line that throws

  void write(const std::string& line) {
    lines.push_back(line);
    if (line == fails) throw Error(ErrorCode::kUnavailable, "failed: " + line);
  }
};

class WrittenEvent final : public runtime::Event::State {
 public:
  WrittenEvent(Diary& diary, std::string line) : diary_(diary), line_(std::move(line)) {}
  bool is_ready() override { return is_done_; }
  void wait() override {
    is_done_ = true;
    diary_.write(line_);
  }

 private:
  Diary& diary_;
  std::string line_;
  bool is_done_ = false;
};

class WrittenLoop final : public LoopProgram {
 public:
  WrittenLoop(Diary& diary, std::int64_t max_steps) : diary_(diary), max_steps_(max_steps) {}
  ~WrittenLoop() override { diary_.lines.push_back("gone " + std::to_string(max_steps_)); }
  /// Its output is each step's first row.
  runtime::Event launch(const LoopLaunch& launch) override {
    const auto* rows = reinterpret_cast<const float*>(launch.stacks[0]);
    auto* outputs = reinterpret_cast<float*>(launch.outputs[0]);
    for (std::int64_t step = 0; step < max_steps_; ++step)
      outputs[step] = step < launch.num_steps ? rows[2 * step] : 0;
    const std::string what = std::to_string(launch.num_steps) + " of " + std::to_string(max_steps_) + ", " +
                             std::to_string(launch.num_rows) + " rows from " +
                             std::to_string(static_cast<int>(rows[0]));
    diary_.write("launch " + what);
    return runtime::Event(std::make_shared<WrittenEvent>(diary_, "done " + what));
  }
  const runtime::CompileStats& stats() const override { return stats_; }
  std::string explain(const runtime::Profiler*) const override { return ""; }
  std::string dump(const std::string& stage) const override {
    throw Error(ErrorCode::kInvalidArgument, "no stage " + stage + "; there is: diary");
  }

 private:
  Diary& diary_;
  std::int64_t max_steps_;
  runtime::CompileStats stats_;
};

class WrittenExecutable final : public StackedExecutable {
 public:
  WrittenExecutable(const runtime::StepProgram& program, const runtime::Client& client,
                    const LaunchLimits& limits, Diary& diary)
      : StackedExecutable(program, client, limits), diary_(diary) {}

 protected:
  std::unique_ptr<LoopProgram> compile_loop(const transform::StepLoop& loop) const override {
    diary_.write("compile " + std::to_string(loop.max_steps));
    return std::make_unique<WrittenLoop>(diary_, loop.max_steps);
  }

 private:
  Diary& diary_;
};

/// Batches of two rows of one number, an output a step; row r holds r.
struct StackedExecutableTest : testing::Test {
  ir::Function step;
  std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
  Diary diary;
  std::vector<float> data = std::vector<float>(100);
  std::vector<std::int64_t> indices = std::vector<std::int64_t>(100);
  std::vector<float> outputs = std::vector<float>(50, -1);
  runtime::Progress progress;

  StackedExecutableTest() {
    const ir::Value x = step.body.add_argument({DType::kF32, {2}});
    ir::Builder b(step.body);
    step.body.set_results({ops::reduce_sum(b, x, {0})});
    for (std::size_t i = 0; i < data.size(); ++i)
      data[i] = static_cast<float>(indices[i] = static_cast<std::int64_t>(i));
  }
  std::unique_ptr<runtime::Executable> make(const LaunchLimits& limits) {
    return std::make_unique<WrittenExecutable>(
        runtime::StepProgram{.step = &step, .arguments = {ArgumentKind::kRows}, .name = "diary"}, *client,
        limits, diary);
  }
  std::int64_t run(runtime::Executable& executable, std::int64_t num_steps) {
    const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(data.data())};
    std::byte* const places[] = {reinterpret_cast<std::byte*>(outputs.data())};
    return executable.run(
        {.rows = rows, .row_indices = indices.data(), .num_rows = 2 * num_steps - 1, .outputs = places},
        num_steps, &progress);
  }
};

TEST_F(StackedExecutableTest, TheNextLaunchBeginsBeforeTheLastOneIsWaitedFor) {
  const auto executable = make({.max_steps = 4});
  EXPECT_EQ(run(*executable, 14), 14);
  EXPECT_EQ(diary.lines, (std::vector<std::string>{
                             "compile 4", "launch 4 of 4, 8 rows from 0", "launch 4 of 4, 8 rows from 8",
                             "done 4 of 4, 8 rows from 0", "launch 4 of 4, 8 rows from 16",
                             "done 4 of 4, 8 rows from 8", "launch 2 of 4, 3 rows from 24",
                             "done 4 of 4, 8 rows from 16", "done 2 of 4, 3 rows from 24"}));
  for (std::size_t i = 0; i < 14; ++i) EXPECT_EQ(outputs[i], static_cast<float>(2 * i));
  EXPECT_EQ(outputs[14], -1) << "padding of the last stack goes nowhere";
  EXPECT_EQ(progress.steps_done.load(), 14);
}

TEST_F(StackedExecutableTest, KeepsTheMemoryOfItsLargestLaunches) {
  const auto executable = make({.max_steps = 4});
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(data.data())};
  std::byte* const places[] = {reinterpret_cast<std::byte*>(outputs.data())};
  constexpr std::size_t kRows = 8, kOutput = 4;  // bytes of a step
  EXPECT_EQ(executable->kept_bytes({.rows = rows}, 0), 0U);
  EXPECT_EQ(executable->kept_bytes({.rows = rows}, 1), kRows);
  EXPECT_EQ(executable->kept_bytes({.rows = rows}, 3), 4 * kRows) << "the next power of two";
  EXPECT_EQ(executable->kept_bytes({.rows = rows, .outputs = places}, 14), 2 * 4 * (kRows + kOutput));
  EXPECT_EQ(executable->kept_bytes({.rows = rows}, 1), 2 * 4 * (kRows + kOutput)) << "it is not freed";
}

TEST_F(StackedExecutableTest, WhatFollowsAFailureDoesNotCount) {
  const auto executable = make({.max_steps = 4});
  diary.fails = "done 4 of 4, 8 rows from 8";
  EXPECT_THROW(run(*executable, 14), Error);
  EXPECT_EQ(progress.steps_done.load(), 4);
  EXPECT_EQ(diary.lines.back(), "done 4 of 4, 8 rows from 16") << "memory is the device's until it is done";
  diary.fails = "launch 4 of 4, 8 rows from 16";
  EXPECT_THROW(run(*executable, 14), Error);
  EXPECT_EQ(progress.steps_done.load(), 8);
  EXPECT_EQ(outputs[14], -1);
  diary.fails = "compile 1";
  EXPECT_THROW(run(*make({.max_steps = 4}), 1), Error);
}

TEST_F(StackedExecutableTest, AProgramIsCompiledAheadWhenItIsAskedFor) {
  const auto executable = make({.max_steps = 16});
  executable->prepare(40);
  EXPECT_EQ(diary.lines, (std::vector<std::string>{"compile 16"})) << "16, 16 and a tail of 8";
  executable->prepare(3);
  executable->prepare(0);
  EXPECT_EQ(diary.lines.size(), 1U) << "a small stack may be padded to any length";
  const auto short_first = make({.max_steps = 16});
  short_first->prepare(3);
  EXPECT_EQ(diary.lines.back(), "compile 4");
  short_first->prepare(9);
  EXPECT_EQ(diary.lines.back(), "compile 16");
}

TEST_F(StackedExecutableTest, ALoopIsPrintedWithoutBeingCompiled) {
  const auto executable = make({.max_steps = 16});
  const std::string loop = executable->dump("loop");
  EXPECT_NE(loop.find("tensor<1x2xf32>"), std::string::npos) << loop;
  EXPECT_TRUE(diary.lines.empty());
  executable->prepare(9);
  EXPECT_NE(executable->dump("loop").find("tensor<16x2xf32>"), std::string::npos) << "the last one's";
  EXPECT_EQ(diary.lines, std::vector<std::string>{"compile 16"});
}

TEST_F(StackedExecutableTest, AnUnknownStageIsAnErrorThatNamesTheLoopBesideTheProgramsStages) {
  const auto executable = make({.max_steps = 16});
  try {
    (void)executable->dump("plam");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(error.what(), "no stage plam; there is: diary; there is also the stage \"loop\"");
  }
}

TEST_F(StackedExecutableTest, WhatALaunchUsesStaysUntilItIsDone) {
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(data.data())};
  std::byte* const places[] = {reinterpret_cast<std::byte*>(outputs.data())};
  const runtime::Replica replica{
      .rows = rows, .row_indices = indices.data(), .num_rows = 4, .outputs = places};
  const std::vector<std::string> all = {"compile 2", "launch 2 of 2, 4 rows from 0",
                                        "done 2 of 2, 4 rows from 0", "gone 2"};
  {
    runtime::Event event = [&] {
      const auto executable = make({.max_steps = 2});
      return executable->execute({.replicas = {&replica, 1}, .num_steps = 2}).done;
    }();
    EXPECT_EQ(diary.lines.back(), all[1]) << "the executable is gone, the launch is not done";
    event.wait();
  }
  EXPECT_EQ(diary.lines, all);
  diary.lines.clear();
  {
    const auto executable = make({.max_steps = 2});
    executable->execute({.replicas = {&replica, 1}, .num_steps = 2});
    EXPECT_EQ(diary.lines.back(), all[2]) << "who drops the event waits";
  }
  EXPECT_EQ(diary.lines, all);
}

TEST_F(StackedExecutableTest, SeveralReplicasAreForDevicesThatCanMeet) {
  const runtime::FakeClient two(2);
  const runtime::StepProgram program{
      .step = &step, .arguments = {ArgumentKind::kRows}, .name = "diary", .devices = {0, 1}};
  try {
    const WrittenExecutable executable(program, two, {}, diary);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
    EXPECT_STREQ(error.what(), "[fake] no two devices run a program together; got 2");
  }
  WrittenExecutable(program, two, {.max_replicas = 2}, diary);
}

TEST_F(StackedExecutableTest, NothingIsLaunchedOnceStopped) {
  const auto executable = make({});
  progress.stop = true;
  EXPECT_EQ(run(*executable, 3), 0);
  EXPECT_TRUE(diary.lines.empty());
}

}  // namespace
}  // namespace cornu::inline v0::backends::stacked
