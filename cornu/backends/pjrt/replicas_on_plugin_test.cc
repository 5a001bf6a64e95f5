#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/base/error.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/replicate.h"

// Tests that steps run by several devices of the plug-in for CPUs together train like one graph of all
// replicas on the CPU engine.
namespace cornu::inline v0::backends::pjrt {
namespace {

using ir::DType;
using ir::Value;
using runtime::ArgumentKind;

constexpr std::int64_t kBatchOfOne = 4, kInputs = 3, kDataRows = 40, kSteps = 7;
constexpr std::uint32_t kFirstCount = 100;

/// Trains a linear model on the valid rows of all replicas: gradients, losses and counts are summed over
/// them. Each replica draws its own random numbers. Arguments: x, y, weights, counter, valid rows, rate;
/// results: weights, counter, predictions, loss.
std::unique_ptr<ir::Function> line_step(std::int64_t num_replicas) {
  ops::ReplicaGroups all{.groups = {{}}};
  for (std::int64_t i = 0; i < num_replicas; ++i) all.groups[0].push_back(i);
  auto made = std::make_unique<ir::Function>();
  ir::Function& function = *made;
  function.name = "line_step";
  const Value x = function.body.add_argument({DType::kF32, {kBatchOfOne, kInputs}});
  const Value y = function.body.add_argument({DType::kF32, {kBatchOfOne}});
  const Value weights = function.body.add_argument({DType::kF32, {kInputs}});
  const Value counter = function.body.add_argument({DType::kU32, {}});
  const Value valid_rows = function.body.add_argument({DType::kI32, {}});
  const Value rate = function.body.add_argument({DType::kF32, {}});
  ir::Builder b(function.body);
  const Value key = ops::add(b, ops::convert(b, ops::replica_id(b), DType::kU32), counter);
  const Value noise = ops::random_uniform(b, key, key, counter, x.type());
  const Value noisy = ops::add(b, x, ops::multiply(b, noise, ops::full(b, x.type(), 0.125)));
  const Value spread = ops::broadcast_in_dim(b, weights, {kBatchOfOne, kInputs}, {1});
  const Value prediction = ops::tanh(b, ops::reduce_sum(b, ops::multiply(b, noisy, spread), {1}));
  const Value error = ops::subtract(b, prediction, y);
  const Value row = ops::iota(b, {DType::kI32, {kBatchOfOne}}, 0);
  const Value is_valid = ops::compare(b, row, ops::broadcast_scalar(b, valid_rows, {kBatchOfOne}),
                                      ops::ComparisonDirection::kLt);
  const Value squares =
      ops::select(b, is_valid, ops::multiply(b, error, error), ops::full(b, error.type(), 0));
  const Value local = ops::reduce_sum(b, squares, {0});
  const Value count = ops::all_reduce_sum(b, ops::convert(b, valid_rows, DType::kF32), all);
  const Value loss = ops::divide(b, ops::all_reduce_sum(b, local, all), count);
  const Value gradient =
      ops::all_reduce_sum(b, transform::gradient(b, local, std::vector<Value>{weights})[0], all);
  const Value scale = ops::divide(b, rate, count);
  const Value next =
      ops::subtract(b, weights, ops::multiply(b, gradient, ops::broadcast_scalar(b, scale, {kInputs})));
  function.body.set_results({next, ops::add(b, counter, ops::scalar(b, DType::kU32, 1)), prediction, loss});
  return made;
}

/// The operands of one replica: different rows for each, fewer for some.
struct ReplicaData {
  std::vector<float> x, y;
  std::vector<std::int64_t> indices;
  std::int64_t num_rows;

  explicit ReplicaData(std::size_t number)
      : num_rows(kSteps * kBatchOfOne - static_cast<std::int64_t>(3 * number)) {
    const auto shift = static_cast<int>(number);
    for (std::int64_t i = 0; i < kDataRows * kInputs; ++i)
      x.push_back(0.05F * static_cast<float>(static_cast<int>(i * 7 + shift) % 23 - 11));
    for (std::int64_t i = 0; i < kDataRows; ++i)
      y.push_back(0.04F * static_cast<float>(static_cast<int>(i * 5 + 2 * shift) % 19 - 9));
    for (std::int64_t i = 0; i < kSteps * kBatchOfOne; ++i) indices.push_back((i * 13 + shift) % kDataRows);
  }
};

struct Trained {
  std::vector<std::vector<float>> weights, predictions, losses;  // of each replica
  std::vector<std::uint32_t> counters;

