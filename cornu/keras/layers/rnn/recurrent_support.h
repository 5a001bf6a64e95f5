#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/layer/field_values_support.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/layers/rnn/rnn.h"

/// What the recurrent layers share; no part of the interface.
namespace cornu::inline v0::keras::layers {

/// What a recurrent layer computed for a sequence.
struct SequenceOutput {
  Tensor outputs;  // [batch, time, units], each at its input's position
  Tensor last;     // [batch, units]; undefined: to be cut from `outputs`
  std::vector<Tensor> states;
};

/// Of steps that stand in the graph one by one. Errors: those of claim_memory().
void claim_unrolled_steps(const std::string& kind, std::int64_t num_steps);

/// A sequence to be walked.
struct SequenceInput {
  Tensor sequence;  // [batch, time, ...]
  std::vector<Tensor> states;
  Tensor mask;  // i1 [batch, time]; may be undefined
};

/// While it lives, the cell walks this sequence, or one that begins with this input of a step and these
/// states.
class SequenceScope {
 public:
  SequenceScope(RecurrentCell& cell, const SequenceInput& input, const CallContext& context);
  SequenceScope(RecurrentCell& cell, const Tensor& first_input, std::span<const Tensor> states,
                const CallContext& context);
  ~SequenceScope() { cell_.end_sequence(); }
  SequenceScope(const SequenceScope&) = delete;
  SequenceScope& operator=(const SequenceScope&) = delete;

 private:
  RecurrentCell& cell_;
};

/// The layer behind layers::RNN and its kind: walks a sequence by the cell, one step after the other.
class RecurrentLayer : public Layer, public RowStates {
 public:
  /// `class_name`: "RNN", "LSTM", ...
  RecurrentLayer(const char* class_name, std::shared_ptr<RecurrentCell> cell, RNNOptions options);

  const std::shared_ptr<RecurrentCell>& cell() const { return cell_; }
  const RNNOptions& options() const { return options_; }
  void set_zero_output_for_mask(bool zero) { options_.zero_output_for_mask = zero; }
  const std::vector<Variable>& states() const { return states_; }
  void reset_state();
  bool keeps_row_states() const override { return options_.stateful; }
  std::vector<Variable> row_states() const override { return states_; }
  /// A new layer like this one, with no weights yet.
  virtual std::shared_ptr<RecurrentLayer> remake(std::string name, bool go_backwards) const;

  /// While it lives, outputs of sequences stand in the order of the input, also of a layer that goes
  /// backwards.
  class InInputOrder {
   public:
    explicit InInputOrder(RecurrentLayer& layer) : layer_(layer) { layer_.in_input_order_ = true; }
    ~InInputOrder() { layer_.in_input_order_ = false; }
    InInputOrder(const InInputOrder&) = delete;
    InInputOrder& operator=(const InInputOrder&) = delete;

   private:
    RecurrentLayer& layer_;
  };

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override;
  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                   std::span<const Tensor> outputs) const override;

 protected:
  void build_for(std::span<const Dims> input_shapes) override;
  void unbuild() override;
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override;

  using StepFn = std::function<CellStep(const Tensor& row, std::span<const Tensor> states)>;

  /// Walks the sequence. Unless overridden: by the cell.
  virtual SequenceOutput walk(const SequenceInput& input, const CallContext& context);
  /// Walks the rows of `input` by `step`, in a loop or, with unroll, written out.
  SequenceOutput walk_steps(const SequenceInput& input, const StepFn& step) const;
  void add_to_config(Config& fields) const override;
  /// The options for a new layer like this one.
  RNNOptions remade_options(std::string name, bool go_backwards) const;

 private:
  void check_shapes(std::span<const Dims> shapes) const;
  CellStep masked_step(const StepFn& step, const Tensor& row, const Tensor& mask,
                       std::span<const Tensor> states) const;
  void make_states(std::int64_t batch);
  std::vector<Tensor> initial_states(std::span<const Tensor> inputs, bool keeps);
  /// Zeros where the mask or, with unroll, Keras wants them.
  Tensor masked_outputs(const SequenceInput& input, const Tensor& outputs, bool has_initial_states) const;

  std::shared_ptr<RecurrentCell> cell_;
  RNNOptions options_;
  bool in_input_order_ = false;
  std::vector<Variable> states_;  // of a stateful layer
};

/// What LSTMCell, GRUCell and SimpleRNNCell have in common.
struct GateOptions {
  const char* class_name = "";
  std::int64_t units = 0;
  std::int64_t num_gates = 1;
  std::int64_t num_states = 1;
  ActivationSpec activation;
  ActivationSpec recurrent_activation;
  bool use_bias = true;
  bool unit_forget_bias = false;
  bool reset_after = false;
  InitializerSpec kernel_initializer, recurrent_initializer, bias_initializer;
  RegularizerSpec kernel_regularizer, recurrent_regularizer, bias_regularizer;
  ConstraintSpec kernel_constraint, recurrent_constraint, bias_constraint;
  double dropout = 0.0;
  double recurrent_dropout = 0.0;
  std::optional<std::uint64_t> seed;
  /// Each gate has a dropout mask of its own, as Keras's implementation 1 has.
  bool is_mask_per_gate = false;
  std::string name;
  bool trainable = true;
  std::optional<DTypePolicy> dtype;
  /// The options of the cell's class: what get_config() writes.
  std::shared_ptr<const saving::DescribedOptions> described;
};

