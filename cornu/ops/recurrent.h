#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

/// Parts that the recurrent composites (simple_rnn, gru, lstm) share. docs/adr/0010 has their contract.
namespace cornu::inline v0::ops {

/// True if the recurrent composites support the activation of this name: its slope must follow from its
/// value.
bool is_recurrent_activation(std::string_view name);

/// The activation with this name; aborts on an unknown one.
ir::Value activate(ir::Builder& builder, std::string_view name, ir::Value x);

/// dy times the activation's slope where its value is y.
ir::Value activation_gradient(ir::Builder& builder, std::string_view name, ir::Value y, ir::Value dy);

/// The direction and mask of a recurrent composite's steps along the axis of time.
struct TimeWalk {
  std::int64_t num_steps = 0;
  bool backwards = false;
};

/// One step of a walk.
struct TimeStep {
  ir::Builder& builder;
  ir::Value position;

  /// sequence [batch, time, n] -> [batch, n]; a mask [batch, time] -> [batch].
  ir::Value row(ir::Value sequence) const;
  /// `width` of its features, from `start` on.
  ir::Value part(ir::Value sequence, std::int64_t start, std::int64_t width) const;
};

/// Results of a step: the next states, then the value that is stacked at its position.
struct TimeStepResult {
  std::vector<ir::Value> states;
  std::vector<ir::Value> rows;
};
using TimeStepFn = std::function<TimeStepResult(const TimeStep&, std::span<const ir::Value> states)>;

/// A loop over time: the final states, then the stacked rows, [batch, n] -> [batch, time, n] for each of
/// `row_widths`.
std::vector<ir::Value> walk_time(ir::Builder& builder, const TimeWalk& walk, std::vector<ir::Value> states,
                                 std::span<const std::int64_t> row_widths, const TimeStepFn& step);

/// The state before each step: `initial`, then all but the last walked of `sequence`, each at its position.
ir::Value states_before(ir::Builder& builder, ir::Value initial, ir::Value sequence, bool backwards);

/// mask [batch] ? on_true : on_false, for [batch, n]; on_true without a mask.
ir::Value select_rows(ir::Builder& builder, ir::Value mask, ir::Value on_true, ir::Value on_false);

/// `x` with zeros in the rows that `mask` excludes; `x` without a mask. Padding may be NaN: a selection of later
/// results hides it, but derivatives multiply by it, and 0 * NaN is NaN.
ir::Value zero_masked_rows(ir::Builder& builder, ir::Value mask, ir::Value x);

/// a [m, k] . b [n, k], transposed: [m, n].
ir::Value matmul_transposed(ir::Builder& builder, ir::Value a, ir::Value b);

/// Over batch and time: a [batch, time, m], b [batch, time, n] -> [m, n].
ir::Value sum_of_outer_products(ir::Builder& builder, ir::Value a, ir::Value b);

/// Columns [start, start + width) of the last dimension.
ir::Value columns(ir::Builder& builder, ir::Value x, std::int64_t start, std::int64_t width);

/// Gradients of a composite's operands through its decomposition, for results that its own rule does not
/// serve (second derivatives).
std::vector<ir::Value> gradient_by_decomposition(const ir::GradientContext& context);

// Checks of shape rules. Each throws InvalidArgument that names the operand.

/// Returns [batch, time, units]: the projected input is [batch, time, num_gates * units], floating-point,
/// with at least one step.
ir::Dims check_projected(const ir::InferContext& context, std::size_t operand, std::int64_t num_gates);
void check_operand(const ir::InferContext& context, std::size_t operand, const char* what,
                   const ir::TensorType& wanted);
void check_activation_attribute(const ir::Attributes& attributes, std::string_view name);
/// Checks a gradient's operands from number `required` on, as its attributes specify: the gradient of the
/// sequence [batch, time, units] (has_sequence_gradient), the mask (has_mask), and nothing else.
void check_gradient_operands(const ir::InferContext& context, std::size_t required, ir::DType dtype,
                             const ir::Dims& sequence);
/// Operand number `required`, where it is there, is a mask, and nothing follows.
void check_mask(const ir::InferContext& context, std::size_t required, const ir::Dims& sequence);

}  // namespace cornu::inline v0::ops