  explicit Trained(std::size_t replicas)
      : weights(replicas, std::vector<float>(kInputs)),
        predictions(replicas, std::vector<float>(kSteps * kBatchOfOne)),
        losses(replicas, std::vector<float>(kSteps)),
        counters(replicas) {}
};

constexpr float kFirstWeights[] = {0.5F, -0.25F, 0.125F}, kRate = 0.1F;

std::vector<std::byte*> addresses(std::vector<float>& a, std::vector<float>& b) {
  return {reinterpret_cast<std::byte*>(a.data()), reinterpret_cast<std::byte*>(b.data())};
}

/// A replica's buffers on a device, and the addresses of its rows and outputs.
struct DeviceReplica {
  std::unique_ptr<runtime::Buffer> weights, counter, rate;
  std::vector<runtime::Buffer*> state, fixed;
  std::vector<const std::byte*> rows;
  std::vector<std::byte*> outputs;

  DeviceReplica(runtime::Client& client, int device, const ReplicaData& data, std::vector<std::byte*> to)
      : weights(client.allocate({DType::kF32, {kInputs}}, device)),
        counter(client.allocate({DType::kU32, {}}, device)),
        rate(client.allocate({DType::kF32, {}}, device)),
        state({weights.get(), counter.get()}),
        fixed({rate.get()}),
        rows({reinterpret_cast<const std::byte*>(data.x.data()),
              reinterpret_cast<const std::byte*>(data.y.data())}),
        outputs(std::move(to)) {
    weights->copy_from_host(kFirstWeights);
    counter->copy_from_host(&kFirstCount);
    rate->copy_from_host(&kRate);
  }
};

/// Trains all steps in executions of `steps_each`, on devices in this order.
Trained train_on_devices(runtime::Client& client, const std::vector<int>& devices,
                         const std::vector<ReplicaData>& data, std::int64_t steps_each) {
  const auto step = line_step(static_cast<std::int64_t>(devices.size()));
  const auto program =
      client.compile({.step = step.get(),
                      .arguments = {ArgumentKind::kRows, ArgumentKind::kRows, ArgumentKind::kState,
                                    ArgumentKind::kState, ArgumentKind::kValidRows, ArgumentKind::kFixed},
                      .name = "line_step",
                      .devices = devices});
  Trained trained(devices.size());
  std::vector<DeviceReplica> on;
  for (std::size_t i = 0; i < devices.size(); ++i)
    on.emplace_back(client, devices[i], data[i], addresses(trained.predictions[i], trained.losses[i]));
  for (std::int64_t first = 0; first < kSteps; first += steps_each) {
    const std::int64_t count = std::min(steps_each, kSteps - first);
    std::vector<runtime::Replica> replicas;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      on[i].outputs = addresses(trained.predictions[i], trained.losses[i]);
      on[i].outputs[0] += first * kBatchOfOne * static_cast<std::int64_t>(sizeof(float));
      on[i].outputs[1] += first * static_cast<std::int64_t>(sizeof(float));
      replicas.push_back({.state = on[i].state,
                          .fixed = on[i].fixed,
                          .rows = on[i].rows,
                          .row_indices = data[i].indices.data() + first * kBatchOfOne,
                          .num_rows = data[i].num_rows - first * kBatchOfOne,
                          .outputs = on[i].outputs});
    }
    const runtime::Submission done = program->execute({.replicas = replicas, .num_steps = count});
    done.done.wait();
    EXPECT_EQ(done.num_steps, count);
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    on[i].weights->copy_to_host(trained.weights[i].data());
    on[i].counter->copy_to_host(&trained.counters[i]);
  }
  return trained;
}

/// Trains one graph of all replicas, one step a call, with rows gathered here.
Trained train_on_engine(const std::vector<ReplicaData>& data) {
  const std::size_t num_replicas = data.size();
  const auto cpu = runtime::make_client("cpu", {.num_threads = 1});
  const auto graph = transform::replicate(*line_step(static_cast<std::int64_t>(num_replicas)),
                                          static_cast<std::int64_t>(num_replicas));
  const auto program = cpu->compile(
      {.step = graph.get(), .arguments = std::vector<ArgumentKind>(6 * num_replicas, ArgumentKind::kFixed)});
  std::vector<std::unique_ptr<runtime::Buffer>> buffers;
  std::vector<runtime::Buffer*> fixed;
  for (const Value& argument : graph->body.arguments()) {
    buffers.push_back(cpu->allocate(argument.type()));
    fixed.push_back(buffers.back().get());
  }
  Trained trained(num_replicas);
  for (std::size_t i = 0; i < num_replicas; ++i) {
    trained.weights[i].assign(std::begin(kFirstWeights), std::end(kFirstWeights));
    trained.counters[i] = kFirstCount;
  }
  for (std::int64_t step = 0; step < kSteps; ++step) {
    std::vector<std::byte*> outputs;
    for (std::size_t i = 0; i < num_replicas; ++i) {
      std::byte* const x = fixed[6 * i]->writable_host_data();
      std::byte* const y = fixed[6 * i + 1]->writable_host_data();
      for (std::int64_t row = 0; row < kBatchOfOne; ++row) {
        const std::int64_t from = data[i].indices[static_cast<std::size_t>(step * kBatchOfOne + row)];
        std::memcpy(x + row * kInputs * 4, data[i].x.data() + from * kInputs, kInputs * 4);
        std::memcpy(y + row * 4, data[i].y.data() + from, 4);
      }
      fixed[6 * i + 2]->copy_from_host(trained.weights[i].data());
      fixed[6 * i + 3]->copy_from_host(&trained.counters[i]);
      const auto valid = static_cast<std::int32_t>(
          std::clamp<std::int64_t>(data[i].num_rows - step * kBatchOfOne, 0, kBatchOfOne));
      fixed[6 * i + 4]->copy_from_host(&valid);
      fixed[6 * i + 5]->copy_from_host(&kRate);
      outputs.insert(outputs.end(),
                     {reinterpret_cast<std::byte*>(trained.weights[i].data()),
                      reinterpret_cast<std::byte*>(&trained.counters[i]),
                      reinterpret_cast<std::byte*>(trained.predictions[i].data() + step * kBatchOfOne),
                      reinterpret_cast<std::byte*>(trained.losses[i].data() + step)});
    }
    program->run({.fixed = fixed, .outputs = outputs});
  }
  return trained;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected, const char* what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-6F) << what << " " << i;
}

