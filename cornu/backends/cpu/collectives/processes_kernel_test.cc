#include "cornu/backends/cpu/collectives/processes_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ops/all.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/process_memory.h"
#include "cornu/runtime/profiler.h"

// Tests of programs with other processes, which are simulated.
namespace cornu::inline v0::backends::cpu {
namespace {

/// The second of two processes; the first one has the same values and does the same.
class TwinProcesses final : public runtime::Collective {
 public:
  TwinProcesses() : Collective(1, 2) {}

  void all_gather(std::span<const std::byte> own, std::span<std::byte> all) override {
    calls += fmt::format("gather {} ", own.size());
    for (std::size_t i = 0; i < 2; ++i) std::memcpy(all.data() + i * own.size(), own.data(), own.size());
    fail_if_it_is_time();
  }
  void all_to_all(std::span<const std::span<const std::byte>> out,
                  std::span<const std::span<std::byte>> in) override {
    calls += fmt::format("exchange {} ", out[0].size());
    std::memcpy(in[1].data(), out[1].data(), in[1].size());
    std::memcpy(in[0].data(), out[0].data(), std::min(in[0].size(), out[0].size()));
    fail_if_it_is_time();
  }
  /// Takes the pieces that this process sends as those that it receives.
  void exchange_pieces(runtime::MessagePieces& messages) override {
    calls += fmt::format("pieces {} ", messages.sent_bytes(0));
    std::vector<std::byte> bytes(messages.sent_bytes(0));
    messages.write(0, 0, bytes);
    messages.read(0, 0, bytes);
  }
  void all_reduce(ir::DType dtype, std::span<std::byte> values) override {
    CORNU_CHECK(dtype == ir::DType::kF32, "sums of f32");
    calls += fmt::format("sum {} ", values.size());
    for (std::size_t i = 0; i < values.size(); i += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, values.data() + i, sizeof(value));
      value *= 2;
      std::memcpy(values.data() + i, &value, sizeof(value));
    }
    fail_if_it_is_time();
  }

  std::int64_t start_all_reduce(ir::DType dtype, std::span<std::byte> values) override {
    const std::string before = calls;
    all_reduce(dtype, values);
    calls = before + fmt::format("start {} ", values.size());
    return 17;
  }
  void finish_all_reduce(std::int64_t begun) override { calls += fmt::format("finish {} ", begun); }
  std::shared_ptr<runtime::KeyValueStore> open_store() override { return nullptr; }
  /// Counts a millisecond for each call, a quarter of which is waiting.
  runtime::ProcessCounts counts() const override {
    const std::int64_t num_calls = std::count(calls.begin(), calls.end(), ' ') / 2;
    const auto count = static_cast<double>(num_calls);
    return {.calls = num_calls,
            .sent_bytes = 1e5 * count,
            .seconds = 250e-6 * count,
            .waited_seconds = 62.5e-6 * count};
  }

  std::string calls;
  int fails_at_call = 0;

 private:
  void fail_if_it_is_time() {
    if (fails_at_call == 0) return;
    --fails_at_call;
    if (fails_at_call == 0) fail(ErrorCode::kUnavailable, "rank 0 is gone");
  }
};

class ProcessesKernelTest : public ::testing::Test {
 protected:
  void SetUp() override { runtime::join_processes(twins_); }
  void TearDown() override { runtime::join_processes(nullptr); }

  /// x = the sum over both processes of x + their number, for large and small tensors.
  void compile(std::int64_t num_processes = 2) {
    ir::Builder b(function_.body);
    std::vector<ir::Value> own;
    for (const std::int64_t extent : {std::int64_t{3}, std::int64_t{5}, kLarge}) {
      const ir::Value x = function_.body.add_argument({ir::DType::kF32, {extent}});
      const ir::Value rank = ops::convert(b, ops::replica_id(b), ir::DType::kF32);
      own.push_back(ops::add(b, x, ops::broadcast_in_dim(b, rank, x.dims(), {})));
    }
    std::vector<ir::Value> results = ops::all_reduce(b, own, ops::all_replicas(num_processes),
                                                     [](ir::Builder& c, std::span<const ir::Value> v) {
                                                       return std::vector<ir::Value>{ops::add(c, v[0], v[1])};
                                                     });
    results.push_back(ops::all_gather(b, results[0], 0, ops::all_replicas(num_processes)));
    function_.body.set_results(results);
    executable_ = client_->compile(
        {.step = &function_, .arguments = std::vector(3, runtime::ArgumentKind::kState), .name = "twins"});
  }

