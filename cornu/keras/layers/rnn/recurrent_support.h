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

/// Code shared by the recurrent layers; not part of the interface.
namespace cornu::inline v0::keras::layers {

/// The result of a recurrent layer for a sequence.
struct SequenceOutput {
  Tensor outputs;  // [batch, time, units], each at its input's position
  Tensor last;     // [batch, units]; undefined: to be taken from `outputs`
  std::vector<Tensor> states;
};

/// A state's shape: the batch, then its extents.
Dims with_batch(std::int64_t batch, Dims extents);
/// True if the shapes are equal, apart from kUnknown extents.
bool may_be_equal(const Dims& got, const Dims& wanted);

/// Claims memory for steps that are unrolled in the graph. Errors: those of claim_memory().
void claim_unrolled_steps(const std::string& kind, std::int64_t num_steps);

/// A sequence to process.
struct SequenceInput {
  Tensor sequence;  // [batch, time, ...]
  std::vector<Tensor> states;
  Tensor mask;  // i1 [batch, time]; may be undefined
};

/// While it lives, the cell processes this sequence, or one that begins with this step input and these
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

/// The layer of layers::RNN and the other recurrent layers: runs the cell over a sequence, one step after the
/// other.
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
  /// Makes a layer like this one, without weights.
  virtual std::shared_ptr<RecurrentLayer> remake(std::string name, bool go_backwards) const;

  /// While it lives, outputs of sequences are in the order of the input, also for a layer that goes
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

  /// Processes the sequence. Unless overridden: by the cell.
  virtual SequenceOutput walk(const SequenceInput& input, const CallContext& context);
  /// Runs `step` over the rows of `input`, in a loop or, with unroll, unrolled.
  SequenceOutput walk_steps(const SequenceInput& input, const StepFn& step) const;
  void add_to_config(Config& fields) const override;
  /// The options for a layer like this one.
  RNNOptions remade_options(std::string name, bool go_backwards) const;

 private:
  void check_shapes(std::span<const Dims> shapes) const;
  CellStep masked_step(const StepFn& step, const Tensor& row, const Tensor& mask,
                       std::span<const Tensor> states) const;
  void make_states(std::int64_t batch);
  std::vector<Tensor> initial_states(std::span<const Tensor> inputs, bool keeps);
  /// Sets outputs to zero where the mask requires it or, with unroll, where Keras does.
  Tensor masked_outputs(const SequenceInput& input, const Tensor& outputs, bool has_initial_states) const;

  std::shared_ptr<RecurrentCell> cell_;
  RNNOptions options_;
  bool in_input_order_ = false;
  std::vector<Variable> states_;  // of a stateful layer
};

/// 1 / (1 - rate) where random bits keep an element, else 0.
Tensor dropout_mask(const Tensor& bits, double rate, DType dtype);
/// The initializer of an LSTM's bias [4 * units]: ones for the forget gate, `others` for the other gates.
std::shared_ptr<Initializer> unit_forget_bias(std::shared_ptr<Initializer> others, std::int64_t units);

/// Options that LSTMCell, GRUCell and SimpleRNNCell have in common.
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

/// The options of GateOptions from those of a cell.
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

/// The options of layers::RNN from those of a layer that makes its own cell.
template <typename Options>
RNNOptions rnn_options(const Options& options) {
  if constexpr (requires { options.use_cudnn; }) {
    if (options.use_cudnn.is_set()) warn_without_effect("use_cudnn");
  }
  return saving::shared_fields<RNNOptions>(options);
}

/// Converts a cell's error to an error of the layer that has the options; `name` may be empty.
Error error_of_layer(const Error& of_cell, const char* class_name, const std::string& name);

/// Runs `make`, which makes a layer's own cell; its errors name the layer, since users do not see the cell.
template <typename Make>
auto make_own_cell(const char* class_name, const std::string& name, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    throw error_of_layer(error, class_name, name);
  }
}

/// A cell of gates: kernel, recurrent_kernel and bias, and dropout of inputs and states with masks that are
/// constant in a sequence.
class GatedCell : public RecurrentCell {
 public:
  explicit GatedCell(GateOptions options);

  std::vector<std::int64_t> state_sizes() const override;
  std::shared_ptr<RecurrentCell> copy() const override;
  std::string activation_name() const override { return options_.activation.name(); }
  /// Also stored in the options, from which copies are made.
  void set_trainable(bool trainable) override;
  void begin_sequence(const Tensor& input, std::span<const Tensor> states,
                      const CallContext& context) override;
  void end_sequence() override;

  const GateOptions& options() const { return options_; }
  /// input . kernel + bias, after dropout, for the input of one step [batch, features] or of all steps
  /// [batch, time, features].
  Tensor project(const Tensor& input) const;
  /// The rest of each step.
  virtual CellStep gated_step(const Tensor& projected, std::span<const Tensor> states) const = 0;
  Tensor kernel() const { return kernel_; }
  Tensor recurrent_kernel() const { return recurrent_kernel_; }
  /// The bias of the input and, if it exists (GRU with reset_after), of the recurrent product; else
  /// undefined.
  Tensor input_bias() const;
  Tensor recurrent_bias() const;
  /// True if a composite implements the cell's computation.
  bool has_composite() const;
  /// True if the current sequence has dropout of states.
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
  /// The columns of one gate.
  Tensor gate(const Tensor& all, std::int64_t number) const;

 private:
  void draw_masks(const Tensor& input, const Tensor& state, const CallContext& context);
  bool is_dropping(double rate) const;

  GateOptions options_;
  SeedGenerator seed_generator_;
  Variable kernel_, recurrent_kernel_, bias_;
  // During a sequence: one for all gates, or one for each gate; empty: no dropout.
  std::vector<Tensor> input_masks_, state_masks_;
  bool in_sequence_ = false;
};

/// A recurrent layer with its own gated cell, which runs by a composite if there is one.
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
  /// Runs by the composite, from the projected input [batch, time, gates * units].
  virtual SequenceOutput walk_composite(const Tensor& projected, const SequenceInput& input) const = 0;

 private:
  std::shared_ptr<GatedCell> gated_cell_;
};

}  // namespace cornu::inline v0::keras::layers
