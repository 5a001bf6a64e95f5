#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/rnn/rnn.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct ConvLSTMOptions {  // options/layers.toml
  /// Number of output channels and of those of the states; must be positive.
  std::int64_t filters = 0;
  /// Spatial extents of the kernel: one number, or one an axis; must be positive.
  ops::IntOrInts kernel_size = 0;
  /// Distance of neighbouring windows of the input's convolution in elements: one number, or one an axis;
  /// must be positive.
  ops::IntOrInts strides = 1;
  /// "valid": no padding of the input; "same": zeros so that the output has ceil(input / stride) elements.
  /// States always have "same".
  std::string padding = "valid";
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Distance of the kernel's elements in elements of the input: one number, or one an axis; 1: no gaps.
  /// Above 1, strides must be 1.
  ops::IntOrInts dilation_rate = 1;
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
  /// Share of the input's elements that are dropped while training, in [0, 1]; the same in every step.
  double dropout = 0.0;
  /// Share of the state's elements that are dropped while training, in [0, 1]; the same in every step.
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
CORNU_FIELDS(ConvLSTMOptions, filters, kernel_size, strides, padding, data_format, dilation_rate, activation,
             recurrent_activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
             unit_forget_bias, kernel_regularizer, recurrent_regularizer, bias_regularizer,
             activity_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout,
             recurrent_dropout, seed, return_sequences, return_state, go_backwards, stateful, unroll,
             zero_output_for_mask, name, trainable, dtype, input_shape)
using ConvLSTM1DOptions = ConvLSTMOptions;
using ConvLSTM2DOptions = ConvLSTMOptions;
using ConvLSTM3DOptions = ConvLSTMOptions;

/// An LSTM over sequences of images (2D), of rows (1D) or of volumes (3D), whose products are convolutions.
/// Masks, initial states and outputs: see Recurrent.
///
///     Tensor y = layers::ConvLSTM2D({.filters = 16, .kernel_size = 3, .padding = "same"})(video);
///
/// Let z[i] be the quarters, by channels, of conv(x, kernel) + conv(h, recurrent_kernel) + bias:
///
///     i, f, o = recurrent_activation(z[0]), recurrent_activation(z[1]), recurrent_activation(z[3])
///     c = f * c + i * activation(z[2])
///     h = o * activation(c)
///
/// Shapes:  [batch, time, spatial..., channels] -> [batch, windows..., filters], or with return_sequences
///          [batch, time, windows..., filters]; or with the channels before the spatial axes. States have the
///          shape of the last output. Weights: kernel [kernel_size..., channels, 4 * filters],
///          recurrent_kernel [kernel_size..., filters, 4 * filters], bias [4 * filters].
/// Errors:  InvalidArgument when filters, kernel_size, strides or dilation_rate is not positive, strides and
///          dilation_rate are both above 1, or a name is unknown; when building, if the spatial extents or
///          the channels are unknown, or the kernel is larger than the input ("valid"); those of RNN.
class ConvLSTM1D : public Recurrent {
 public:
  explicit ConvLSTM1D(const ConvLSTM1DOptions& options);
};
class ConvLSTM2D : public Recurrent {
 public:
  explicit ConvLSTM2D(const ConvLSTM2DOptions& options);
};
class ConvLSTM3D : public Recurrent {
 public:
  explicit ConvLSTM3D(const ConvLSTM3DOptions& options);
};

}  // namespace cornu::inline v0::keras::layers
