#include "cornu/backends/reference/backend.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/ops/all.h"

namespace cornu::inline v0::backends::reference {
namespace {

using ir::DType;
using runtime::ArgumentKind;

/// total += scale * sum of the valid rows; output: each row times scale. Batches of 2 rows of 3.
struct BackendTest : testing::Test {
  BackendTest() {
    step.name = "step";
    const ir::Value rows = step.body.add_argument({DType::kF32, {2, 3}});
    const ir::Value total = step.body.add_argument({DType::kF32, {}});
    const ir::Value scale = step.body.add_argument({DType::kF32, {}});
    const ir::Value valid_rows = step.body.add_argument({DType::kI32, {}});
    ir::Builder b(step.body);
    const ir::Value scaled = ops::multiply(b, rows, ops::broadcast_scalar(b, scale, {2, 3}));
    const ir::Value row_sums = ops::reduce_sum(b, scaled, {1});
    const ir::Value is_valid =
        ops::compare(b, ops::iota(b, {DType::kI32, {2}}, 0), ops::broadcast_scalar(b, valid_rows, {2}),
                     ops::ComparisonDirection::kLt);
    const ir::Value kept = ops::select(b, is_valid, row_sums, ops::full(b, {DType::kF32, {2}}, 0));
    step.body.set_results({ops::add(b, total, ops::reduce_sum(b, kept, {0})), scaled});
  }
  runtime::StepProgram program() const {
    return {.step = &step,
            .arguments = {ArgumentKind::kRows, ArgumentKind::kState, ArgumentKind::kFixed,
                          ArgumentKind::kValidRows}};
  }
  ir::Function step;
  std::shared_ptr<runtime::Client> client = make_client("", {});
};

struct RunResult {
  float total = 0;
  std::int64_t steps = 0;
  std::vector<float> output = std::vector<float>(12, -1);
};

/// Two steps over three rows by the indices 2, 0 and 1 (and one of padding).
RunResult run_steps(runtime::Client& client, runtime::Executable& executable, runtime::Progress* progress,
                    std::int64_t num_steps = 2) {
  const auto total = client.allocate({DType::kF32, {}}), scale = client.allocate({DType::kF32, {}});
  const float ten = 10;
  scale->copy_from_host(&ten);
  const float data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::int64_t indices[] = {2, 0, 1, 1};
  RunResult result;
  runtime::Buffer* const state[] = {total.get()};
  runtime::Buffer* const fixed[] = {scale.get()};
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(data)};
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(result.output.data())};
  result.steps = executable.run({.state = state,
                                 .fixed = fixed,
                                 .rows = rows,
                                 .row_indices = indices,
                                 .num_rows = 3,
                                 .outputs = outputs},
                                num_steps, progress);
  total->copy_to_host(&result.total);
  return result;
}

TEST_F(BackendTest, GathersRowsUpdatesStateAndWritesOutputs) {
  const auto executable = client->compile(program());
  runtime::Progress progress;
  const RunResult result = run_steps(*client, *executable, &progress);
  EXPECT_EQ(result.steps, 2);
  EXPECT_EQ(progress.steps_done.load(), 2);
  EXPECT_EQ(result.total, 450) << "the padding row must not count";
  EXPECT_EQ(result.output, (std::vector<float>{70, 80, 90, 10, 20, 30, 40, 50, 60, 40, 50, 60}));
}

TEST_F(BackendTest, RunsWithoutProgressAndForNoSteps) {
  const auto executable = client->compile(program());
  EXPECT_EQ(run_steps(*client, *executable, nullptr).total, 450);
  EXPECT_EQ(run_steps(*client, *executable, nullptr, 0).total, 0);
}

TEST_F(BackendTest, StopsBeforeTheNextStepWhenAsked) {
  const auto executable = client->compile(program());
  runtime::Progress progress;
  progress.stop = true;
  const RunResult result = run_steps(*client, *executable, &progress);
  EXPECT_EQ(result.steps, 0);
  EXPECT_EQ(result.total, 0);
  EXPECT_EQ(result.output[0], -1);
}

TEST_F(BackendTest, KeepsACopyOfTheProgram) {
  const auto executable = client->compile(program());
  step.body.set_results({});
  EXPECT_EQ(run_steps(*client, *executable, nullptr).total, 450);
}

