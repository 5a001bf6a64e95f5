#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/backends/cpu/step_test_support.h"
#include "cornu/base/cpu_info.h"
#include "cornu/base/error.h"

namespace cornu::inline v0::backends::cpu {
namespace {

TEST(CpuExecutableTest, SameBitsAtAnyNumberOfThreads) {
  TestStep step;
  make_test_step(step, 96, 300, 256, 10);
  const TestRun expected = run_test_step(*runtime::make_client("cpu", {.num_threads = 1}), step, 500, 7, 7);
  for (int threads : {2, 3, 8, 16}) {
    const TestRun run =
        run_test_step(*runtime::make_client("cpu", {.num_threads = threads}), step, 500, 7, 7);
    EXPECT_EQ(run.state, expected.state) << threads << " threads";
    EXPECT_EQ(run.predictions, expected.predictions) << threads << " threads";
  }
}

TEST(CpuExecutableTest, SameBitsAtAnyStepsPerExecution) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  const auto client = runtime::make_client("cpu");
  const TestRun expected = run_test_step(*client, step, 100, 21, 1);
  for (std::int64_t k : {2, 5, 21, 50}) {
    const TestRun run = run_test_step(*client, step, 100, 21, k);
    EXPECT_EQ(run.steps, 21);
    EXPECT_EQ(run.state, expected.state) << k << " steps an execution";
    EXPECT_EQ(run.predictions, expected.predictions) << k << " steps an execution";
  }
}

TEST(CpuExecutableTest, EveryInstructionSetLevelTrainsLikeTheReference) {
  TestStep step;
  make_test_step(step, 13, 9, 37, 5);
  const TestRun expected = run_test_step(*runtime::make_client("reference"), step, 50, 6, 6);
  for (IsaLevel level : cpu_isa_levels()) {
    SCOPED_TRACE(isa_level_name(level));
    const TestRun run = run_test_step(
        *runtime::make_client("cpu", {.isa = std::string(isa_level_name(level))}), step, 50, 6, 6);
    ASSERT_EQ(run.predictions.size(), expected.predictions.size());
    for (std::size_t i = 0; i < run.predictions.size(); ++i)
      EXPECT_NEAR(run.predictions[i], expected.predictions[i], 1e-5);
  }
}

TEST(CpuExecutableTest, StopsBeforeTheNextStepWhenAsked) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  const auto client = runtime::make_client("cpu");
  const auto executable = client->compile({&step.function, step.kinds, "test_step"});
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> state;
  for (std::size_t i = 0; i < 5; ++i) {
    owned.push_back(client->allocate(step.function.body.arguments()[i].type()));
    state.push_back(owned.back().get());
  }
  constexpr std::int64_t kSteps = 2000000;  // seconds, if nobody stops them
  const std::vector<float> data(4 * 20, 0.5F);
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(data.data()),
                                   reinterpret_cast<const std::byte*>(data.data())};
  const std::vector<std::int64_t> indices(kSteps * 20, 0);
  std::vector<float> predictions(kSteps * 20 * 3);
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(predictions.data())};
  runtime::Progress progress;
  runtime::Replica replica;
  replica.state = state;
  replica.rows = rows;
  replica.row_indices = indices.data();
  replica.num_rows = kSteps * 20;
  replica.outputs = outputs;
  std::thread watcher([&] {
    while (progress.steps_done.load() < 100) std::this_thread::yield();
    progress.stop.store(true);
  });
  const std::int64_t done = executable->run(replica, kSteps, &progress);
  watcher.join();
  EXPECT_GE(done, 100);
  EXPECT_LT(done, kSteps);
  EXPECT_EQ(done, progress.steps_done.load());
}

TEST(CpuExecutableTest, ManyThreadsExecuteOneProgramAtOnce) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  const auto client = runtime::make_client("cpu");
  const TestRun expected = run_test_step(*client, step, 100, 9, 9);
  const std::shared_ptr<runtime::Executable> executable =
      client->compile({&step.function, step.kinds, "test_step"});
  std::vector<std::thread> threads;
  std::atomic<int> equal{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i)
        equal += run_test_step(*client, *executable, step, 100, 9, 9).state == expected.state ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal.load(), 12);
}

TEST(CpuExecutableTest, AnErrorOfAReferenceKernelReachesTheCaller) {
  ir::Function function;
  function.name = "main";
  const ir::Value x = function.body.add_argument({ir::DType::kF32, {4}});
  ir::Builder b(function.body);
  function.body.set_results({failing_op(b, x)});
  const auto client = runtime::make_client("cpu");
  const auto executable = client->compile({&function, {runtime::ArgumentKind::kState}, "fails"});
  const auto buffer = client->allocate(x.type());
  runtime::Buffer* const state[] = {buffer.get()};
  runtime::Replica replica;
  replica.state = state;
  for (int i = 0; i < 2; ++i) {
    try {
      executable->run(replica, 3);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnimplemented) << error.what();
    }
  }
}

TEST(CpuExecutableTest, AStepThatNeedsTooMuchMemoryNamesTheLargestTensorAndItsLayer) {
  ir::Function function;
  function.name = "main";
  const ir::Value x = function.body.add_argument({ir::DType::kF32, {1 << 20}});
  const ir::Value y = function.body.add_argument({ir::DType::kF32, {1 << 20}});
  ir::Builder b(function.body);
  const ir::LocationScope location(b, "wide_1");
  const ir::Dims dims = {1 << 20, 1 << 20};
  const ir::Value outer = ops::tanh(
      b, ops::add(b, ops::broadcast_in_dim(b, x, dims, {0}), ops::broadcast_in_dim(b, y, dims, {1})));
  function.body.set_results(
      {ops::reduce_sum(b, ops::multiply(b, outer, ops::transpose(b, outer, {1, 0})), {0}), y});
  try {
    (void)runtime::make_client("cpu")->compile(
        {&function, {runtime::ArgumentKind::kState, runtime::ArgumentKind::kState}, "wide"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
    EXPECT_NE(std::string(error.what()).find("tensor<1048576x1048576xf32> of tanh in layer \"wide_1\""),
              std::string::npos)
        << error.what();
  }
}

TEST(CpuExecutableTest, RefusesMoreMemoryThanTheMachineHas) {
  const auto client = runtime::make_client("cpu");
  try {
    (void)client->allocate({ir::DType::kF32, {std::int64_t{1} << 45}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
    EXPECT_NE(std::string(error.what()).find("140737488355328 bytes"), std::string::npos) << error.what();
  }
}

TEST(CpuExecutableTest, UnknownInstructionSetNamesThoseThereAre) {
  try {
    (void)runtime::make_client("cpu", {.isa = "avx1024"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("it has: sse2"), std::string::npos) << error.what();
  }
}

TEST(CpuExecutableTest, ExplainsGroupsWithCosts) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  const auto executable = runtime::make_client("cpu")->compile({&step.function, step.kinds, "test_step"});
  EXPECT_EQ(executable->stats().num_reference_fallbacks, 0);
  EXPECT_EQ(executable->stats().num_library_calls, 0);
  EXPECT_GT(executable->stats().arena_bytes, 0U);
  const std::string text = executable->explain();
  EXPECT_NE(text.find("dot_general"), std::string::npos) << text;
  EXPECT_NE(text.find("total"), std::string::npos) << text;
  EXPECT_NE(executable->dump("assembly").find("cornu_steps"), std::string::npos);
  EXPECT_THROW((void)executable->dump("microcode"), Error);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
