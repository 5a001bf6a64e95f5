#include "cornu/ops/simple_rnn/simple_rnn.h"

#include "cornu/base/check.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/recurrent.h"

namespace cornu::inline v0::ops {
namespace simple_rnn_folder {
namespace {

// cornu.simple_rnn: projected, recurrent_kernel, initial[, mask] -> states, state

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3, 4);
  const ir::DType dtype = context.type(0).dtype;
  const ir::Dims sequence = check_projected(context, 0, 1);
  check_operand(context, 1, "recurrent_kernel", {dtype, {sequence[2], sequence[2]}});
  check_operand(context, 2, "the initial state", {dtype, {sequence[0], sequence[2]}});
  check_mask(context, 3, sequence);
  check_activation_attribute(context.attributes, "activation");
  return {{dtype, sequence}, {dtype, {sequence[0], sequence[2]}}};
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::Value projected = operands[0], kernel = operands[1],
                  mask = operands.size() > 3 ? operands[3] : ir::Value();
  const TimeWalk walk{projected.dims()[1], attributes.get<bool>("go_backwards")};
  const std::int64_t widths[] = {kernel.dims()[0]};
  const std::vector<ir::Value> results = walk_time(
      builder, walk, {operands[2]}, widths, [&](const TimeStep& at, std::span<const ir::Value> states) {
        ir::Builder& b = at.builder;
        const ir::Value valid = mask ? at.row(mask) : ir::Value();
        const ir::Value row = zero_masked_rows(b, valid, at.row(projected));
        const ir::Value sum = add(b, row, matmul(b, states[0], kernel));
        const ir::Value next = activate(b, attributes.get<std::string>("activation"), sum);
        const ir::Value h = select_rows(b, valid, next, states[0]);
        return TimeStepResult{{h}, {h}};
      });
  return {results[1], results[0]};
}

// cornu.simple_rnn_gradient: recurrent_kernel, states, d state[, d states][, mask] -> d projected, d initial

std::vector<ir::TensorType> infer_gradient(const ir::InferContext& context) {
  check_operands(context, 3, 5);
  const ir::DType dtype = context.type(1).dtype;
  const ir::Dims sequence = check_projected(context, 1, 1);
  const ir::TensorType state{dtype, {sequence[0], sequence[2]}};
  check_operand(context, 0, "recurrent_kernel", {dtype, {sequence[2], sequence[2]}});
  check_operand(context, 2, "the gradient of the state", state);
  check_gradient_operands(context, 3, dtype, sequence);
  check_activation_attribute(context.attributes, "activation");
  context.attributes.get<bool>("go_backwards");
  return {context.type(1), state};
}

std::vector<ir::Value> decompose_gradient(ir::Builder& builder, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const ir::Value kernel = operands[0], states = operands[1];
  const bool has_sequence = attributes.get<bool>("has_sequence_gradient");
  const ir::Value d_states = has_sequence ? operands[3] : ir::Value();
  const ir::Value mask = attributes.get<bool>("has_mask") ? operands[has_sequence ? 4 : 3] : ir::Value();
  const std::string& activation = attributes.get<std::string>("activation");
  const TimeWalk walk{states.dims()[1], !attributes.get<bool>("go_backwards")};
  const std::int64_t widths[] = {kernel.dims()[0]};
  const std::vector<ir::Value> results = walk_time(
      builder, walk, {operands[2]}, widths, [&](const TimeStep& at, std::span<const ir::Value> carried) {
        ir::Builder& b = at.builder;
        const ir::Value dh = has_sequence ? add(b, carried[0], at.row(d_states)) : carried[0];
        const ir::Value valid = mask ? at.row(mask) : ir::Value();
        const ir::Value d_sum = activation_gradient(b, activation, at.row(states), dh);
        const ir::Value d_projected = zero_masked_rows(b, valid, d_sum);
        const ir::Value d_before = select_rows(b, valid, matmul_transposed(b, d_projected, kernel), dh);
        return TimeStepResult{{d_before}, {d_projected}};
      });
  return {results[1], results[0]};
}

const ir::OpDef kSimpleRnnGradient = {
    .name = "cornu.simple_rnn_gradient", .infer = infer_gradient, .decompose = decompose_gradient};

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Op& op = context.op;
  const ir::Value kernel = op.operand(1), initial = op.operand(2), states = op.result(0);
  const bool has_mask = op.operands().size() > 3;
  const ir::Value d_state = context.result_gradients[1];
  const bool go_backwards = op.attributes().get<bool>("go_backwards");
  const SimpleRnnGradientResult walked = simple_rnn_gradient(
      builder,
      {.recurrent_kernel = kernel,
       .states = states,
       .d_state = d_state ? d_state : full(builder, initial.type(), 0),
       .d_states = context.result_gradients[0],
       .mask = has_mask ? op.operand(3) : ir::Value()},
      {.activation = op.attributes().get<std::string>("activation"), .go_backwards = go_backwards});
  std::vector<ir::Value> gradients = {walked.d_projected, {}, walked.d_initial};
  if (context.is_active(kernel)) {
    const ir::Value before = states_before(builder, initial, states, go_backwards);
    gradients[1] = sum_of_outer_products(builder, before, walked.d_projected);
  }
  if (has_mask) gradients.emplace_back();
  return gradients;
}

const ir::OpDef kSimpleRnn = {
    .name = "cornu.simple_rnn", .infer = infer, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSimpleRnn, kSimpleRnnGradient>(); }

}  // namespace simple_rnn_folder

SimpleRnnResult simple_rnn(ir::Builder& builder, ir::Value projected, ir::Value recurrent_kernel,
                           ir::Value initial, ir::Value mask, const SimpleRnnOptions& options) {
  std::vector<ir::Value> operands = {projected, recurrent_kernel, initial};
  if (mask) operands.push_back(mask);
  const ir::Op& op =
      builder.create(simple_rnn_folder::kSimpleRnn, std::move(operands),
                     {{"activation", options.activation}, {"go_backwards", options.go_backwards}});
  return {op.result(0), op.result(1)};
}

SimpleRnnGradientResult simple_rnn_gradient(ir::Builder& builder, const SimpleRnnGradientOperands& operands,
                                            const SimpleRnnOptions& options) {
  std::vector<ir::Value> values = {operands.recurrent_kernel, operands.states, operands.d_state};
  if (operands.d_states) values.push_back(operands.d_states);
  if (operands.mask) values.push_back(operands.mask);
  const ir::Op& op = builder.create(simple_rnn_folder::kSimpleRnnGradient, std::move(values),
                                    {{"activation", options.activation},
                                     {"go_backwards", options.go_backwards},
                                     {"has_mask", static_cast<bool>(operands.mask)},
                                     {"has_sequence_gradient", static_cast<bool>(operands.d_states)}});
  return {op.result(0), op.result(1)};
}

}  // namespace cornu::inline v0::ops
