#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cornu/ops/all.h"
#include "cornu/runtime/client.h"
#include "cornu/transform/gradient.h"

/// For tests: a small step with rows, state, dropout, a fixed argument and outputs, and a training with it on
/// any client.
namespace cornu::inline v0::backends::stacked::line_training {

using ir::DType;
using ir::Value;
using runtime::ArgumentKind;

constexpr std::int64_t kBatch = 4, kFeatures = 3, kNumRows = 50;

/// Trains a linear model by gradient descent on the valid rows, with dropout by a counter. State: weights,
/// counter; outputs: each row's prediction, the step's loss.
struct LineStep {
  ir::Function function;
  runtime::StepProgram program;

  LineStep() {
    function.name = "line_step";
    const Value x = function.body.add_argument({DType::kF32, {kBatch, kFeatures}});
    const Value weights = function.body.add_argument({DType::kF32, {kFeatures}});
    const Value y = function.body.add_argument({DType::kF32, {kBatch}});
    const Value valid_rows = function.body.add_argument({DType::kI32, {}});
    const Value counter = function.body.add_argument({DType::kU32, {}});
    const Value rate = function.body.add_argument({DType::kF32, {}});
    ir::Builder b(function.body);
    const Value key = ops::scalar(b, DType::kU32, 7);
    const Value uniform = ops::random_uniform(b, key, key, counter, x.type());
    const Value quarter = ops::full(b, x.type(), 0.25), zeros = ops::full(b, x.type(), 0);
    const Value kept =
        ops::select(b, ops::compare(b, uniform, quarter, ops::ComparisonDirection::kLt), zeros, x);
    const Value products =
        ops::multiply(b, kept, ops::broadcast_in_dim(b, weights, {kBatch, kFeatures}, {1}));
    const Value prediction = ops::tanh(b, ops::reduce_sum(b, products, {1}));
    const Value error = ops::subtract(b, prediction, y);
    const Value row = ops::iota(b, {DType::kI32, {kBatch}}, 0);
    const Value is_valid =
        ops::compare(b, row, ops::broadcast_scalar(b, valid_rows, {kBatch}), ops::ComparisonDirection::kLt);
    const Value squares =
        ops::select(b, is_valid, ops::multiply(b, error, error), ops::full(b, error.type(), 0));
    const Value loss =
        ops::divide(b, ops::reduce_sum(b, squares, {0}), ops::convert(b, valid_rows, DType::kF32));
    const Value gradient = transform::gradient(b, loss, std::vector<Value>{weights})[0];
    const Value step = ops::multiply(b, gradient, ops::broadcast_scalar(b, rate, {kFeatures}));
    const Value next_weights = ops::subtract(b, weights, step);
    const Value next_counter = ops::add(b, counter, ops::scalar(b, DType::kU32, 1));
    function.body.set_results({next_weights, next_counter, prediction, loss});
    program = {.step = &function,
               .arguments = {ArgumentKind::kRows, ArgumentKind::kState, ArgumentKind::kRows,
                             ArgumentKind::kValidRows, ArgumentKind::kState, ArgumentKind::kFixed},
               .name = "line_step"};
  }
};

inline std::vector<float> ramp(std::size_t count, float scale) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = scale * static_cast<float>(static_cast<int>(i * 7 % 23) - 11);
  return values;
}

/// The step on a client, with its buffers and data.
struct LineTraining {
  LineStep step;
  runtime::Client& client;
  std::shared_ptr<runtime::Executable> executable;
  std::unique_ptr<runtime::Buffer> weights, counter, rate;
  std::vector<float> x = ramp(kNumRows * kFeatures, 0.05F), y = ramp(kNumRows, 0.04F);
  std::vector<std::int64_t> indices;
  std::vector<float> predictions, losses;
  runtime::Progress progress;
  std::int64_t num_missing_rows = 1;  // of the last step of each execution

  explicit LineTraining(runtime::Client& on)
      : client(on),
        executable(client.compile(step.program)),
        weights(client.allocate({DType::kF32, {kFeatures}})),
        counter(client.allocate({DType::kU32, {}})),
        rate(client.allocate({DType::kF32, {}})) {
    const float first[] = {0.5F, -0.25F, 0.125F}, learning_rate = 0.1F;
    const std::uint32_t zero = 0;
    const runtime::Write writes[] = {
        {weights.get(), first}, {counter.get(), &zero}, {rate.get(), &learning_rate}};
    client.write(writes);
    for (std::int64_t i = 0; i < 200; ++i) indices.push_back(i * 13 % kNumRows);
  }

  /// The last step has num_missing_rows rows fewer than the others.
  runtime::Submission submit(std::int64_t num_steps) {
    predictions.assign(static_cast<std::size_t>(num_steps * kBatch), -1);
    losses.assign(static_cast<std::size_t>(num_steps), -1);
    state_ = {weights.get(), counter.get()};
    fixed_ = {rate.get()};
    rows_ = {reinterpret_cast<const std::byte*>(x.data()), reinterpret_cast<const std::byte*>(y.data())};
    outputs_ = {reinterpret_cast<std::byte*>(predictions.data()),
                reinterpret_cast<std::byte*>(losses.data())};
    replica_ = {.state = state_,
                .fixed = fixed_,
                .rows = rows_,
                .row_indices = indices.data(),
                .num_rows = num_steps * kBatch - num_missing_rows,
                .outputs = outputs_};
    return executable->execute({.replicas = {&replica_, 1}, .num_steps = num_steps, .progress = &progress});
  }
  std::int64_t run(std::int64_t num_steps) {
    const runtime::Submission submission = submit(num_steps);
    submission.done.wait();
    return submission.num_steps;
  }
  std::vector<float> weights_now() const {
    std::vector<float> values(kFeatures);
    weights->copy_to_host(values.data());
    return values;
  }
  std::uint32_t steps_counted() const {
    std::uint32_t value = 0;
    counter->copy_to_host(&value);
    return value;
  }

 private:
  std::vector<runtime::Buffer*> state_, fixed_;
  std::vector<const std::byte*> rows_;
  std::vector<std::byte*> outputs_;
  runtime::Replica replica_;
};

}  // namespace cornu::inline v0::backends::stacked::line_training
