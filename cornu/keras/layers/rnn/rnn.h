#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/rnn/cell.h"

namespace cornu::inline v0::keras::layers {

class RecurrentLayer;

/// The common interface of recurrent layers.
///
/// Inputs:  the sequence [batch, time, ...], optionally followed by the initial states of the cell: lstm({x,
///          h, c}).
/// Outputs: [batch, units] of the last step, or with return_sequences [batch, time, units] in the order of
///          computation; with return_state followed by the final states: call_many({x}) returns {output, h,
///          c}.
/// Masks:   of any form. In a masked step, states are unchanged and the output is the previous one, or zero
///          with zero_output_for_mask. With return_sequences the mask is passed on. With unroll, as in Keras,
///          outputs before the first unmasked step are zero, whatever the initial states, and
///          zero_output_for_mask has no effect.
class Recurrent : public LayerHandle {
 public:
  Recurrent() = default;
  explicit Recurrent(std::shared_ptr<RecurrentLayer> layer);

  /// Sets the states of a stateful layer to zero.
  void reset_state() const;
  /// The old name of reset_state.
  void reset_states() const { reset_state(); }
  /// The states of a stateful layer; empty before its first use.
  std::vector<Variable> states() const;
  /// The cell of the layer.
  Cell cell() const;

  const std::shared_ptr<RecurrentLayer>& recurrent() const { return layer_.shared(); }

 private:
  Handle<RecurrentLayer> layer_;
};

/// Warns, once in a process, that an option accepted for old programs has no effect.
void warn_without_effect(const char* option);

/// The option use_cudnn: "auto", true or false. Accepted for compatibility; it has no effect.
class UseCudnn {
 public:
  UseCudnn() = default;
  UseCudnn(bool) : is_set_(true) {}
  /// Errors: InvalidArgument unless it is "auto".
  UseCudnn(const char* text);
  bool is_set() const { return is_set_; }

 private:
  bool is_set_ = false;
};

struct RNNOptions {  // options/layers.toml
  /// True: returns the outputs of all steps, [batch, time, ...]; false: that of the last step.
  bool return_sequences = false;
  /// True: returns the final states after the output.
  bool return_state = false;
  /// True: processes the sequence from its last step to the first.
  bool go_backwards = false;
  /// True: the final states of a batch are the initial states of the next, which must have as many rows.
  bool stateful = false;
  /// True: repeats the step in the program instead of a loop; compiles longer.
  bool unroll = false;
  /// True: masked steps give zeros; false: they repeat the output before.
  bool zero_output_for_mask = false;
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RNNOptions, return_sequences, return_state, go_backwards, stateful, unroll, zero_output_for_mask,
             activity_regularizer, name, trainable, dtype, input_shape)

/// Repeats a cell along a sequence. A list of cells is stacked (StackedRNNCells).
///
///     layers::RNN(layers::LSTMCell({.units = 8}), {.return_sequences = true})
///
/// Shapes:  [batch, time, ...] -> [batch, units] or [batch, time, units].
/// Errors:  InvalidArgument for an input of lower rank, a sequence without steps, initial states or masks of
///          other shapes, and a changed batch size of a stateful layer.
class RNN : public Recurrent {
 public:
  explicit RNN(const Cell& cell, const RNNOptions& options = {});
  explicit RNN(std::vector<Cell> cells, const RNNOptions& options = {})
      : RNN(StackedRNNCells(std::move(cells)), options) {}
  RNN(std::initializer_list<Cell> cells, const RNNOptions& options = {})
      : RNN(std::vector<Cell>(cells), options) {}
};

}  // namespace cornu::inline v0::keras::layers