  std::int64_t run(std::int64_t num_steps, runtime::Progress* progress = nullptr) {
    std::vector<runtime::Buffer*> state;
    if (buffers_.empty())
      for (const ir::Value& argument : function_.body.arguments())
        buffers_.push_back(client_->allocate(argument.type()));
    for (const auto& buffer : buffers_) state.push_back(buffer.get());
    gathered_.assign(static_cast<std::size_t>(num_steps) * 6, -1);
    std::byte* const outputs[] = {reinterpret_cast<std::byte*>(gathered_.data())};
    return executable_->run({.state = state, .outputs = outputs}, num_steps, progress);
  }
  float value(std::size_t i) {
    std::vector<float> values(static_cast<std::size_t>(function_.body.arguments()[i].type().num_elements()));
    buffers_[i]->copy_to_host(values.data());
    for (const float each : values) EXPECT_EQ(each, values[0]);
    return values[0];
  }

  static constexpr std::int64_t kLarge = 100'000;
  std::shared_ptr<TwinProcesses> twins_ = std::make_shared<TwinProcesses>();
  std::shared_ptr<runtime::Client> client_ = runtime::make_client("cpu", {.num_threads = 1});
  ir::Function function_;
  std::unique_ptr<runtime::Executable> executable_;
  std::vector<std::unique_ptr<runtime::Buffer>> buffers_;
  std::vector<float> gathered_;
};

TEST_F(ProcessesKernelTest, MeetsInEveryStepOfAnExecution) {
  compile();
  EXPECT_EQ(executable_->stats().num_reference_fallbacks, 0);
  EXPECT_EQ(run(3), 3);
  // 2 (x + 1): 2, 6, 14.
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(value(i), 14) << i;
  EXPECT_EQ(gathered_, (std::vector<float>{2, 2, 2, 2, 2, 2, 6, 6, 6, 6, 6, 6, 14, 14, 14, 14, 14, 14}));
  const std::string step = "sum 32 sum 400000 gather 12 ";
  EXPECT_EQ(twins_->calls, "gather 72 " + step + step + step);
}

TEST_F(ProcessesKernelTest, StopsBeforeAnExecutionAndNotBetweenItsSteps) {
  compile();
  runtime::Progress progress;
  EXPECT_EQ(run(2, &progress), 2);
  progress.stop.store(true);
  EXPECT_EQ(run(2, &progress), 0);
  EXPECT_EQ(value(0), 6);
}

TEST_F(ProcessesKernelTest, ExplainSaysWhatIsSentAndProfilesWhatItTook) {
  compile();
  const std::string explained = executable_->explain();
  // Half of the summands is sent and received, and all of the gathered data.
  EXPECT_NE(explained.find("2 collectives with 1 other process, of which 0 go on beside the groups that "
                           "follow: this one sends 0.400 MB a step"),
            std::string::npos)
      << explained;
  runtime::Profiler profiler;
  profiler.start();
  run(4);
  profiler.stop();
  const std::string measured =
      "3 collectives a step, 0.300 MB sent, 750.0 us, of which 75.0 % beside other work";
  EXPECT_NE(executable_->explain(&profiler).find("measured: " + measured), std::string::npos)
      << executable_->explain(&profiler);
  EXPECT_NE(profiler.report(5, {}).find("with other processes: " + measured), std::string::npos);
}

TEST_F(ProcessesKernelTest, LargeSumsGoOnWhileOthersCompute) {
  ir::Builder b(function_.body);
  const ir::Value x = function_.body.add_argument({ir::DType::kF32, {512, 512}}),
                  y = function_.body.add_argument({ir::DType::kF32, {512, 512}});
  const ir::Value own = ops::tanh(b, x), product = ops::matmul(b, y, y);
  const ir::Value sum = ops::all_reduce_sum(b, own, ops::all_replicas(2));
  function_.body.set_results({ops::add(b, sum, y), product});
  executable_ = client_->compile(
      {.step = &function_, .arguments = std::vector(2, runtime::ArgumentKind::kState), .name = "twins"});
  EXPECT_NE(executable_->dump("plan").find(" begins: "), std::string::npos) << executable_->dump("plan");
  for (const ir::Value& argument : function_.body.arguments())
    buffers_.push_back(client_->allocate(argument.type()));
  const std::vector<float> ones(512 * 512, 1);
  for (const auto& buffer : buffers_) buffer->copy_from_host(ones.data());
  runtime::Buffer* const state[] = {buffers_[0].get(), buffers_[1].get()};
  EXPECT_EQ(executable_->run({.state = state}, 1), 1);
  EXPECT_NEAR(value(0), 2 * std::tanh(1.0f) + 1, 1e-5);
  EXPECT_EQ(value(1), 512);
  EXPECT_EQ(twins_->calls, "gather 72 start 1048576 finish 17 ");
}

/// Steps that read two rows, of which the twin has one, and change the part without a collective between.
class ViewsTest : public ProcessesKernelTest {
 protected:
  static constexpr std::int64_t kRows = 9000, kColumns = 64, kIds = 2;  // more than 2 MiB

