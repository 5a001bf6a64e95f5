#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/rnn/rnn.h"

namespace cornu::inline v0::keras::layers {

struct GRUCellOptions {  // options/layers.toml
  /// Number of features of the output; must be positive.
  std::int64_t units = 0;
  /// Activation function of the candidate state; empty: linear.
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
  /// True: the reset gate multiplies the recurrent product; false: the state before the product.
  bool reset_after = true;
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
CORNU_FIELDS(GRUCellOptions, units, activation, recurrent_activation, use_bias, kernel_initializer,
             recurrent_initializer, bias_initializer, kernel_regularizer, recurrent_regularizer,
             bias_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout,
             recurrent_dropout, reset_after, seed, implementation, name, trainable, dtype)

/// One step of a gated recurrent unit: state h.
///
/// Let p[i], k[i] and b[i] be the thirds of x . kernel + the input's bias, of recurrent_kernel, and of the
/// state's bias, which exists only with reset_after:
///
///     z = recurrent_activation(p[0] + h . k[0] + b[0])
///     r = recurrent_activation(p[1] + h . k[1] + b[1])
///     candidate = activation(p[2] + r * (h . k[2] + b[2]))   with reset_after
///     candidate = activation(p[2] + (r * h) . k[2])          without it
///     h = z * h + (1 - z) * candidate
///
/// Weights: kernel [features, 3 * units], recurrent_kernel [units, 3 * units], bias [3 * units], with
///          reset_after [2, 3 * units]: the input's and the state's.
/// Errors:  InvalidArgument unless units is positive, and for unknown names in options.
class GRUCell : public Cell {
 public:
  explicit GRUCell(const GRUCellOptions& options);
};

struct GRUOptions {  // options/layers.toml
  /// Number of features of the output; must be positive.
  std::int64_t units = 0;
  /// Activation function of the candidate state; empty: linear.
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
  /// True: the reset gate multiplies the recurrent product; false: the state before the product.
  bool reset_after = true;
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
CORNU_FIELDS(GRUOptions, units, activation, recurrent_activation, use_bias, kernel_initializer,
             recurrent_initializer, bias_initializer, kernel_regularizer, recurrent_regularizer,
             bias_regularizer, activity_regularizer, kernel_constraint, recurrent_constraint, bias_constraint,
             dropout, recurrent_dropout, seed, return_sequences, return_state, go_backwards, stateful, unroll,
             reset_after, use_cudnn, zero_output_for_mask, implementation, name, trainable, dtype,
             input_shape)

/// A gated recurrent unit over sequences, one GRUCell step after the other. Inputs, outputs and masks: see
/// Recurrent.
///
/// A loop of native steps (composite cornu.gru) processes the sequence if the activations are among linear,
/// tanh, sigmoid, relu and hard_sigmoid and states have no dropout; otherwise the cell is repeated.
/// Errors: InvalidArgument as for GRUCell and RNN.
class GRU : public Recurrent {
 public:
  explicit GRU(const GRUOptions& options);
};

}  // namespace cornu::inline v0::keras::layers
