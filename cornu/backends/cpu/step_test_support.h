#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "cornu/ops/all.h"
#include "cornu/runtime/client.h"
#include "cornu/transform/gradient.h"

/// A training step for this folder's tests: two dense layers, dropout, mean squared error over the valid
/// rows, plain gradient descent.
namespace cornu::inline v0::backends::cpu {

struct TestStep {
  ir::Function function;
  std::vector<runtime::ArgumentKind> kinds;
  std::int64_t batch = 0, features = 0, hidden = 0, outputs = 0;
};

inline void make_test_step(TestStep& step, std::int64_t batch, std::int64_t features, std::int64_t hidden,
                           std::int64_t outputs, std::uint32_t seed = 7) {
  using ir::DType;
  using runtime::ArgumentKind;
  step.function.name = "main";
  step.batch = batch;
  step.features = features;
  step.hidden = hidden;
  step.outputs = outputs;
  ir::Builder b(step.function.body);
  auto argument = [&](DType dtype, ir::Dims dims, ArgumentKind kind) {
    step.kinds.push_back(kind);
    return step.function.body.add_argument({dtype, std::move(dims)});
  };
  const std::vector<ir::Value> weights = {argument(DType::kF32, {features, hidden}, ArgumentKind::kState),
                                          argument(DType::kF32, {hidden}, ArgumentKind::kState),
                                          argument(DType::kF32, {hidden, outputs}, ArgumentKind::kState),
                                          argument(DType::kF32, {outputs}, ArgumentKind::kState)};
  const ir::Value counter = argument(DType::kU32, {}, ArgumentKind::kState);
  const ir::Value x = argument(DType::kF32, {batch, features}, ArgumentKind::kRows);
  const ir::Value y = argument(DType::kF32, {batch, outputs}, ArgumentKind::kRows);
  const ir::Value valid = argument(DType::kI32, {}, ArgumentKind::kValidRows);
  auto dense = [&](ir::Value input, std::size_t layer) {
    const ir::Value product = ops::matmul(b, input, weights[2 * layer]);
    return ops::add(b, product, ops::broadcast_in_dim(b, weights[2 * layer + 1], product.dims(), {1}));
  };
  ir::Value h = ops::relu(b, dense(x, 0));
  const ir::Value key = ops::scalar(b, DType::kU32, seed);
  const ir::Value uniform = ops::random_uniform(b, key, key, counter, h.type());
  h = ops::select(b, ops::compare(b, uniform, ops::full(b, h.type(), 0.2), ops::ComparisonDirection::kLt),
                  ops::full(b, h.type(), 0), h);
  const ir::Value prediction = ops::tanh(b, dense(h, 1));
  const ir::Value error = ops::subtract(b, prediction, y);
  const ir::Value rows = ops::iota(b, {DType::kI32, {batch, outputs}}, 0);
  const ir::Value mask = ops::compare(b, rows, ops::broadcast_in_dim(b, valid, {batch, outputs}, {}),
                                      ops::ComparisonDirection::kLt);
  const ir::Value squares =
      ops::select(b, mask, ops::multiply(b, error, error), ops::full(b, error.type(), 0));
  const ir::Value loss =
      ops::divide(b, ops::reduce_sum(b, squares, {0, 1}), ops::convert(b, valid, DType::kF32));
  const std::vector<ir::Value> gradients = transform::gradient(b, loss, weights);
  std::vector<ir::Value> results;
  for (std::size_t i = 0; i < weights.size(); ++i)
    results.push_back(
        ops::subtract(b, weights[i], ops::multiply(b, gradients[i], ops::full(b, weights[i].type(), 0.05))));
  results.push_back(ops::add(b, counter, ops::scalar(b, DType::kU32, 1)));
  results.push_back(prediction);
  step.function.body.set_results(std::move(results));
}

struct TestRun {
  std::vector<std::vector<std::byte>> state;
  std::vector<float> predictions;
  std::int64_t steps = 0;
};

/// Trains from fixed random weights on fixed random rows, `steps_per_execution` steps at a time, with a
/// program compiled from `step`.
inline TestRun run_test_step(runtime::Client& client, runtime::Executable& executable, const TestStep& step,
                             std::int64_t num_rows, std::int64_t num_steps,
                             std::int64_t steps_per_execution) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-0.5F, 0.5F);
  auto made = [&](std::int64_t n) {
    std::vector<float> v(static_cast<std::size_t>(n));
    for (float& value : v) value = uniform(random);
    return v;
  };
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> state;
  for (std::size_t i = 0; i < step.kinds.size(); ++i) {
    if (step.kinds[i] != runtime::ArgumentKind::kState) continue;
    const ir::TensorType& type = step.function.body.arguments()[i].type();
    owned.push_back(client.allocate(type));
    if (type.dtype == ir::DType::kF32) owned.back()->copy_from_host(made(type.num_elements()).data());
    state.push_back(owned.back().get());
  }
  const std::vector<float> x = made(num_rows * step.features), y = made(num_rows * step.outputs);
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(x.data()),
                                   reinterpret_cast<const std::byte*>(y.data())};
  std::vector<std::int64_t> indices(static_cast<std::size_t>(num_steps * step.batch));
  for (std::int64_t& i : indices) i = static_cast<std::int64_t>(random()) % num_rows;
  TestRun run;
  run.predictions.resize(static_cast<std::size_t>(num_steps * step.batch * step.outputs));
  for (std::int64_t first = 0; first < num_steps; first += steps_per_execution) {
    std::byte* const outputs[] = {
        reinterpret_cast<std::byte*>(run.predictions.data() + first * step.batch * step.outputs)};
    runtime::Replica replica;
    replica.state = state;
    replica.rows = rows;
    replica.row_indices = indices.data() + first * step.batch;
    replica.num_rows = num_steps * step.batch - 1 - first * step.batch;  // the last step lacks a row
    replica.outputs = outputs;
    run.steps += executable.run(replica, std::min(steps_per_execution, num_steps - first));
  }
  for (runtime::Buffer* buffer : state) {
    run.state.emplace_back(buffer->type().size_bytes());
    buffer->copy_to_host(run.state.back().data());
  }
  return run;
}

/// The same with a program of its own.
inline TestRun run_test_step(runtime::Client& client, const TestStep& step, std::int64_t num_rows,
                             std::int64_t num_steps, std::int64_t steps_per_execution) {
  return run_test_step(client, *client.compile({&step.function, step.kinds, "test_step"}), step, num_rows,
                       num_steps, steps_per_execution);
}

}  // namespace cornu::inline v0::backends::cpu