/// The common part of the options of a cell.
template <typename Options>
GateOptions gate_options(const char* cell_class_name, const Options& options) {
  GateOptions gates{.class_name = cell_class_name,
                    .units = options.units,
                    .activation = options.activation,
                    .use_bias = options.use_bias,
                    .kernel_initializer = options.kernel_initializer,
                    .recurrent_initializer = options.recurrent_initializer,
                    .bias_initializer = options.bias_initializer,
                    .kernel_regularizer = options.kernel_regularizer,
                    .recurrent_regularizer = options.recurrent_regularizer,
                    .bias_regularizer = options.bias_regularizer,
                    .kernel_constraint = options.kernel_constraint,
                    .recurrent_constraint = options.recurrent_constraint,
                    .bias_constraint = options.bias_constraint,
                    .dropout = options.dropout,
                    .recurrent_dropout = options.recurrent_dropout,
                    .seed = options.seed,
                    .name = options.name,
                    .trainable = options.trainable,
                    .dtype = options.dtype,
                    .described = saving::describe(options)};
  if constexpr (requires { options.recurrent_activation; })
    gates.recurrent_activation = options.recurrent_activation;
  if constexpr (requires { options.unit_forget_bias; }) gates.unit_forget_bias = options.unit_forget_bias;
  if constexpr (requires { options.reset_after; }) gates.reset_after = options.reset_after;
  if constexpr (requires { options.implementation; }) {
    gates.is_mask_per_gate = options.recurrent_dropout > 0;
    if (options.implementation.has_value()) warn_without_effect("implementation");
  }
  return gates;
}

/// The options that layers::RNN has too, of a layer with a cell of its own.
template <typename Options>
RNNOptions rnn_options(const Options& options) {
  if constexpr (requires { options.use_cudnn; }) {
    if (options.use_cudnn.is_set()) warn_without_effect("use_cudnn");
  }
  return saving::shared_fields<RNNOptions>(options);
}

/// A cell's error as that of the layer which the options were given to; `name` may be empty.
Error error_of_layer(const Error& of_cell, const char* class_name, const std::string& name);

/// Runs `make`, which makes a layer's own cell: its errors name the layer, which is all that the user sees.
template <typename Make>
auto make_own_cell(const char* class_name, const std::string& name, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    throw error_of_layer(error, class_name, name);
  }
}

/// A cell of gates: kernel, recurrent_kernel and bias, dropout of inputs and states with masks that hold for
/// a whole sequence.
class GatedCell : public RecurrentCell {
 public:
  explicit GatedCell(GateOptions options);

  std::vector<std::int64_t> state_sizes() const override;
  std::shared_ptr<RecurrentCell> copy() const override;
  std::string activation_name() const override { return options_.activation.name(); }
  /// Kept among the options too, from which copies are made.
  void set_trainable(bool trainable) override;
  void begin_sequence(const Tensor& input, std::span<const Tensor> states,
                      const CallContext& context) override;
  void end_sequence() override;

  const GateOptions& options() const { return options_; }
  /// input . kernel + bias of the input of a step, [batch, features], or of all steps, [batch, time,
  /// features], after dropout.
  Tensor project(const Tensor& input) const;
  /// What follows in each step.
  virtual CellStep gated_step(const Tensor& projected, std::span<const Tensor> states) const = 0;
  Tensor kernel() const { return kernel_; }
  Tensor recurrent_kernel() const { return recurrent_kernel_; }
  /// The bias of the input and, where it has one (GRU with reset_after), of the recurrent product; undefined
  /// without.
  Tensor input_bias() const;
  Tensor recurrent_bias() const;
  /// Whether the composites know what the cell computes.
  bool has_composite() const;
  /// Whether the sequence that is walked drops parts of the states.
  bool drops_states() const { return !state_masks_.empty(); }

 protected:
  virtual std::shared_ptr<RecurrentCell> with_options(const GateOptions& options) const = 0;
  void add_to_config(Config& fields) const override;
  void build(const Dims& step_shape) override;
  CellStep step(const Tensor& input, std::span<const Tensor> states, const CallContext& context) final;

  /// state . recurrent_kernel for gates [first, first + count), after dropout.
  Tensor recurrent_product(const Tensor& state, std::int64_t first, std::int64_t count) const;
  /// The state after dropout for one gate.
  Tensor dropped_state(const Tensor& state, std::int64_t number) const;
  /// Gate `number`'s columns.
  Tensor gate(const Tensor& all, std::int64_t number) const;

 private:
  void draw_masks(const Tensor& input, const Tensor& state, const CallContext& context);
  bool is_dropping(double rate) const;

  GateOptions options_;
  SeedGenerator seed_generator_;
  Variable kernel_, recurrent_kernel_, bias_;
  // While a sequence is walked: one for all gates, or one a gate; empty: nothing falls out.
  std::vector<Tensor> input_masks_, state_masks_;
  bool in_sequence_ = false;
};

/// A recurrent layer with a gated cell of its own, which walks by a composite where there is one.
class GatedLayer : public RecurrentLayer {
 public:
  /// `described`: the options of the layer's class.
  GatedLayer(const char* class_name, std::shared_ptr<GatedCell> cell, RNNOptions options,
             std::shared_ptr<const saving::DescribedOptions> described);
  std::string activation_name() const override { return gated_cell_->activation_name(); }

 protected:
  void add_to_config(Config& fields) const override;
  const GatedCell& gated_cell() const { return *gated_cell_; }
  void build_for(std::span<const Dims> input_shapes) override;
  SequenceOutput walk(const SequenceInput& input, const CallContext& context) final;
  /// By the composite, from the projected input [batch, time, gates * units].
  virtual SequenceOutput walk_composite(const Tensor& projected, const SequenceInput& input) const = 0;

 private:
  std::shared_ptr<GatedCell> gated_cell_;
};

}  // namespace cornu::inline v0::keras::layers
