#include "cornu/keras/layers/rnn/rnn.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// Step `i` of a sequence or mask.
Tensor step_of(const Tensor& sequence, std::int64_t i) {
  Dims start(sequence.shape().size(), 0), extent = sequence.shape();
  start[1] = i;
  extent[1] = 1;
  return ops::squeeze(ops::slice(sequence, start, extent), 1);
}

/// The shape of a step's input, [batch, ...], for a sequence [batch, time, ...].
Dims without_steps(Dims sequence) {
  sequence.erase(sequence.begin() + 1);
  return sequence;
}

/// Reshapes [batch] or [batch, time] with axes of extent 1 to the rank of `like`.
Tensor with_rank_of(const Tensor& mask, const Tensor& like) {
  Dims dims = mask.shape();
  dims.resize(like.shape().size(), 1);
  return ops::reshape(mask, dims);
}

/// The mask as i1 [batch, time]; a mask of more axes is true where any element is, as in Keras.
Tensor step_mask(const Tensor& sequence, const std::string& class_name) {
  const Tensor* carried = sequence.mask();
  if (carried == nullptr) return {};
  Tensor mask = carried->dtype() == DType::kI1 ? *carried : ops::cast(*carried, DType::kI1);
  if (mask.rank() == 3) mask = ops::any(mask, {.axis = 2});
  const Dims wanted = {sequence.shape()[0], sequence.shape()[1]};
  if (mask.shape() != wanted)
    invalid_argument("[{}] the mask must have the shape {}; got {}", snake_case(class_name),
                     ir::shape_str(wanted), ir::shape_str(carried->shape()));
  return mask;
}

LayerSettings recurrent_settings(const char* class_name, const RNNOptions& options) {
  return layer_settings(class_name, options);
}

}  // namespace

void warn_without_effect(const char* option) {
  static std::mutex mutex;
  static auto& said = *new std::set<std::string_view>;
  const std::lock_guard lock(mutex);
  if (said.insert(option).second)
    log_warning("[rnn] the option {} of recurrent layers has no effect", option);
}

UseCudnn::UseCudnn(const char* text) {
  if (or_empty(text) != "auto")
    invalid_argument("[use_cudnn] expected \"auto\", true or false; got \"{}\"", or_empty(text));
}

// RecurrentLayer.

RecurrentLayer::RecurrentLayer(const char* class_name, std::shared_ptr<RecurrentCell> cell,
                               RNNOptions options)
    : Layer(recurrent_settings(class_name, options)), cell_(std::move(cell)), options_(std::move(options)) {
  if (cell_ == nullptr) option_error("the cell is empty");
  if (cell_->state_sizes().empty()) option_error(fmt::format("the cell \"{}\" has no states", cell_->name()));
  track(LayerHandle(cell_), "cell");
  set_supports_masking(true);
  set_type_rule(TypeRule::kOverridden);
}

void RecurrentLayer::add_to_config(Config& fields) const {
  fields.set("go_backwards", options_.go_backwards);
  fields.set("zero_output_for_mask", options_.zero_output_for_mask);
  fields.set("cell", saving::serialize<Layer>(*cell_));
}

RNNOptions RecurrentLayer::remade_options(std::string name, bool go_backwards) const {
  RNNOptions options = options_;
  options.name = std::move(name);
  options.trainable = trainable();
  options.dtype = dtype_policy();
  options.go_backwards = go_backwards;
  return options;
}

std::shared_ptr<RecurrentLayer> RecurrentLayer::remake(std::string name, bool go_backwards) const {
  return std::make_shared<RecurrentLayer>("RNN", cell_->copy(),
                                          remade_options(std::move(name), go_backwards));
}

void RecurrentLayer::check_shapes(std::span<const Dims> shapes) const {
  const std::string kind = snake_case(class_name());
  const std::size_t num_states = cell_->state_sizes().size();
  if (shapes.size() != 1 && shapes.size() != 1 + num_states)
    invalid_argument("[{}] expected the sequence, or the sequence and {} initial states; got {} inputs", kind,
                     num_states, shapes.size());
  const Dims& sequence = shapes[0];
  if (sequence.size() < 3)
    invalid_argument(
        "[{}] expected the input to have the dimensions batch, time and features; got an input of shape {}",
        kind, shape_with_none_str(sequence));
  if (sequence[1] == 0)
    invalid_argument("[{}] the sequence must have at least one step; got an input of shape {}", kind,
                     shape_with_none_str(sequence));
  if (options_.unroll && sequence[1] == kUnknown)
    invalid_argument("[{}] unroll needs a known number of steps; got an input of shape {}", kind,
                     shape_with_none_str(sequence));
  if (shapes.size() == 1) return;
  const std::vector<Dims> states = cell_->state_shapes(without_steps(sequence));
  for (std::size_t i = 1; i < shapes.size(); ++i) {
    const Dims wanted = with_batch(sequence[0], states[i - 1]);
    if (!may_be_equal(shapes[i], wanted))
      invalid_argument("[{}] initial state {} must have the shape {}; got {}", kind, i - 1,
                       shape_with_none_str(wanted), shape_with_none_str(shapes[i]));
  }
}

