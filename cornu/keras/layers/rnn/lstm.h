#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/rnn/rnn.h"

namespace cornu::inline v0::keras::layers {

struct LSTMCellOptions {
  std::int64_t units = 0;
  ActivationSpec activation = "tanh";
  ActivationSpec recurrent_activation = "sigmoid";
  bool use_bias = true;
  InitializerSpec kernel_initializer = "glorot_uniform";
  InitializerSpec recurrent_initializer = "orthogonal";
  InitializerSpec bias_initializer = "zeros";
  bool unit_forget_bias = true;  // the forget gate's bias begins with ones
  RegularizerSpec kernel_regularizer = {};
  RegularizerSpec recurrent_regularizer = {};
  RegularizerSpec bias_regularizer = {};
  ConstraintSpec kernel_constraint = {};
  ConstraintSpec recurrent_constraint = {};
  ConstraintSpec bias_constraint = {};
  double dropout = 0.0;            // of the input: the same features in every step
  double recurrent_dropout = 0.0;  // of the state
  std::optional<std::uint64_t> seed = {};
  std::optional<int> implementation = {};  // understood; has no effect
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(LSTMCellOptions, units, activation, recurrent_activation, use_bias, kernel_initializer,
             recurrent_initializer, bias_initializer, unit_forget_bias, kernel_regularizer,
             recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint,
             bias_constraint, dropout, recurrent_dropout, seed, implementation, name, trainable, dtype)

/// One step of a long short-term memory: states h and c.
///
/// With z[i] the quarters of x . kernel + h . recurrent_kernel + bias:
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

struct LSTMOptions {
  std::int64_t units = 0;
  ActivationSpec activation = "tanh";
  ActivationSpec recurrent_activation = "sigmoid";
  bool use_bias = true;
  InitializerSpec kernel_initializer = "glorot_uniform";
  InitializerSpec recurrent_initializer = "orthogonal";
  InitializerSpec bias_initializer = "zeros";
  bool unit_forget_bias = true;  // the forget gate's bias begins with ones
  RegularizerSpec kernel_regularizer = {};
  RegularizerSpec recurrent_regularizer = {};
  RegularizerSpec bias_regularizer = {};
  RegularizerSpec activity_regularizer = {};
  ConstraintSpec kernel_constraint = {};
  ConstraintSpec recurrent_constraint = {};
  ConstraintSpec bias_constraint = {};
  double dropout = 0.0;            // of the input: the same features in every step
  double recurrent_dropout = 0.0;  // of the state
  std::optional<std::uint64_t> seed = {};
  bool return_sequences = false;
  bool return_state = false;
  bool go_backwards = false;
  bool stateful = false;    // see RNNOptions
  bool unroll = false;      // see RNNOptions
  UseCudnn use_cudnn = {};  // understood; has no effect
  bool zero_output_for_mask = false;
  std::optional<int> implementation = {};  // understood; has no effect
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(LSTMOptions, units, activation, recurrent_activation, use_bias, kernel_initializer,
             recurrent_initializer, bias_initializer, unit_forget_bias, kernel_regularizer,
             recurrent_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
             recurrent_constraint, bias_constraint, dropout, recurrent_dropout, seed, return_sequences,
             return_state, go_backwards, stateful, unroll, use_cudnn, zero_output_for_mask, implementation,
             name, trainable, dtype, input_shape)

/// A long short-term memory over sequences: LSTMCell step by step. Inputs, outputs and masks: see Recurrent.
///
///     Tensor y = layers::LSTM({.units = 64, .return_sequences = true})(x);
///
/// A loop of native steps (composite cornu.lstm) walks the sequence when the activations are among linear,
/// tanh, sigmoid, relu and hard_sigmoid and no states are dropped; else the cell is repeated.
/// Errors: InvalidArgument as LSTMCell and RNN.
class LSTM : public Recurrent {
 public:
  explicit LSTM(const LSTMOptions& options);
};

}  // namespace cornu::inline v0::keras::layers
