#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/rnn/rnn.h"

namespace cornu::inline v0::keras::layers {

struct SimpleRNNCellOptions {  // options/layers.toml
  /// Number of features of the output; must be positive.
  std::int64_t units = 0;
  /// Activation function: a name, an object or a callable; empty: linear.
  ActivationSpec activation = "tanh";
  /// True: adds a bias.
  bool use_bias = true;
  /// Initializer of the kernel.
  InitializerSpec kernel_initializer = "glorot_uniform";
  /// Initializer of the recurrent kernel.
  InitializerSpec recurrent_initializer = "orthogonal";
  /// Initializer of the bias.
  InitializerSpec bias_initializer = "zeros";
  /// Penalty on the kernel; empty: none.
  RegularizerSpec kernel_regularizer = {};
  /// Penalty on the recurrent kernel; empty: none.
  RegularizerSpec recurrent_regularizer = {};
  /// Penalty on the bias; empty: none.
  RegularizerSpec bias_regularizer = {};
  /// Projection of the kernel after each update; empty: none.
  ConstraintSpec kernel_constraint = {};
  /// Projection of the recurrent kernel after each update; empty: none.
  ConstraintSpec recurrent_constraint = {};
  /// Projection of the bias after each update; empty: none.
  ConstraintSpec bias_constraint = {};
  /// Share of the input's features that are dropped while training, in [0, 1]; the same in every step.
  double dropout = 0.0;
  /// Share of the state's features that are dropped while training, in [0, 1]; the same in every step.
  double recurrent_dropout = 0.0;
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(SimpleRNNCellOptions, units, activation, use_bias, kernel_initializer, recurrent_initializer,
             bias_initializer, kernel_regularizer, recurrent_regularizer, bias_regularizer, kernel_constraint,
             recurrent_constraint, bias_constraint, dropout, recurrent_dropout, seed, name, trainable, dtype)

/// One step of a simple recurrent layer. Output and state are h = activation(x . kernel + h .
/// recurrent_kernel + bias).
///
/// Weights: kernel [features, units], recurrent_kernel [units, units], bias [units].
/// Errors:  InvalidArgument unless units is positive, and for unknown names in options.
class SimpleRNNCell : public Cell {
 public:
  explicit SimpleRNNCell(const SimpleRNNCellOptions& options);
};

struct SimpleRNNOptions {  // options/layers.toml
  /// Number of features of the output; must be positive.
  std::int64_t units = 0;
  /// Activation function: a name, an object or a callable; empty: linear.
  ActivationSpec activation = "tanh";
  /// True: adds a bias.
  bool use_bias = true;
  /// Initializer of the kernel.
  InitializerSpec kernel_initializer = "glorot_uniform";
  /// Initializer of the recurrent kernel.
  InitializerSpec recurrent_initializer = "orthogonal";
  /// Initializer of the bias.
  InitializerSpec bias_initializer = "zeros";
  /// Penalty on the kernel; empty: none.
  RegularizerSpec kernel_regularizer = {};
  /// Penalty on the recurrent kernel; empty: none.
  RegularizerSpec recurrent_regularizer = {};
  /// Penalty on the bias; empty: none.
  RegularizerSpec bias_regularizer = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Projection of the kernel after each update; empty: none.
  ConstraintSpec kernel_constraint = {};
  /// Projection of the recurrent kernel after each update; empty: none.
  ConstraintSpec recurrent_constraint = {};
  /// Projection of the bias after each update; empty: none.
  ConstraintSpec bias_constraint = {};
  /// Share of the input's features that are dropped while training, in [0, 1]; the same in every step.
  double dropout = 0.0;
  /// Share of the state's features that are dropped while training, in [0, 1]; the same in every step.
  double recurrent_dropout = 0.0;
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
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
CORNU_FIELDS(SimpleRNNOptions, units, activation, use_bias, kernel_initializer, recurrent_initializer,
             bias_initializer, kernel_regularizer, recurrent_regularizer, bias_regularizer,
             activity_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout,
             recurrent_dropout, seed, return_sequences, return_state, go_backwards, stateful, unroll,
             zero_output_for_mask, name, trainable, dtype, input_shape)

/// A simple recurrent layer over sequences, one SimpleRNNCell step after the other. Inputs, outputs and
/// masks: see Recurrent.
///
/// A loop of native steps (composite cornu.simple_rnn) processes the sequence if the activations are among
/// linear, tanh, sigmoid, relu and hard_sigmoid and states have no dropout; otherwise the cell is repeated.
/// Errors: InvalidArgument as for SimpleRNNCell and RNN.
class SimpleRNN : public Recurrent {
 public:
  explicit SimpleRNN(const SimpleRNNOptions& options);
};

}  // namespace cornu::inline v0::keras::layers