  void compile() {
    ir::Builder b(function_.body);
    const ir::TensorType vector{ir::DType::kI32, {kIds}};
    const ir::Value part = function_.body.add_argument({ir::DType::kF32, {kRows, kColumns}}),
                    rows = function_.body.add_argument({ir::DType::kF32, {kIds, kColumns}}),
                    ids = function_.body.add_argument(vector), first = function_.body.add_argument(vector),
                    named = function_.body.add_argument({ir::DType::kI32, {2 * kIds}});
    const ops::ShardedView view =
        ops::sharded_view(b, part, ids, first, named, {.num_rows = 2 * kRows, .num_shards = 2});
    const ir::Value read = ops::gather_rows(b, view.rows, view.numbers);
    function_.body.set_results({ops::add(b, part, ops::full(b, part.type(), 1)), ops::add(b, rows, read)});
    std::vector kinds(2, runtime::ArgumentKind::kState);
    kinds.resize(5, runtime::ArgumentKind::kFixed);
    executable_ = client_->compile({.step = &function_, .arguments = kinds, .name = "views"});
  }
  void allocate_part(bool is_for_processes) {
    const runtime::ProcessMemoryScope scope(is_for_processes);
    buffers_.push_back(client_->allocate(function_.body.arguments()[0].type()));
    std::vector<float> numbers(kRows * kColumns);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<float>(i / as_size(kColumns));  // the number of the row
    buffers_[0]->copy_from_host(numbers.data());
  }
  /// The sums of the rows read in two steps.
  std::vector<float> rows_of_two_steps() {
    for (std::size_t i = 1; i < 5; ++i)
      buffers_.push_back(client_->allocate(function_.body.arguments()[i].type()));
    const std::array<std::int32_t, 2> ids = {static_cast<std::int32_t>(kRows) + 11, 30}, first = {0, 1};
    const std::array<std::int32_t, 4> named = {static_cast<std::int32_t>(kRows) + 30, -1, ids[0], ids[1]};
    buffers_[2]->copy_from_host(ids.data());
    buffers_[3]->copy_from_host(first.data());
    buffers_[4]->copy_from_host(named.data());
    runtime::Buffer* const state[] = {buffers_[0].get(), buffers_[1].get()};
    runtime::Buffer* const fixed[] = {buffers_[2].get(), buffers_[3].get(), buffers_[4].get()};
    executable_->run({.state = state, .fixed = fixed}, 2);
    std::vector<float> rows(kIds * kColumns);
    buffers_[1]->copy_to_host(rows.data());
    return {rows[0], rows[kColumns - 1], rows[kColumns], rows.back()};
  }
  static std::size_t as_size(std::int64_t number) { return static_cast<std::size_t>(number); }
};

TEST_F(ViewsTest, RowsOfTheOtherProcessAreReadWhereTheyAre) {
  compile();
  allocate_part(true);
  // Rows 11 and 30 of both parts, which are the same memory here: each step adds 1 after all have read.
  EXPECT_EQ(rows_of_two_steps(), (std::vector<float>{23, 23, 61, 61}));
  const std::string handle = fmt::format("gather {} ", sizeof(runtime::ProcessMemoryHandle));
  // The first step finds that all are mapped; each waits for the other process before it changes the part.
  EXPECT_EQ(twins_->calls, "gather 72 " + handle + "gather 8 gather 8 " + handle + "gather 8 ");
}

TEST_F(ViewsTest, ThePartChangesAfterTheEndOfItsView) {
  compile();
  const std::string plan = executable_->dump("plan");
  const std::size_t begin = plan.find("cornu.sharded_view"), end = plan.find("ends: ", begin),
                    change = plan.rfind("loop");
  EXPECT_LT(begin, end) << plan;
  EXPECT_LT(end, change) << plan;
}

TEST_F(ViewsTest, WithoutMemoryForProcessesRowsAreCopied) {
  compile();
  allocate_part(false);
  twins_->calls.clear();
  EXPECT_EQ(rows_of_two_steps(), (std::vector<float>{23, 23, 61, 61}));  // the row that is sent comes back
  const std::string step =
      fmt::format("gather {} pieces {} ", sizeof(runtime::ProcessMemoryHandle), 4 * kColumns);
  EXPECT_EQ(twins_->calls, "gather 72 " + step + step);
}

TEST_F(ProcessesKernelTest, AnErrorEndsTheExecutionWithItsStep) {
  compile();
  twins_->fails_at_call = 3;  // the first large sum
  try {
    run(5);
    ADD_FAILURE() << "the other process is gone";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    EXPECT_STREQ(error.what(), "rank 0 is gone");
  }
}

TEST_F(ProcessesKernelTest, RefusesProgramsForOtherNumbersOfProcesses) {
  try {
    compile(4);
    ADD_FAILURE() << "there are two";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
    EXPECT_NE(std::string(error.what()).find("for 4 devices or processes together, and 2 run here"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