class ReplicasOnPluginTest : public CpuPluginTest {
 protected:
  static runtime::Client& four_devices() {
    static auto& client =
        *new std::shared_ptr<runtime::Client>(runtime::make_client("pjrt:cpu,cpu_device_count=4"));
    return *client;
  }
};

TEST_F(ReplicasOnPluginTest, TrainAsOneGraphOfAllReplicasDoes) {
  struct Row {
    std::vector<int> devices;
    std::int64_t steps_each;
  };
  for (const auto& [devices, steps_each] :
       {Row{{0, 1}, 1}, Row{{0, 1}, kSteps}, Row{{0, 1, 2, 3}, 3}, Row{{3, 1}, 4}, Row{{2}, kSteps}}) {
    SCOPED_TRACE(testing::Message() << devices.size() << " devices from " << devices[0] << ", " << steps_each
                                    << " steps each");
    std::vector<ReplicaData> data;
    for (std::size_t i = 0; i < devices.size(); ++i) data.emplace_back(i);
    const Trained expected = train_on_engine(data),
                  found = train_on_devices(four_devices(), devices, data, steps_each);
    EXPECT_EQ(found.counters, expected.counters);
    for (std::size_t i = 0; i < devices.size(); ++i) {
      EXPECT_EQ(found.weights[i], found.weights[0]) << "replicas part";
      expect_near(found.weights[i], expected.weights[i], "weight");
      expect_near(found.losses[i], expected.losses[i], "loss");
      expect_near(found.predictions[i], expected.predictions[i], "prediction");
    }
  }
}

TEST_F(ReplicasOnPluginTest, MoreReplicasThanDevicesAndWrongListsAreRefused) {
  const auto step = line_step(2);
  const runtime::StepProgram program{
      .step = step.get(),
      .arguments = {ArgumentKind::kRows, ArgumentKind::kRows, ArgumentKind::kState, ArgumentKind::kState,
                    ArgumentKind::kValidRows, ArgumentKind::kFixed},
      .name = "line_step",
      .devices = {0, 4}};
  EXPECT_THROW(four_devices().compile(program), Error);
  runtime::StepProgram two = program;
  two.devices = {0, 1};
  const auto executable = four_devices().compile(two);
  const runtime::Replica one;
  EXPECT_THROW(executable->execute({.replicas = {&one, 1}}), Error);
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
