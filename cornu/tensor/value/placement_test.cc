#include "cornu/tensor/value/placement.h"

#include <gtest/gtest.h>

#include <thread>

#include "cornu/base/check.h"
#include "cornu/runtime/fake_device_test_support.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/trace/variable_state.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/device_discovery.h"

namespace cornu::inline v0 {
namespace {

using runtime::TransferStatistics;

std::string placement_error(const std::function<void()>& body, ErrorCode code) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

/// Expects the fake device's error with all its fields, and a note.
void expect_unreadable(const std::function<void()>& body, const std::string& notes) {
  try {
    body();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    EXPECT_EQ(error.op(), "fake");
    EXPECT_EQ(error.message(), "the device does not answer");
    EXPECT_EQ(error.fields().notes, notes);
    EXPECT_EQ(error.what(), "[fake] the device does not answer; " + notes);
  }
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class PlacementTest : public ::testing::Test {
 protected:
  void SetUp() override { name_ = add_devices(gpu_).at(0); }
  void TearDown() override { remove_devices(gpu_); }
  /// The device's calls during `body`.
  TransferStatistics calls_of(const std::function<void()>& body) const {
    const TransferStatistics before = gpu_->counts();
    body();
    return gpu_->counts().since(before);
  }

  std::shared_ptr<runtime::FakeClient> gpu_ = std::make_shared<runtime::FakeClient>();
  std::string name_;
};

TEST(MakeClientTest, ASpecThatIsNoneGetsAListOfThoseThatAre) {
  const std::string message =
      placement_error([] { (void)runtime::make_client("abacus:7"); }, ErrorCode::kNotFound);
  EXPECT_TRUE(says(message, "\"abacus\"") && says(message, "cpu") && says(message, "reference")) << message;
}

TEST(MakeClientTest, AnArgumentThatIsNotTakenIsRefused) {
  const std::string message =
      placement_error([] { (void)runtime::make_client("cpu:3"); }, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(says(message, "takes no argument") && says(message, "\"cpu:3\"")) << message;
}

TEST(MakeClientTest, AnArgumentThatIsMissingIsNamed) {
  for (const runtime::BackendEntry& entry : runtime::backend_entries()) {
    if (std::string_view(entry.argument).empty()) continue;
    const std::string message =
        placement_error([&] { (void)runtime::make_client(entry.name); }, ErrorCode::kInvalidArgument);
    EXPECT_TRUE(says(message, entry.argument)) << message;
  }
}

TEST(DeviceTableTest, EachTypeIsNumberedOnItsOwnAndNamesComeBack) {
  const auto gpus = std::make_shared<runtime::FakeClient>(2);
  const std::shared_ptr<runtime::Client> cpu = runtime::make_client("cpu", {.num_threads = 1});
  const std::string prefix = "/job:localhost/replica:0/task:0/device:";
  EXPECT_EQ(add_devices(gpus), (std::vector<std::string>{prefix + "GPU:0", prefix + "GPU:1"}));
  EXPECT_EQ(add_devices(gpus), (std::vector<std::string>{prefix + "GPU:0", prefix + "GPU:1"}))
      << "they have names already";
  const std::size_t num_cpus = list_logical_devices("CPU").size();
  EXPECT_EQ(add_devices(cpu), (std::vector<std::string>{prefix + "CPU:" + std::to_string(num_cpus)}));
  EXPECT_EQ(list_logical_devices("GPU").size(), 2U);
  EXPECT_EQ(canonical_device_name("gpu:1"), prefix + "GPU:1");
  remove_devices(gpus);
  EXPECT_TRUE(
      says(placement_error([] { const DeviceScope scope("GPU:0"); }, ErrorCode::kNotFound), "there are"));
  EXPECT_TRUE(list_logical_devices("GPU").empty());
  EXPECT_EQ(add_devices(gpus).at(1), prefix + "GPU:1");
  remove_devices(gpus);
  remove_devices(cpu);
}

TEST(DeviceTableTest, AScopeWhoseDeviceWasRemovedSaysSo) {
  const auto gpu = std::make_shared<runtime::FakeClient>();
  const DeviceScope scope(add_devices(gpu).at(0));
  remove_devices(gpu);
  const auto f = function([](const Tensor& x) { return x + 1.0; });
  EXPECT_TRUE(says(placement_error([&] { (void)f(Tensor(1.0)); }, ErrorCode::kNotFound), "has been removed"));
}

TEST(DeviceTableTest, ATasksNamesAreThoseOfTheClientsThatHadItLast) {
  const auto former = std::make_shared<runtime::FakeClient>(),
             first = std::make_shared<runtime::FakeClient>(),
             second = std::make_shared<runtime::FakeClient>();
  const std::vector<std::shared_ptr<runtime::Client>> one = {former}, two = {first, second};
  add_devices(former);
  detail::set_task(one, "trainer", 3);
  const std::vector<std::string> names = {add_devices(first).at(0), add_devices(second).at(0)};
  for (int time = 0; time < 2; ++time) {
    detail::set_task(two, "trainer", 3);
    EXPECT_EQ(canonical_device_name("/job:trainer/task:3/device:GPU:0"), names[0]);
    EXPECT_EQ(canonical_device_name("/job:trainer/task:3/device:GPU:1"), names[1]);
  }
  for (const std::shared_ptr<runtime::Client>& client : {one[0], two[0], two[1]}) remove_devices(client);
}

TEST(DeviceTableTest, AStrategysDevicesThatWereRemovedAreNotThoseThatHaveTheirNamesNow) {
  const auto gpus = std::make_shared<runtime::FakeClient>(2),
             others = std::make_shared<runtime::FakeClient>(2);
  const std::vector<std::string> names = add_devices(gpus);
  const int group = detail::add_device_group(detail::index_of_device(gpus.get(), 0), {{gpus, 0}, {gpus, 1}});
  remove_devices(gpus);
  EXPECT_EQ(add_devices(others), names);
  const std::string message =
      placement_error([&] { (void)detail::placement_of(group); }, ErrorCode::kNotFound);
  EXPECT_TRUE(says(message, "belongs to another connection: make the strategy again")) << message;
  remove_devices(others);
}

TEST_F(PlacementTest, ABufferOfAnotherClientIsRefusedByName) {
  const std::shared_ptr<runtime::Client> cpu = runtime::make_client("cpu", {.num_threads = 1});
  const auto own = cpu->allocate({DType::kF32, {2}}), foreign = gpu_->allocate({DType::kF32, {2}});
  float values[2] = {1, 2};
  const runtime::Write writes[] = {{own.get(), values}, {foreign.get(), values}};
  const runtime::Read reads[] = {{foreign.get(), values}};
  Trace trace("negative");
  const Variable x(Tensor::of<float>({2}, {1, 2}));
  {
    const Trace::Scope scope(trace);
    x.assign(-x.value());
  }
  const TracedProgram program = trace.finish();
  const auto executable = cpu->compile(program.step_program());
  runtime::Buffer* const state[] = {foreign.get()};
  for (const std::string& message :
       {placement_error([&] { cpu->write(writes); }, ErrorCode::kInvalidArgument),
        placement_error([&] { cpu->read(reads); }, ErrorCode::kInvalidArgument),
        placement_error([&] { (void)cpu->copy(*foreign, 0); }, ErrorCode::kInvalidArgument),
        placement_error([&] { executable->run({.state = state}); }, ErrorCode::kInvalidArgument)}) {
    EXPECT_TRUE(says(message, cpu->name()) && says(message, gpu_->name())) << message;
  }
  float after[2] = {7, 7};
  own->copy_to_host(after);
  EXPECT_EQ(after[0], 0) << "nothing is written before all is checked";
  EXPECT_THROW((void)gpu_->allocate({DType::kF32, {2}}, 1), Error);
}

TEST_F(PlacementTest, ResultsOfFunctionsStayThereAndAreDownloadedOnce) {
  const auto f = function([](const Tensor& x) { return x * 2.0 + 1.0; });
  const Tensor x = Tensor::of<float>({3}, {1, 2, 3});
  Tensor y, z;
  const TransferStatistics calls = calls_of([&] {
    const DeviceScope scope(name_);
    y = f(x);
    z = f(y);
  });
  EXPECT_EQ(calls.compiles.calls, 1);
  EXPECT_EQ(calls.executions.calls, 2);
  EXPECT_EQ(calls.writes, (runtime::CallTotal{.calls = 1, .items = 1, .bytes = 12, .seconds = 1}))
      << "z's argument was there";
  EXPECT_EQ(calls.reads.calls, 0);
  EXPECT_EQ(z.device(), name_);
  const TransferStatistics reads = calls_of([&] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { EXPECT_EQ(z.to_vector<float>(), (std::vector<float>{7, 11, 15})); });
    for (std::thread& thread : threads) thread.join();
    const Tensor copy = z;
    EXPECT_EQ(copy.at(2), 15);
    EXPECT_EQ(copy.rows(1, 2).at(0), 11);
  });
  EXPECT_EQ(reads.reads.calls, 1);
  EXPECT_EQ((x + z).to_vector<float>(), (std::vector<float>{8, 13, 18}))
      << "outside of the scope operations run on the CPU";
}

TEST_F(PlacementTest, OneFunctionServesTwoPlacements) {
  const Variable sum(0.0F);
  const auto f = function([&](const Tensor& x) {
    sum.assign_add(x);
    return sum * 1.0;
  });
  EXPECT_EQ(f(Tensor::of<float>({}, {1})).item<float>(), 1);
  {
    const DeviceScope scope(name_);
    EXPECT_EQ(f(Tensor::of<float>({}, {2})).item<float>(), 3);
    EXPECT_EQ(f(Tensor::of<float>({}, {3})).item<float>(), 6);
  }
  EXPECT_EQ(f(Tensor::of<float>({}, {4})).item<float>(), 10) << "the value follows";
  EXPECT_EQ(f.trace_count(), 2);
  EXPECT_EQ(sum.value().item<float>(), 10);
}

TEST_F(PlacementTest, VariablesGoInOneRoundTripAndOnlyWhenTheyChanged) {
  std::vector<Variable> weights;
  for (int i = 0; i < 5; ++i) weights.emplace_back(Tensor::of<float>({2}, {1.0F * i, 2.0F * i}));
  const auto f = function([&](const Tensor& x) {
    Tensor total = x;
    for (const Variable& weight : weights) total = total + weight;
    return total;
  });
  const Tensor x = Tensor::of<float>({2}, {0, 0});
  const auto call = [&] {
    const DeviceScope scope(name_);
    return f(x);
  };
  EXPECT_EQ(calls_of(call).writes.items, 6);
  EXPECT_EQ(calls_of(call).writes.items, 1) << "the argument alone";
  EXPECT_EQ(f(x).to_vector<float>(), (std::vector<float>{10, 20})) << "on the CPU, from the host's values";
  EXPECT_EQ(calls_of(call).writes.items, 1) << "the CPU only read them";
  weights[1].assign(Tensor::of<float>({2}, {5, 5}));
  EXPECT_EQ(calls_of(call).writes, (runtime::CallTotal{.calls = 2, .items = 2, .bytes = 16, .seconds = 2}));
  EXPECT_EQ(call().to_vector<float>(), (std::vector<float>{14, 23}));
}

TEST_F(PlacementTest, WhoKeepsBuffersHearsOfWhatIsAssigned) {
  const Variable rate(1.0F);
  const auto f = function([&](const Tensor& x) { return x * rate; });
  const Tensor x = Tensor::of<float>({}, {2});
  EXPECT_EQ(with_device(name_, [&] { return f(x).item<float>(); }), 2);
  const std::uint64_t before = detail::variable_moves.load();
  rate.assign(3.0F);
  EXPECT_NE(detail::variable_moves.load(), before) << "the program's copy is no longer good";
  EXPECT_EQ(with_device(name_, [&] { return f(x).item<float>(); }), 6);
}

TEST_F(PlacementTest, WhoKeepsBuffersThatProgramsOnlyReadHearsOfAValueThatIsOnTheDevice) {
  const DeviceScope scope(name_);
  const Variable variable(Tensor::of<float>({2}, {1, 2}));
  const Variable variables[] = {variable};
  runtime::Buffer* buffer = nullptr;
  detail::find_buffers(variables, current_placement(), detail::Access::kRead, &buffer);
  const std::uint64_t before = detail::variable_moves.load();
  variable.assign(Tensor::of<float>({2}, {3, 4}) * 2.0);
  EXPECT_NE(detail::variable_moves.load(), before) << "the buffer is gone";
  detail::find_buffers(variables, current_placement(), detail::Access::kRead, &buffer);
  float values[2] = {};
  buffer->copy_to_host(values);
  EXPECT_EQ(values[1], 8);
}

TEST_F(PlacementTest, ATensorKeepsTheValueThatItsVariableHad) {
  const Variable x(Tensor::of<float>({2}, {1, 2}));
  const auto twice = function([&] { x.assign(x * 2.0); });
  const DeviceScope scope(name_);
  twice();
  const Tensor before = x.value();
  twice();
  EXPECT_EQ(before.to_vector<float>(), (std::vector<float>{2, 4}));
  EXPECT_EQ(x.value().to_vector<float>(), (std::vector<float>{4, 8}));
  EXPECT_EQ(calls_of(twice).copies.calls, 0) << "nobody holds the value any more";
}

TEST_F(PlacementTest, ADeviceErrorLeavesTheOldValueReadable) {
  const Variable x(Tensor::of<float>({2}, {1, 2}), {.name = "x", .path = "layer/x"});
  const auto twice = function([&] { x.assign(x * 2.0); });
  gpu_->go_away();
  {
    const DeviceScope scope(name_);
    EXPECT_THROW(twice(), Error);
  }
  EXPECT_EQ(x.value().to_vector<float>(), (std::vector<float>{1, 2}));
  gpu_->come_back();
  with_device(name_, [&] { twice(); });
  gpu_->go_away();
  expect_unreadable([&] { (void)x.read(); },
                    "variable \"layer/x\" cannot be read from device 0 of " + gpu_->name());
  EXPECT_THROW(twice(), Error) << "its value is needed on the CPU";
  gpu_->come_back();
  EXPECT_EQ(x.read().at(1), 4);
  twice();
  EXPECT_EQ(x.read().at(1), 8);
}

TEST_F(PlacementTest, ATensorWhoseDeviceIsGoneSaysSo) {
  const Tensor there = to_device(Tensor::of<float>({2}, {1, 2}), name_);
  gpu_->go_away();
  expect_unreadable([&] { (void)there.at(0); },
                    "the elements of a (2,) float32 cannot be read from " + gpu_->name());
  gpu_->come_back();
  EXPECT_EQ(there.at(1), 2);
}

TEST_F(PlacementTest, MovingATensorMovesItsElements) {
  const Tensor x = Tensor::of<float>({2}, {1, 2});
  Tensor there, back;
  EXPECT_EQ(calls_of([&] { there = to_device(x, name_); }).writes.calls, 1);
  EXPECT_EQ(there.device(), name_);
  EXPECT_EQ(calls_of([&] { there = to_device(there, name_); }).writes.calls, 0);
  EXPECT_EQ(calls_of([&] { back = to_device(there, "CPU:0"); }).reads.calls, 1);
  EXPECT_EQ(calls_of([&] { (void)back.at(0); }).reads.calls, 0);
  EXPECT_EQ(back.to_vector<float>(), x.to_vector<float>());
}

TEST_F(PlacementTest, EagerOperationsBecomeProgramsThatAreKept) {
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  Tensor y;
  const TransferStatistics calls = calls_of([&] {
    const DeviceScope scope(name_);
    y = ops::matmul(x, x);
    for (int i = 0; i < 3; ++i) y = ops::matmul(y, x);
  });
  EXPECT_EQ(calls.compiles.calls, 1);
  EXPECT_EQ(calls.executions.calls, 4);
  EXPECT_EQ(calls.reads.calls, 0);
  EXPECT_EQ(y.device(), name_);
  const Tensor two = ops::matmul(x, x), four = ops::matmul(ops::matmul(two, x), x);
  EXPECT_EQ(y.to_vector<float>(), ops::matmul(four, x).to_vector<float>());
}

TEST_F(PlacementTest, ASecondCpuRunsEagerOperationsItself) {
  const std::shared_ptr<runtime::Client> cpu = runtime::make_client("cpu", {.num_threads = 1});
  const std::string name = add_devices(cpu).at(0);
  const Tensor x = Tensor::of<float>({2}, {1, 2});
  const Variable w(3.0F);
  Tensor y;
  {
    const DeviceScope scope(name);
    y = x * w;
    EXPECT_EQ(function([&](const Tensor& t) { return t + w; })(x).to_vector<float>(),
              (std::vector<float>{4, 5}));
  }
  EXPECT_EQ(y.device(), name);
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{3, 6}));
  remove_devices(cpu);
}

