#include "cornu/transform/step_loop.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/ir/print.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/all.h"
#include "cornu/runtime/program_signature.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

using ir::Value;
using runtime::ArgumentKind;
using Values = std::span<const Value>;

Value i32(ir::Builder& b, std::int64_t value) {
  return ops::scalar(b, ir::DType::kI32, static_cast<double>(value));
}

ir::TensorType stack_type(ir::TensorType step_type, std::int64_t max_steps) {
  step_type.dims.insert(step_type.dims.begin(), max_steps);
  return step_type;
}

/// The start indices of step `k` in a stack of this rank.
std::vector<Value> start_of_step(ir::Builder& b, Value k, std::int64_t rank) {
  std::vector<Value> start(static_cast<std::size_t>(rank), i32(b, 0));
  start[0] = k;
  return start;
}

/// stack[k].
Value step_of_stack(ir::Builder& b, Value stack, Value k) {
  ir::Dims one_step = stack.dims();
  const bool is_whole = std::exchange(one_step[0], 1) == 1;
  const Value step =
      is_whole ? stack : ops::dynamic_slice(b, stack, start_of_step(b, k, stack.rank()), one_step);
  return ops::reshape(b, step, {one_step.begin() + 1, one_step.end()});
}

/// The stack with stack[k] = value.
Value with_step(ir::Builder& b, Value stack, Value k, Value value) {
  ir::Dims one_step = stack.dims();
  const bool is_whole = std::exchange(one_step[0], 1) == 1;
  const Value step = ops::reshape(b, value, one_step);
  return is_whole ? step : ops::dynamic_update_slice(b, stack, step, start_of_step(b, k, stack.rank()));
}

/// The arguments of the loop's function, in their order.
struct LoopArguments {
  std::vector<Value> state, fixed, stacks;
  Value num_steps, num_rows;

  LoopArguments(ir::Block& block, const runtime::StepProgram& step, std::int64_t max_steps) {
    const auto add = [&](ArgumentKind kind, std::vector<Value>& list) {
      for (std::size_t i = 0; i < step.arguments.size(); ++i) {
        if (step.arguments[i] != kind) continue;
        const ir::TensorType& type = step.step->body.arguments()[i].type();
        list.push_back(block.add_argument(kind == ArgumentKind::kRows ? stack_type(type, max_steps) : type));
      }
    };
    add(ArgumentKind::kState, state);
    add(ArgumentKind::kFixed, fixed);
    add(ArgumentKind::kRows, stacks);
    num_steps = block.add_argument({ir::DType::kI32, {}});
    num_rows = block.add_argument({ir::DType::kI32, {}});
  }
};

/// clamp(0, num_rows - k * batch, batch): the rows of step k that are data.
Value valid_rows(ir::Builder& b, Value num_rows, Value k, std::int64_t batch) {
  const Value left = ops::subtract(b, num_rows, ops::multiply(b, k, i32(b, batch)));
  const Value none = i32(b, 0), all = i32(b, batch);
  return ops::clamp(b, none, left, all);
}

/// One iteration: the carried values are the counter, the state and the outputs of the steps before.
std::vector<Value> loop_body(ir::Builder& b, Values carried, const runtime::StepProgram& step,
                             const LoopArguments& arguments, std::int64_t batch) {
  const Value k = carried[0];
  ValueMap map;
  std::size_t state = 0, fixed = 0, stacks = 0;
  for (std::size_t i = 0; i < step.arguments.size(); ++i) {
    Value& value = map[step.step->body.arguments()[i]];
    switch (step.arguments[i]) {
      case ArgumentKind::kState: value = carried[1 + state++]; break;
      case ArgumentKind::kFixed: value = arguments.fixed[fixed++]; break;
      case ArgumentKind::kRows: value = step_of_stack(b, arguments.stacks[stacks++], k); break;
      case ArgumentKind::kValidRows: value = valid_rows(b, arguments.num_rows, k, batch); break;
    }
  }
  const std::vector<Value> results = clone_ops(b, step.step->body, map);
  std::vector<Value> next = {ops::add(b, k, i32(b, 1))};
  for (std::size_t i = 0; i < results.size(); ++i)
    next.push_back(i < arguments.state.size() ? results[i] : with_step(b, carried[1 + i], k, results[i]));
  return next;
}

void check_max_steps(const runtime::StepProgram& step, std::int64_t max_steps, std::int64_t batch) {
  if (max_steps < 1)
    invalid_argument("[step_loop] max_steps must be positive; got {} for program \"{}\"", max_steps,
                     step.name);
  if ((CheckedSize(max_steps) * std::max<std::int64_t>(batch, 1))
          .exceeds(std::numeric_limits<std::int32_t>::max()))
    invalid_argument("[step_loop] {} steps of {} rows cannot be counted in 32 bits; in program \"{}\"",
                     max_steps, batch, step.name);
}

}  // namespace

StepLoop make_step_loop(const runtime::StepProgram& step, std::int64_t max_steps) {
  const runtime::ProgramSignature signature(step);
  check_max_steps(step, max_steps, signature.batch());
  auto function = std::make_unique<ir::Function>();
  function->name = "main";
  ir::Builder b(function->body);
  const LoopArguments arguments(function->body, step, max_steps);
  std::vector<Value> carried = {i32(b, 0)};
  carried.insert(carried.end(), arguments.state.begin(), arguments.state.end());
  for (const ir::TensorType& output : signature.outputs())
    carried.push_back(ops::full(b, stack_type(output, max_steps), 0));
  const auto body = [&](ir::Builder& inner, Values values) {
    return loop_body(inner, values, step, arguments, signature.batch());
  };
  const auto has_more = [&](ir::Builder& inner, Values values) {
    return ops::compare(inner, values[0], arguments.num_steps, ops::ComparisonDirection::kLt);
  };
  const std::vector<Value> last = max_steps == 1 ? body(b, carried) : ops::while_(b, carried, has_more, body);
  function->body.set_results({last.begin() + 1, last.end()});
  ir::verify(*function);
  return {.function = std::move(function),
          .name = step.name,
          .convolution_algorithm = step.convolution_algorithm,
          .precision = step.precision,
          .max_steps = max_steps,
          .batch = signature.batch(),
          .num_state = signature.num_state(),
          .num_fixed = signature.num_fixed(),
          .num_stacks = signature.num_rows()};
}

std::vector<std::int64_t> StepLoop::donations() const {
  std::vector<std::int64_t> results(function->body.arguments().size(), ir::kNotDonated);
  for (std::size_t i = 0; i < num_state; ++i) results[i] = static_cast<std::int64_t>(i);
  return results;
}

runtime::StepProgram StepLoop::program() const {
  std::vector<ArgumentKind> kinds(function->body.arguments().size(), ArgumentKind::kFixed);
  std::fill_n(kinds.begin(), num_state, ArgumentKind::kState);
  return {.step = function.get(),
          .arguments = std::move(kinds),
          .name = name,
          .convolution_algorithm = convolution_algorithm,
          .precision = precision};
}

}  // namespace cornu::inline v0::transform