TEST_F(BackendTest, RejectsSignaturesThatBreakTheContract) {
  runtime::StepProgram bad = program();
  bad.arguments.pop_back();
  EXPECT_THROW(client->compile(bad), Error);
  bad = program();
  bad.arguments[3] = ArgumentKind::kState;  // no result of its type
  EXPECT_THROW(client->compile(bad), Error);
  bad = program();
  bad.arguments[2] = ArgumentKind::kValidRows;  // not i32
  EXPECT_THROW(client->compile(bad), Error);
}

TEST_F(BackendTest, RejectsExecutionsThatDoNotFit) {
  using runtime::Buffer;
  using runtime::Replica;
  const auto executable = client->compile(program());
  const auto total = client->allocate({DType::kF32, {}}), scale = client->allocate({DType::kF32, {}});
  const auto of_f64 = client->allocate({DType::kF64, {}}), of_two = client->allocate({DType::kF32, {2}});
  const auto narrow_rows = client->allocate({DType::kF32, {9, 2}});
  const auto of_one_step = client->allocate({DType::kF32, {2, 3}});
  const float ten = 10, data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  scale->copy_from_host(&ten);
  const std::int64_t indices[] = {2, 0, 1, 1};
  std::vector<float> output(12);
  Buffer *const state[] = {total.get(), total.get()}, *const fixed[] = {scale.get()};
  Buffer *const f64[] = {of_f64.get()}, *const two[] = {of_two.get()}, *const narrow[] = {narrow_rows.get()},
                *const small[] = {of_one_step.get()};
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(data)};
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(output.data())};
  const Replica fits = {.state = {state, 1},
                        .fixed = fixed,
                        .rows = rows,
                        .row_indices = indices,
                        .num_rows = 3,
                        .outputs = outputs};
  const auto refused = [&](const std::function<void(Replica&)>& change,
                           std::int64_t num_steps = 2) -> std::string {
    Replica replica = fits;
    change(replica);
    try {
      executable->run(replica, num_steps);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused([](Replica& of) { of = {}; }), "the program has 1 state buffers; got 0");
  EXPECT_EQ(refused([&](Replica& of) { of.state = state; }), "the program has 1 state buffers; got 2");
  EXPECT_EQ(refused([&](Replica& of) { of.state = f64; }),
            "state buffer 0 of the program is tensor<f32>; got tensor<f64>");
  EXPECT_EQ(refused([&](Replica& of) { of.fixed = two; }),
            "fixed buffer 0 of the program is tensor<f32>; got tensor<2xf32>");
  EXPECT_EQ(refused([](Replica& of) { of.rows = {}; }), "the program has 1 row arguments; got 0");
  EXPECT_EQ(refused([&](Replica& of) { of.rows = {}, of.row_buffers = narrow; }),
            "row argument buffer 0 of the program is tensor<9x3xf32>; got tensor<9x2xf32>");
  EXPECT_EQ(refused([](Replica& of) { of.outputs = {}; }), "the program has 1 outputs; got 0");
  EXPECT_EQ(refused([&](Replica& of) { of.outputs = {}, of.output_buffers = small; }),
            "output buffer 0 of the program must hold tensor<2x3xf32> of 2 steps; got tensor<2x3xf32>");
  EXPECT_EQ(refused([](Replica&) {}, -1), "num_steps must not be negative; got -1");
  float sum = -1;
  total->copy_to_host(&sum);
  EXPECT_EQ(sum, 0) << "nothing ran";
  EXPECT_EQ(refused([](Replica&) {}), "");
  total->copy_to_host(&sum);
  EXPECT_EQ(sum, 450);
}

TEST_F(BackendTest, DumpsStableHloAndNamesItsStages) {
  const auto executable = client->compile(program());
  EXPECT_NE(executable->dump("stablehlo").find("func.func"), std::string::npos);
  try {
    executable->dump("llvm");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the reference backend has no stage \"llvm\"; there is: stablehlo");
  }
}

TEST_F(BackendTest, BuffersAreZeroFilledAndAligned) {
  const auto buffer = client->allocate({DType::kF32, {3}});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->host_data()) % 64, 0u);
  float values[3] = {1, 1, 1};
  buffer->copy_to_host(values);
  EXPECT_EQ(values[0] + values[1] + values[2], 0);
  EXPECT_THROW(client->allocate({DType::kF32, {std::int64_t{1} << 62}}), Error);
}

}  // namespace
}  // namespace cornu::inline v0::backends::reference
