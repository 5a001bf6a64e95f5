#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/rnn/rnn.h"

namespace cornu::inline v0::keras::layers {

struct SimpleRNNCellOptions {
  std::int64_t units = 0;
  ActivationSpec activation = "tanh";
  bool use_bias = true;
  InitializerSpec kernel_initializer = "glorot_uniform";
  InitializerSpec recurrent_initializer = "orthogonal";
  InitializerSpec bias_initializer = "zeros";
  RegularizerSpec kernel_regularizer = {};
  RegularizerSpec recurrent_regularizer = {};
  RegularizerSpec bias_regularizer = {};
  ConstraintSpec kernel_constraint = {};
  ConstraintSpec recurrent_constraint = {};
  ConstraintSpec bias_constraint = {};
  double dropout = 0.0;            // of the input: the same features in every step
  double recurrent_dropout = 0.0;  // of the state
  std::optional<std::uint64_t> seed = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(SimpleRNNCellOptions, units, activation, use_bias, kernel_initializer, recurrent_initializer,
             bias_initializer, kernel_regularizer, recurrent_regularizer, bias_regularizer, kernel_constraint,
             recurrent_constraint, bias_constraint, dropout, recurrent_dropout, seed, name, trainable, dtype)

/// One step of a simple recurrent layer: h = activation(x . kernel + h . recurrent_kernel + bias) is output
/// and state.
///
/// Weights: kernel [features, units], recurrent_kernel [units, units], bias [units].
/// Errors:  InvalidArgument unless units is positive, and for unknown names in options.
class SimpleRNNCell : public Cell {
 public:
  explicit SimpleRNNCell(const SimpleRNNCellOptions& options);
};

struct SimpleRNNOptions {
  std::int64_t units = 0;
  ActivationSpec activation = "tanh";
  bool use_bias = true;
  InitializerSpec kernel_initializer = "glorot_uniform";
  InitializerSpec recurrent_initializer = "orthogonal";
  InitializerSpec bias_initializer = "zeros";
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
  bool stateful = false;  // see RNNOptions
  bool unroll = false;    // see RNNOptions
  bool zero_output_for_mask = false;
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(SimpleRNNOptions, units, activation, use_bias, kernel_initializer, recurrent_initializer,
             bias_initializer, kernel_regularizer, recurrent_regularizer, bias_regularizer,
             activity_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout,
             recurrent_dropout, seed, return_sequences, return_state, go_backwards, stateful, unroll,
             zero_output_for_mask, name, trainable, dtype, input_shape)

/// A simple recurrent layer over sequences: SimpleRNNCell step by step. Inputs, outputs and masks: see
/// Recurrent.
///
/// A loop of native steps (composite cornu.simple_rnn) walks the sequence when the activations are among
/// linear, tanh, sigmoid, relu and hard_sigmoid and no states are dropped; else the cell is repeated.
/// Errors: InvalidArgument as SimpleRNNCell and RNN.
class SimpleRNN : public Recurrent {
 public:
  explicit SimpleRNN(const SimpleRNNOptions& options);
};

}  // namespace cornu::inline v0::keras::layers
