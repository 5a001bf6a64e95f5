#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/rnn/rnn.h"

namespace cornu::inline v0::keras::layers {

struct LSTMCellOptions {  // options/layers.toml
  /// Number of features of the output; must be positive.
  std::int64_t units = 0;
  /// Activation function of the candidate and of the cell state; empty: linear.
  ActivationSpec activation = "tanh";
  /// Activation function of the gates; empty: linear.
  ActivationSpec recurrent_activation = "sigmoid";
  /// True: adds a bias.
  bool use_bias = true;
  /// Initializer of the kernel.
  InitializerSpec kernel_initializer = "glorot_uniform";
  /// Initializer of the recurrent kernel.
  InitializerSpec recurrent_initializer = "orthogonal";
  /// Initializer of the bias.
  InitializerSpec bias_initializer = "zeros";
  /// True: the bias of the forget gate starts at 1.
  bool unit_forget_bias = true;
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
  /// Accepted for old programs; has no effect.
  std::optional<int> implementation = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(LSTMCellOptions, units, activation, recurrent_activation, use_bias, kernel_initializer,
             recurrent_initializer, bias_initializer, unit_forget_bias, kernel_regularizer,
             recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint,
             bias_constraint, dropout, recurrent_dropout, seed, implementation, name, trainable, dtype)

/// One step of a long short-term memory: states h and c.
///
/// Let z[i] be the quarters of x . kernel + h . recurrent_kernel + bias:
///
///     i, f, o = recurrent_activation(z[0]), recurrent_activation(z[1]), recurrent_activation(z[3])
///     g = activation(z[2])
///     c = f * c + i * g
///     h = o * activation(c)
///
/// Weights: kernel [features, 4 * units], recurrent_kernel [units, 4 * units], bias [4 * units].
/// Errors:  InvalidArgument unless units is positive, and for unknown names in options.
class LSTMCell : public Cell {
 public:
  explicit LSTMCell(const LSTMCellOptions& options);
};

struct LSTMOptions {  // options/layers.toml
  /// Number of features of the output; must be positive.
  std::int64_t units = 0;
  /// Activation function of the candidate and of the cell state; empty: linear.
  ActivationSpec activation = "tanh";
  /// Activation function of the gates; empty: linear.
  ActivationSpec recurrent_activation = "sigmoid";
  /// True: adds a bias.
  bool use_bias = true;
  /// Initializer of the kernel.
  InitializerSpec kernel_initializer = "glorot_uniform";
  /// Initializer of the recurrent kernel.
  InitializerSpec recurrent_initializer = "orthogonal";
  /// Initializer of the bias.
  InitializerSpec bias_initializer = "zeros";
  /// True: the bias of the forget gate starts at 1.
  bool unit_forget_bias = true;
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
  /// Accepted for old programs; has no effect.
  UseCudnn use_cudnn = {};
  /// True: masked steps give zeros; false: they repeat the output before.
  bool zero_output_for_mask = false;
  /// Accepted for old programs; has no effect.
  std::optional<int> implementation = {};
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
CORNU_FIELDS(LSTMOptions, units, activation, recurrent_activation, use_bias, kernel_initializer,
             recurrent_initializer, bias_initializer, unit_forget_bias, kernel_regularizer,
             recurrent_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
             recurrent_constraint, bias_constraint, dropout, recurrent_dropout, seed, return_sequences,
             return_state, go_backwards, stateful, unroll, use_cudnn, zero_output_for_mask, implementation,
             name, trainable, dtype, input_shape)

/// A long short-term memory over sequences, one LSTMCell step after the other. Inputs, outputs and masks: see
/// Recurrent.
///
///     Tensor y = layers::LSTM({.units = 64, .return_sequences = true})(x);
///
/// A loop of native steps (composite cornu.lstm) processes the sequence if the activations are among linear,
/// tanh, sigmoid, relu and hard_sigmoid and states have no dropout; otherwise the cell is repeated.
/// Errors: InvalidArgument as for LSTMCell and RNN.
class LSTM : public Recurrent {
 public:
  explicit LSTM(const LSTMOptions& options);
};

}  // namespace cornu::inline v0::keras::layers