void RecurrentLayer::build_for(std::span<const Dims> input_shapes) {
  check_shapes(input_shapes);
  cell_->build_once(without_steps(input_shapes[0]));
  if (options_.stateful && input_shapes[0][0] != kUnknown) make_states(input_shapes[0][0]);
}

void RecurrentLayer::unbuild() { states_.clear(); }

std::vector<TensorType> RecurrentLayer::compute_output_types(std::span<const TensorType> inputs) const {
  const std::vector<Dims> shapes = shapes_of(inputs);
  check_shapes(shapes);
  const Dims step_shape = without_steps(shapes[0]);
  Dims output = with_batch(shapes[0][0], cell_->output_shape(step_shape));
  if (options_.return_sequences) output.insert(output.begin() + 1, shapes[0][1]);
  std::vector<TensorType> types = {{compute_dtype(), output}};
  if (options_.return_state)
    for (const Dims& state : cell_->state_shapes(step_shape))
      types.push_back({compute_dtype(), with_batch(shapes[0][0], state)});
  return types;
}

std::vector<Tensor> RecurrentLayer::compute_mask(std::span<const Tensor> inputs,
                                                 std::span<const Tensor> outputs) const {
  std::vector<Tensor> masks(outputs.size());
  if (options_.return_sequences && inputs[0].mask() != nullptr) masks[0] = *inputs[0].mask();
  return masks;
}

// States that are kept between batches.

void RecurrentLayer::make_states(std::int64_t batch) {
  for (const Tensor& initial : cell_->initial_states(batch))
    states_.emplace_back(
        ir::Literal(initial.type()),
        VariableOptions{.name = "rnn_state", .path = path() + "/rnn_state", .trainable = false});
}

void RecurrentLayer::reset_state() {
  for (const Variable& state : states_) state.load(ir::Literal(state.type()));
}

std::vector<Tensor> RecurrentLayer::initial_states(std::span<const Tensor> inputs, bool keeps) {
  const std::int64_t batch = inputs[0].shape()[0];
  if (keeps && states_.empty()) make_states(batch);
  if (keeps && states_[0].shape()[0] != batch) {
    invalid_argument(
        "[{}] a stateful layer needs batches of one size: its states have {} rows; got a batch of {}",
        snake_case(class_name()), states_[0].shape()[0], batch);
  }
  std::vector<Tensor> states =
      keeps ? std::vector<Tensor>(states_.begin(), states_.end()) : cell_->initial_states(batch);
  if (inputs.size() == 1) return states;
  // Cells of a stack may have other compute dtypes than each other and than the layer.
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = ops::cast(inputs[i + 1], states[i].dtype());
  return states;
}

// Calling.

std::vector<Tensor> RecurrentLayer::call_for(std::span<const Tensor> inputs, const CallContext& context) {
  check_shapes(shapes_of(inputs));
  if (options_.stateful) context.rows.require_exact(fmt::format("layer \"{}\" is stateful", name()));
  // Traces for padded batches are discarded and must not determine the states' size.
  const bool keeps = options_.stateful && !sees_types_only() && !context.rows.defined();
  // As in Keras, a mask that the input only carries does not reach a call with initial states.
  const bool reads_mask = inputs.size() == 1 || context.is_given_mask;
  SequenceInput input{
      .sequence = ir::is_float(inputs[0].dtype()) ? inputs[0] : ops::cast(inputs[0], compute_dtype()),
      .states = initial_states(inputs, keeps),
      .mask = reads_mask ? step_mask(inputs[0], class_name()) : Tensor()};
  SequenceOutput result = walk(input, context);
  for (std::size_t i = 0; keeps && i < states_.size(); ++i) states_[i].assign(result.states[i]);
  const auto in_own_dtype = [&](Tensor& value) { value = ops::cast(value, compute_dtype()); };
  in_own_dtype(result.outputs);
  if (result.last.defined()) in_own_dtype(result.last);
  std::for_each(result.states.begin(), result.states.end(), in_own_dtype);
  result.outputs = masked_outputs(input, result.outputs, inputs.size() > 1 || options_.stateful);
  std::vector<Tensor> outputs;
  if (options_.return_sequences) {
    outputs.push_back(options_.go_backwards && !in_input_order_ ? ops::flip(result.outputs, 1)
                                                                : result.outputs);
  } else {
    const bool is_cut = !result.last.defined() || input.mask.defined();
    outputs.push_back(is_cut
                          ? step_of(result.outputs, options_.go_backwards ? 0 : input.sequence.shape()[1] - 1)
                          : result.last);
  }
  if (options_.return_state) outputs.insert(outputs.end(), result.states.begin(), result.states.end());
  return outputs;
}

