#include "cornu/ops/lstm/lstm.h"

#include "cornu/base/check.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/recurrent.h"

namespace cornu::inline v0::ops {
namespace lstm_folder {
namespace {

// cornu.lstm: projected, recurrent_kernel, hidden, carry[, mask] -> states, hidden, carry, carries, gates

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 4, 5);
  const ir::DType dtype = context.type(0).dtype;
  const ir::Dims sequence = check_projected(context, 0, 4);
  const ir::TensorType state{dtype, {sequence[0], sequence[2]}};
  check_operand(context, 1, "recurrent_kernel", {dtype, {sequence[2], 4 * sequence[2]}});
  check_operand(context, 2, "the initial hidden state", state);
  check_operand(context, 3, "the initial carry", state);
  check_mask(context, 4, sequence);
  check_activation_attribute(context.attributes, "activation");
  check_activation_attribute(context.attributes, "recurrent_activation");
  return {{dtype, sequence}, state, state, {dtype, sequence}, context.type(0)};
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::Value projected = operands[0], kernel = operands[1],
                  mask = operands.size() > 4 ? operands[4] : ir::Value();
  const std::string& activation = attributes.get<std::string>("activation");
  const std::string& recurrent_activation = attributes.get<std::string>("recurrent_activation");
  const TimeWalk walk{projected.dims()[1], attributes.get<bool>("go_backwards")};
  const std::int64_t units = kernel.dims()[0];
  const std::int64_t widths[] = {units, units, 4 * units};
  const std::vector<ir::Value> results =
      walk_time(builder, walk, {operands[2], operands[3]}, widths,
                [&](const TimeStep& at, std::span<const ir::Value> before) {
                  ir::Builder& b = at.builder;
                  const ir::Value valid = mask ? at.row(mask) : ir::Value();
                  const ir::Value row = zero_masked_rows(b, valid, at.row(projected));
                  const ir::Value z = add(b, row, matmul(b, before[0], kernel));
                  const ir::Value i = activate(b, recurrent_activation, columns(b, z, 0, units));
                  const ir::Value f = activate(b, recurrent_activation, columns(b, z, units, units));
                  const ir::Value g = activate(b, activation, columns(b, z, 2 * units, units));
                  const ir::Value o = activate(b, recurrent_activation, columns(b, z, 3 * units, units));
                  const ir::Value c = add(b, multiply(b, f, before[1]), multiply(b, i, g));
                  const ir::Value h = multiply(b, o, activate(b, activation, c));
                  const ir::Value hidden = select_rows(b, valid, h, before[0]),
                                  carry = select_rows(b, valid, c, before[1]);
                  return TimeStepResult{{hidden, carry}, {hidden, carry, concatenate(b, {i, f, g, o}, 1)}};
                });
  return {results[2], results[0], results[1], results[3], results[4]};
}

// cornu.lstm_gradient: recurrent_kernel, carry, carries, gates, d hidden, d carry[, d states][, mask]
//                      -> d projected, d initial hidden, d initial carry

std::vector<ir::TensorType> infer_gradient(const ir::InferContext& context) {
  check_operands(context, 6, 8);
  const ir::TensorType& gates = context.type(3);
  const ir::Dims sequence = check_projected(context, 3, 4);
  const ir::TensorType state{gates.dtype, {sequence[0], sequence[2]}};
  check_operand(context, 0, "recurrent_kernel", {gates.dtype, {sequence[2], gates.dims[2]}});
  check_operand(context, 1, "the initial carry", state);
  check_operand(context, 2, "the carries", {gates.dtype, sequence});
  check_operand(context, 4, "the gradient of the state", state);
  check_operand(context, 5, "the gradient of the carry", state);
  check_gradient_operands(context, 6, gates.dtype, sequence);
  check_activation_attribute(context.attributes, "activation");
  check_activation_attribute(context.attributes, "recurrent_activation");
  context.attributes.get<bool>("go_backwards");
  return {gates, state, state};
}

std::vector<ir::Value> decompose_gradient(ir::Builder& builder, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const ir::Value kernel = operands[0], carries = operands[2], gates = operands[3];
  const bool has_sequence = attributes.get<bool>("has_sequence_gradient");
  const ir::Value d_states = has_sequence ? operands[6] : ir::Value();
  const ir::Value mask = attributes.get<bool>("has_mask") ? operands[has_sequence ? 7 : 6] : ir::Value();
  const std::string& activation = attributes.get<std::string>("activation");
  const std::string& recurrent_activation = attributes.get<std::string>("recurrent_activation");
  const bool go_backwards = attributes.get<bool>("go_backwards");
  const ir::Value carries_before = states_before(builder, operands[1], carries, go_backwards);
  const std::int64_t units = kernel.dims()[0];
  const std::int64_t widths[] = {4 * units};
  const auto step = [&](const TimeStep& at, std::span<const ir::Value> after) {
    ir::Builder& b = at.builder;
    const ir::Value valid = mask ? at.row(mask) : ir::Value();
    const ir::Value dh = has_sequence ? add(b, after[0], at.row(d_states)) : after[0];
    const ir::Value row = zero_masked_rows(b, valid, at.row(gates));
    const ir::Value i = columns(b, row, 0, units), f = columns(b, row, units, units);
    const ir::Value g = columns(b, row, 2 * units, units), o = columns(b, row, 3 * units, units);
    const ir::Value activated = activate(b, activation, at.row(carries));
    const ir::Value dc = add(b, after[1], activation_gradient(b, activation, activated, multiply(b, dh, o)));
    const ir::Value d_gates =
        concatenate(b,
                    {activation_gradient(b, recurrent_activation, i, multiply(b, dc, g)),
                     activation_gradient(b, recurrent_activation, f, multiply(b, dc, at.row(carries_before))),
                     activation_gradient(b, activation, g, multiply(b, dc, i)),
                     activation_gradient(b, recurrent_activation, o, multiply(b, dh, activated))},
                    1);
    const ir::Value d_projected = zero_masked_rows(b, valid, d_gates);
    const ir::Value dh_before = select_rows(b, valid, matmul_transposed(b, d_projected, kernel), dh);
    return TimeStepResult{{dh_before, select_rows(b, valid, multiply(b, dc, f), after[1])}, {d_projected}};
  };
  const TimeWalk walk{carries.dims()[1], !go_backwards};
  const std::vector<ir::Value> results = walk_time(builder, walk, {operands[4], operands[5]}, widths, step);
  return {results[2], results[0], results[1]};
}

const ir::OpDef kLstmGradient = {
    .name = "cornu.lstm_gradient", .infer = infer_gradient, .decompose = decompose_gradient};

LstmOptions options_of(const ir::Attributes& attributes) {
  return {.activation = attributes.get<std::string>("activation"),
          .recurrent_activation = attributes.get<std::string>("recurrent_activation"),
          .go_backwards = attributes.get<bool>("go_backwards")};
}

ir::Attributes attributes_of(const LstmOptions& options) {
  return {{"activation", options.activation},
          {"go_backwards", options.go_backwards},
          {"recurrent_activation", options.recurrent_activation}};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  if (context.result_gradients[3] || context.result_gradients[4]) return gradient_by_decomposition(context);
  ir::Builder& builder = context.builder;
  const ir::Op& op = context.op;
  const ir::Value kernel = op.operand(1), hidden = op.operand(2), carry = op.operand(3);
  const bool has_mask = op.operands().size() > 4;
  const auto or_zero = [&](ir::Value d) { return d ? d : full(builder, hidden.type(), 0); };
  const LstmGradientResult walked = lstm_gradient(builder,
                                                  {.recurrent_kernel = kernel,
                                                   .carry = carry,
                                                   .carries = op.result(3),
                                                   .gates = op.result(4),
                                                   .d_hidden = or_zero(context.result_gradients[1]),
                                                   .d_carry = or_zero(context.result_gradients[2]),
                                                   .d_states = context.result_gradients[0],
                                                   .mask = has_mask ? op.operand(4) : ir::Value()},
                                                  options_of(op.attributes()));
  std::vector<ir::Value> gradients = {walked.d_projected, {}, walked.d_hidden, walked.d_carry};
  if (context.is_active(kernel)) {
    const ir::Value before =
        states_before(builder, hidden, op.result(0), op.attributes().get<bool>("go_backwards"));
    gradients[1] = sum_of_outer_products(builder, before, walked.d_projected);
  }
  if (has_mask) gradients.emplace_back();
  return gradients;
}

const ir::OpDef kLstm = {.name = "cornu.lstm", .infer = infer, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kLstm, kLstmGradient>(); }

}  // namespace lstm_folder

