#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/rnn/rnn.h"

namespace cornu::inline v0::keras::layers {

struct GRUCellOptions {
  std::int64_t units = 0;
  ActivationSpec activation = "tanh";
  ActivationSpec recurrent_activation = "sigmoid";
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
  bool reset_after = true;         // the reset gate acts on the product of the state with its kernel
  std::optional<std::uint64_t> seed = {};
  std::optional<int> implementation = {};  // understood; has no effect
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(GRUCellOptions, units, activation, recurrent_activation, use_bias, kernel_initializer,
             recurrent_initializer, bias_initializer, kernel_regularizer, recurrent_regularizer,
             bias_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout,
             recurrent_dropout, reset_after, seed, implementation, name, trainable, dtype)

/// One step of a gated recurrent unit: state h.
///
/// With p[i], k[i] and b[i] the thirds of x . kernel + the input's bias, of recurrent_kernel and of the
/// state's bias, which only reset_after has:
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

struct GRUOptions {
  std::int64_t units = 0;
  ActivationSpec activation = "tanh";
  ActivationSpec recurrent_activation = "sigmoid";
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
  bool reset_after = true;
  UseCudnn use_cudnn = {};  // understood; has no effect
  bool zero_output_for_mask = false;
  std::optional<int> implementation = {};  // understood; has no effect
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(GRUOptions, units, activation, recurrent_activation, use_bias, kernel_initializer,
             recurrent_initializer, bias_initializer, kernel_regularizer, recurrent_regularizer,
             bias_regularizer, activity_regularizer, kernel_constraint, recurrent_constraint, bias_constraint,
             dropout, recurrent_dropout, seed, return_sequences, return_state, go_backwards, stateful, unroll,
             reset_after, use_cudnn, zero_output_for_mask, implementation, name, trainable, dtype,
             input_shape)

/// A gated recurrent unit over sequences: GRUCell step by step. Inputs, outputs and masks: see Recurrent.
///
/// A loop of native steps (composite cornu.gru) walks the sequence when the activations are among linear,
/// tanh, sigmoid, relu and hard_sigmoid and no states are dropped; else the cell is repeated.
/// Errors: InvalidArgument as GRUCell and RNN.
class GRU : public Recurrent {
 public:
  explicit GRU(const GRUOptions& options);
};

}  // namespace cornu::inline v0::keras::layers