Tensor RecurrentLayer::masked_outputs(const SequenceInput& input, const Tensor& outputs,
                                      bool has_initial_states) const {
  if (!input.mask.defined()) return outputs;
  // With unroll, a masked step returns the previous output, or zero before the first unmasked step, as in
  // Keras; zero_output_for_mask then has no effect.
  if (!options_.unroll)
    return options_.zero_output_for_mask ? ops::where(with_rank_of(input.mask, outputs), outputs, 0)
                                         : outputs;
  if (!has_initial_states) return outputs;
  Tensor steps = ops::cast(input.mask, DType::kI32);
  if (options_.go_backwards) steps = ops::flip(steps, 1);
  Tensor has_begun = ops::greater(ops::cumsum(steps, {.axis = 1}), 0);
  if (options_.go_backwards) has_begun = ops::flip(has_begun, 1);
  return ops::where(with_rank_of(has_begun, outputs), outputs, 0);
}

SequenceOutput RecurrentLayer::walk(const SequenceInput& input, const CallContext& context) {
  const SequenceScope scope(*cell_, input, context);
  return walk_steps(input, [&](const Tensor& row, std::span<const Tensor> states) {
    std::vector<Tensor> inputs = {row};
    inputs.insert(inputs.end(), states.begin(), states.end());
    const std::vector<Tensor> outputs = cell_->call_many(inputs);
    return CellStep{outputs[0], {outputs.begin() + 1, outputs.end()}};
  });
}

SequenceScope::SequenceScope(RecurrentCell& cell, const SequenceInput& input, const CallContext& context)
    : SequenceScope(cell, step_of(input.sequence, 0), input.states, context) {}

SequenceScope::SequenceScope(RecurrentCell& cell, const Tensor& first_input, std::span<const Tensor> states,
                             const CallContext& context)
    : cell_(cell) {
  try {
    cell_.begin_sequence(first_input, states, context);
  } catch (...) {
    cell_.end_sequence();  // some of several stacked cells may have begun
    throw;
  }
}

CellStep RecurrentLayer::masked_step(const StepFn& step, const Tensor& row, const Tensor& mask,
                                     std::span<const Tensor> states) const {
  CellStep result = step(row, states);
  if (!mask.defined()) return result;
  const Tensor& before = states[cell_->output_state()];
  if (!options_.zero_output_for_mask && !options_.unroll) {
    if (before.shape() != result.output.shape())
      invalid_argument(
          "[{}] a masked step repeats the state {}, but that is {} and the output {}; use "
          "zero_output_for_mask",
          snake_case(class_name()), cell_->output_state(), ir::shape_str(before.shape()),
          ir::shape_str(result.output.shape()));
    result.output = ops::where(with_rank_of(mask, before), result.output, before);
  }
  for (std::size_t i = 0; i < states.size(); ++i)
    result.states[i] = ops::where(with_rank_of(mask, states[i]), result.states[i], states[i]);
  return result;
}

SequenceOutput RecurrentLayer::walk_steps(const SequenceInput& input, const StepFn& step) const {
  const std::int64_t num_steps = input.sequence.shape()[1];
  if (options_.unroll) {
    claim_unrolled_steps(snake_case(class_name()), num_steps);
    std::vector<Tensor> states = input.states, outputs(static_cast<std::size_t>(num_steps));
    Tensor before;  // the output of the last step
    for (std::int64_t k = 0; k < num_steps; ++k) {
      const std::int64_t i = options_.go_backwards ? num_steps - 1 - k : k;
      const Tensor mask = input.mask.defined() ? step_of(input.mask, i) : Tensor();
      CellStep result = masked_step(step, step_of(input.sequence, i), mask, states);
      states = std::move(result.states);
      if (mask.defined())
        result.output =
            ops::where(with_rank_of(mask, result.output), result.output, before.defined() ? before : 0);
      before = result.output;
      outputs[static_cast<std::size_t>(i)] = std::move(result.output);
    }
    return {.outputs = ops::stack(outputs, 1), .states = std::move(states)};
  }
  std::vector<Tensor> rows = {ops::swapaxes(input.sequence, 0, 1)};
  if (input.mask.defined()) rows.push_back(ops::swapaxes(input.mask, 0, 1));
  const auto [states, outputs] = scan(
      [&](const std::vector<Tensor>& before, const std::vector<Tensor>& row) {
        CellStep result = masked_step(step, row[0], row.size() > 1 ? row[1] : Tensor(), before);
        return std::pair(std::move(result.states), std::move(result.output));
      },
      input.states, rows, {.reverse = options_.go_backwards});
  return {.outputs = ops::swapaxes(outputs, 0, 1), .states = states};
}

// Handles.

Recurrent::Recurrent(std::shared_ptr<RecurrentLayer> layer) : LayerHandle(layer), layer_(std::move(layer)) {}
void Recurrent::reset_state() const { layer_->reset_state(); }
std::vector<Variable> Recurrent::states() const { return layer_->states(); }
Cell Recurrent::cell() const { return layer_->cell(); }

RNN::RNN(const Cell& cell, const RNNOptions& options)
    : Recurrent(std::make_shared<RecurrentLayer>("RNN", cell.cell(), options)) {}

}  // namespace cornu::inline v0::keras::layers
