#pragma once

#include <optional>

#include "cornu/keras/base/row_mask.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// Optional arguments of a layer call besides the inputs.
struct CallArguments {
  /// Unset: that of the enclosing call; false outside of any call.
  std::optional<bool> training = {};
  /// True for steps of the input that are not masked, i1 [batch, time]; undefined: the mask that the input
  /// carries.
  Tensor mask = {};
  /// The step's random counter (uint32 scalar). Undefined: a layer that needs one uses its own.
  Tensor random_counter = {};
  /// The batch's rows that are data. Undefined: those of the enclosing call; all rows outside of any call.
  RowMask rows = {};
  /// Attention layers only: each step attends to itself and to earlier steps.
  bool use_causal_mask = false;
  /// Attention layers only: returns the attention scores as a second output.
  bool return_attention_scores = false;
  /// ReversibleEmbedding only: projects features back to the numbers of rows of the table.
  bool reverse = false;
};

/// The context of a layer's call(), besides its inputs (which carry their masks).
struct CallContext {
  bool training = false;
  /// The step's random counter (uint32 scalar). Undefined: a layer that needs one uses its own.
  Tensor random_counter = {};
  /// Padding rows must not influence values that call() computes over the batch, such as an add_loss().
  RowMask rows = {};
  /// True if this call was given the mask of its first input, which does not just carry it.
  bool is_given_mask = false;
  /// From the CallArguments of this call, not of an enclosing one.
  bool use_causal_mask = false;
  bool return_attention_scores = false;
  bool reverse = false;
};

}  // namespace cornu::inline v0::keras
