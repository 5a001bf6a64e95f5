#pragma once

#include <optional>
#include <string>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/rnn/rnn.h"

namespace cornu::inline v0::keras::layers {

class BidirectionalLayer;

struct BidirectionalOptions {  // options/layers.toml
  /// Combination of the two outputs: "concat", "sum", "mul" or "ave"; unset: two outputs.
  std::optional<std::string> merge_mode = "concat";
  /// Layer for the reversed sequence; unset: a new layer with the configuration of the first.
  Recurrent backward_layer = {};
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
CORNU_FIELDS(BidirectionalOptions, merge_mode, backward_layer, activity_regularizer, name, trainable, dtype,
             input_shape)

/// Processes a sequence in both directions by two layers and merges their outputs step by step.
///
///     layers::Bidirectional(layers::LSTM({.units = 64}))
///
/// Both are new layers ("forward_lstm", "backward_lstm") with their own weights; only a given backward_layer
/// is used directly.
/// Inputs:  those of the layer; initial states: the forward layer's, then the backward layer's.
/// Outputs: those of the layer; final states: those of both layers in the same order.
/// Masks:   with return_sequences masked steps give zero.
/// Errors:  InvalidArgument for an unknown merge_mode, layers that go the same way or differ in
///          return_sequences, return_state or stateful; Unimplemented for a user's cell without copy() if
///          there is no backward_layer.
class Bidirectional : public LayerHandle {
 public:
  explicit Bidirectional(const Recurrent& layer, const BidirectionalOptions& options = {});

  Recurrent forward_layer() const;
  Recurrent backward_layer() const;
  void reset_state() const;
  /// The old name of reset_state.
  void reset_states() const { reset_state(); }

 private:
  Handle<BidirectionalLayer> layer_;
};

}  // namespace cornu::inline v0::keras::layers