LstmResult lstm(ir::Builder& builder, const LstmOperands& operands, const LstmOptions& options) {
  std::vector<ir::Value> values = {operands.projected, operands.recurrent_kernel, operands.hidden,
                                   operands.carry};
  if (operands.mask) values.push_back(operands.mask);
  const ir::Op& op =
      builder.create(lstm_folder::kLstm, std::move(values), lstm_folder::attributes_of(options));
  return {op.result(0), op.result(1), op.result(2), op.result(3), op.result(4)};
}

LstmGradientResult lstm_gradient(ir::Builder& builder, const LstmGradientOperands& operands,
                                 const LstmOptions& options) {
  std::vector<ir::Value> values = {operands.recurrent_kernel, operands.carry,
                                   operands.carries,          operands.gates,
                                   operands.d_hidden,         operands.d_carry};
  if (operands.d_states) values.push_back(operands.d_states);
  if (operands.mask) values.push_back(operands.mask);
  ir::Attributes attributes = lstm_folder::attributes_of(options);
  attributes.set("has_mask", static_cast<bool>(operands.mask));
  attributes.set("has_sequence_gradient", static_cast<bool>(operands.d_states));
  const ir::Op& op = builder.create(lstm_folder::kLstmGradient, std::move(values), std::move(attributes));
  return {op.result(0), op.result(1), op.result(2)};
}

}  // namespace cornu::inline v0::ops