TEST_F(PlacementTest, ATapeGoesBackOnTheDevice) {
  const Variable w(Tensor::of<float>({2}, {3, 4}));
  const DeviceScope scope(name_);
  GradientTape tape;
  const Tensor loss = ops::sum(w * w);
  EXPECT_EQ(tape.gradient(loss, w).to_vector<float>(), (std::vector<float>{6, 8}));
}

TEST_F(PlacementTest, GradientsFlowBackThroughMoves) {
  const Tensor x = Tensor::of<float>({2}, {1, 2});
  GradientTape tape({.persistent = true});
  tape.watch(x);
  const Tensor there = to_device(x, name_);
  const Tensor loss = with_device(name_, [&] { return ops::sum(there * there); });
  const Tensor gradient = tape.gradient(loss, x);
  ASSERT_TRUE(gradient.defined());
  EXPECT_EQ(gradient.to_vector<float>(), (std::vector<float>{2, 4}));
  EXPECT_EQ(gradient.device(), x.device());
  const Tensor back = to_device(there, "CPU:0");
  EXPECT_EQ(tape.gradient(ops::sum(back * back * x), x).to_vector<float>(), (std::vector<float>{3, 12}));
}

TEST_F(PlacementTest, ValuesOfManyVariablesComeInOneRead) {
  std::vector<Variable> variables;
  for (int i = 0; i < 4; ++i) variables.emplace_back(1.0F * i);
  const auto step = function([&] {
    for (const Variable& variable : variables) variable.assign_add(1.0F);
  });
  with_device(name_, [&] { step(); });
  const TransferStatistics calls = calls_of([&] {
    const std::vector<ir::Literal> values = detail::read_all(variables);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)].at(0), i + 1);
  });
  EXPECT_EQ(calls.reads, (runtime::CallTotal{.calls = 1, .items = 4, .bytes = 16, .seconds = 1}));
  EXPECT_TRUE(says(gpu_->counts().str(), "read")) << gpu_->counts().str();
}

}  // namespace
}  // namespace cornu::inline v0
