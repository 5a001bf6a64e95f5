#include "cornu/ops/gru/gru.h"

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/recurrent.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops {
namespace gru_folder {
namespace {

ir::Value one_minus(ir::Builder& b, ir::Value x) { return subtract(b, full(b, x.type(), 1), x); }

// cornu.gru: projected, recurrent_kernel, initial[, recurrent_bias][, mask] -> states, state, gates

/// The positions of the optional operands.
struct GruLayout {
  bool has_bias;
  std::size_t mask;

  explicit GruLayout(const ir::Attributes& attributes)
      : has_bias(attributes.get<bool>("has_recurrent_bias")), mask(has_bias ? 4 : 3) {}
  ir::Value mask_of(std::span<const ir::Value> operands) const {
    return operands.size() > mask ? operands[mask] : ir::Value();
  }
};

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3, 5);
  const GruLayout layout(context.attributes);
  const bool reset_after = context.attributes.get<bool>("reset_after");
  const ir::DType dtype = context.type(0).dtype;
  const ir::Dims sequence = check_projected(context, 0, 3);
  const std::int64_t units = sequence[2];
  const ir::TensorType state{dtype, {sequence[0], units}};
  check_operand(context, 1, "recurrent_kernel", {dtype, {units, 3 * units}});
  check_operand(context, 2, "the initial state", state);
  if (layout.has_bias && !reset_after) invalid_argument("recurrent_bias goes with reset_after only");
  if (layout.has_bias) check_operand(context, 3, "recurrent_bias", {dtype, {3 * units}});
  check_mask(context, layout.mask, sequence);
  check_activation_attribute(context.attributes, "activation");
  check_activation_attribute(context.attributes, "recurrent_activation");
  return {{dtype, sequence}, state, {dtype, {sequence[0], sequence[1], (reset_after ? 4 : 3) * units}}};
}

/// The gates of one step: z, r, the candidate and, with reset_after, what r is multiplied by.
std::vector<ir::Value> step_gates(ir::Builder& b, ir::Value projected, ir::Value h, ir::Value kernel,
                                  ir::Value bias, const ir::Attributes& attributes) {
  const std::int64_t units = kernel.dims()[0];
  const std::string& activation = attributes.get<std::string>("activation");
  const auto gate = [&](ir::Value product, std::int64_t number) {
    const ir::Value sum =
        add(b, columns(b, projected, number * units, units), columns(b, product, number * units, units));
    return activate(b, attributes.get<std::string>("recurrent_activation"), sum);
  };
  const ir::Value last = columns(b, projected, 2 * units, units);
  if (!attributes.get<bool>("reset_after")) {
    const ir::Value product = matmul(b, h, columns(b, kernel, 0, 2 * units));
    const ir::Value z = gate(product, 0), r = gate(product, 1);
    return {z, r,
            activate(b, activation,
                     add(b, last, matmul(b, multiply(b, r, h), columns(b, kernel, 2 * units, units))))};
  }
  ir::Value product = matmul(b, h, kernel);
  if (bias) product = add(b, product, broadcast_to(b, bias, product.dims()));
  const ir::Value z = gate(product, 0), r = gate(product, 1),
                  recurrent = columns(b, product, 2 * units, units);
  return {z, r, activate(b, activation, add(b, last, multiply(b, r, recurrent))), recurrent};
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::Value projected = operands[0], kernel = operands[1];
  const GruLayout layout(attributes);
  const ir::Value bias = layout.has_bias ? operands[3] : ir::Value(), mask = layout.mask_of(operands);
  const TimeWalk walk{projected.dims()[1], attributes.get<bool>("go_backwards")};
  const std::int64_t units = kernel.dims()[0];
  const std::int64_t widths[] = {units, (attributes.get<bool>("reset_after") ? 4 : 3) * units};
  const std::vector<ir::Value> results = walk_time(
      builder, walk, {operands[2]}, widths, [&](const TimeStep& at, std::span<const ir::Value> states) {
        ir::Builder& b = at.builder;
        const ir::Value valid = mask ? at.row(mask) : ir::Value();
        const ir::Value row = zero_masked_rows(b, valid, at.row(projected));
        const std::vector<ir::Value> gates = step_gates(b, row, states[0], kernel, bias, attributes);
        const ir::Value next =
            add(b, multiply(b, gates[0], states[0]), multiply(b, one_minus(b, gates[0]), gates[2]));
        const ir::Value h = select_rows(b, valid, next, states[0]);
        // The gates of masked steps are zeros, as the kernel stores them.
        return TimeStepResult{{h}, {h, zero_masked_rows(b, valid, concatenate(b, gates, 1))}};
      });
  return {results[1], results[0], results[2]};
}

// cornu.gru_gradient: recurrent_kernel, before, gates, d state[, d states][, mask] -> d projected, d initial
// (`before`: the states before each step)

std::vector<ir::TensorType> infer_gradient(const ir::InferContext& context) {
  check_operands(context, 4, 6);
  const ir::TensorType& gates = context.type(2);
  const ir::Dims sequence = check_projected(context, 2, context.attributes.get<bool>("reset_after") ? 4 : 3);
  const std::int64_t units = sequence[2];
  const ir::TensorType state{gates.dtype, {sequence[0], units}};
  check_operand(context, 0, "recurrent_kernel", {gates.dtype, {units, 3 * units}});
  check_operand(context, 1, "the states before", {gates.dtype, sequence});
  check_operand(context, 3, "the gradient of the state", state);
  check_gradient_operands(context, 4, gates.dtype, sequence);
  check_activation_attribute(context.attributes, "activation");
  check_activation_attribute(context.attributes, "recurrent_activation");
  context.attributes.get<bool>("go_backwards");
  return {{gates.dtype, {sequence[0], sequence[1], 3 * units}}, state};
}

std::vector<ir::Value> decompose_gradient(ir::Builder& builder, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const ir::Value kernel = operands[0], before = operands[1], gates = operands[2];
  const bool has_sequence = attributes.get<bool>("has_sequence_gradient"),
             reset_after = attributes.get<bool>("reset_after");
  const ir::Value d_states = has_sequence ? operands[4] : ir::Value();
  const ir::Value mask = attributes.get<bool>("has_mask") ? operands[has_sequence ? 5 : 4] : ir::Value();
  const std::string& activation = attributes.get<std::string>("activation");
  const std::string& recurrent_activation = attributes.get<std::string>("recurrent_activation");
  const std::int64_t units = kernel.dims()[0];
  const std::int64_t widths[] = {3 * units};
  const auto step = [&](const TimeStep& at, std::span<const ir::Value> after) {
    ir::Builder& b = at.builder;
    const ir::Value valid = mask ? at.row(mask) : ir::Value();
    const ir::Value dh = has_sequence ? add(b, after[0], at.row(d_states)) : after[0];
    const ir::Value z = at.part(gates, 0, units), r = at.part(gates, units, units),
                    candidate = at.part(gates, 2 * units, units);
    const ir::Value h = at.row(before);
    const ir::Value d_candidate =
        activation_gradient(b, activation, candidate, multiply(b, dh, one_minus(b, z)));
    const ir::Value dz =
        activation_gradient(b, recurrent_activation, z, multiply(b, dh, subtract(b, h, candidate)));
    ir::Value dr, through_kernel;
    if (reset_after) {
      dr = activation_gradient(b, recurrent_activation, r,
                               multiply(b, d_candidate, at.part(gates, 3 * units, units)));
      through_kernel = matmul_transposed(b, concatenate(b, {dz, dr, multiply(b, d_candidate, r)}, 1), kernel);
    } else {
      const ir::Value d_product = matmul_transposed(b, d_candidate, columns(b, kernel, 2 * units, units));
      dr = activation_gradient(b, recurrent_activation, r, multiply(b, d_product, h));
      const ir::Value from_gates =
          matmul_transposed(b, concatenate(b, {dz, dr}, 1), columns(b, kernel, 0, 2 * units));
      through_kernel = add(b, multiply(b, d_product, r), from_gates);
    }
    const ir::Value d_all = concatenate(b, {dz, dr, d_candidate}, 1);
    const ir::Value dh_before = add(b, multiply(b, dh, z), through_kernel);
    return TimeStepResult{{select_rows(b, valid, dh_before, dh)}, {zero_masked_rows(b, valid, d_all)}};
  };
  const TimeWalk walk{before.dims()[1], !attributes.get<bool>("go_backwards")};
  const std::vector<ir::Value> results = walk_time(builder, walk, {operands[3]}, widths, step);
  return {results[1], results[0]};
}

const ir::OpDef kGruGradient = {
    .name = "cornu.gru_gradient", .infer = infer_gradient, .decompose = decompose_gradient};

/// Gradients of the recurrent kernel and bias, from that of the projected input and the states before each
/// step.
std::pair<ir::Value, ir::Value> kernel_and_bias_gradient(ir::Builder& builder, ir::Value d_projected,
                                                         ir::Value before, ir::Value gates,
                                                         bool reset_after) {
  const std::int64_t units = before.dims()[2];
  const ir::Value first = columns(builder, d_projected, 0, 2 * units),
                  last = columns(builder, d_projected, 2 * units, units);
  const ir::Value r = columns(builder, gates, units, units);
  if (reset_after) {
    const ir::Value d_product = concatenate(builder, {first, multiply(builder, last, r)}, 2);
    return {sum_of_outer_products(builder, before, d_product), reduce_sum(builder, d_product, {0, 1})};
  }
  const ir::Value reset = multiply(builder, r, before);
  return {
      concatenate(
          builder,
          {sum_of_outer_products(builder, before, first), sum_of_outer_products(builder, reset, last)}, 1),
      {}};
}

GruOptions options_of(const ir::Attributes& attributes) {
  return {.activation = attributes.get<std::string>("activation"),
          .recurrent_activation = attributes.get<std::string>("recurrent_activation"),
          .reset_after = attributes.get<bool>("reset_after"),
          .go_backwards = attributes.get<bool>("go_backwards")};
}

ir::Attributes attributes_of(const GruOptions& options) {
  return {{"activation", options.activation},
          {"go_backwards", options.go_backwards},
          {"recurrent_activation", options.recurrent_activation},
          {"reset_after", options.reset_after}};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  if (context.result_gradients[2]) return gradient_by_decomposition(context);
  ir::Builder& builder = context.builder;
  const ir::Op& op = context.op;
  const GruLayout layout(op.attributes());
  const ir::Value kernel = op.operand(1), initial = op.operand(2), gates = op.result(2),
                  mask = layout.mask_of(op.operands());
  const ir::Value before =
      states_before(builder, initial, op.result(0), op.attributes().get<bool>("go_backwards"));
  const ir::Value d_state = context.result_gradients[1];
  const GruGradientResult walked =
      gru_gradient(builder,
                   {.recurrent_kernel = kernel,
                    .states_before = before,
                    .gates = gates,
                    .d_state = d_state ? d_state : full(builder, initial.type(), 0),
                    .d_states = context.result_gradients[0],
                    .mask = mask},
                   options_of(op.attributes()));
  std::vector<ir::Value> gradients = {walked.d_projected, {}, walked.d_initial};
  const auto [d_kernel, d_bias] = kernel_and_bias_gradient(builder, walked.d_projected, before, gates,
                                                           op.attributes().get<bool>("reset_after"));
  gradients[1] = d_kernel;
  if (layout.has_bias) gradients.push_back(d_bias);
  if (mask) gradients.emplace_back();
  return gradients;
}

const ir::OpDef kGru = {.name = "cornu.gru", .infer = infer, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kGru, kGruGradient>(); }

}  // namespace gru_folder

GruResult gru(ir::Builder& builder, const GruOperands& operands, const GruOptions& options) {
  std::vector<ir::Value> values = {operands.projected, operands.recurrent_kernel, operands.initial};
  if (operands.recurrent_bias) values.push_back(operands.recurrent_bias);
  if (operands.mask) values.push_back(operands.mask);
  ir::Attributes attributes = gru_folder::attributes_of(options);
  attributes.set("has_recurrent_bias", static_cast<bool>(operands.recurrent_bias));
  const ir::Op& op = builder.create(gru_folder::kGru, std::move(values), std::move(attributes));
  return {op.result(0), op.result(1), op.result(2)};
}

GruGradientResult gru_gradient(ir::Builder& builder, const GruGradientOperands& operands,
                               const GruOptions& options) {
  std::vector<ir::Value> values = {operands.recurrent_kernel, operands.states_before, operands.gates,
                                   operands.d_state};
  if (operands.d_states) values.push_back(operands.d_states);
  if (operands.mask) values.push_back(operands.mask);
  ir::Attributes attributes = gru_folder::attributes_of(options);
  attributes.set("has_mask", static_cast<bool>(operands.mask));
  attributes.set("has_sequence_gradient", static_cast<bool>(operands.d_states));
  const ir::Op& op = builder.create(gru_folder::kGruGradient, std::move(values), std::move(attributes));
  return {op.result(0), op.result(1)};
}

}  // namespace cornu::inline v0::ops
