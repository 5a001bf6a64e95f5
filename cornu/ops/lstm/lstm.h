#pragma once

#include <span>
#include <string>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

struct LstmOptions {  // options/ops.toml
  /// Activation of the new state, by its name.
  std::string activation = "tanh";
  /// Activation of the gates, by its name.
  std::string recurrent_activation = "sigmoid";
  /// True: runs from the last step to the first; each step's result stays at the step's position.
  bool go_backwards = false;
};

struct LstmOperands {
  ir::Value projected;  // input . kernel + bias, for all steps
  ir::Value recurrent_kernel;
  ir::Value hidden;  // the initial states
  ir::Value carry;
  ir::Value mask = {};  // may be empty
};

struct LstmResult {
  ir::Value states;   // [batch, time, units]: h after each step, at its position
  ir::Value hidden;   // [batch, units]: h and c after the last
  ir::Value carry;    //
  ir::Value carries;  // [batch, time, units]: c after each step
  ir::Value
      gates;  // [batch, time, 4 * units]: i, f, g, o of each step; what they are at masked steps is not said
};

/// A long short-term memory over whole sequences.
///
/// Semantics: at each step t, with z[i] the quarters of projected[:, t] + h . recurrent_kernel:
///            i, f, o = recurrent_activation(z[0]), recurrent_activation(z[1]), recurrent_activation(z[3])
///            g = activation(z[2])
///            c = f * c + i * g
///            h = o * activation(c)
///            Where the mask is false h and c stay.
/// Shapes:    projected: [batch, time, 4 * units]; recurrent_kernel: [units, 4 * units]; hidden, carry:
///            [batch, units]; mask: [batch, time].
/// Types:     projected float, the others the same; mask i1.
/// Errors:    InvalidArgument for other shapes and types, a sequence without steps, an unknown activation.
/// Gradient:  composite cornu.lstm_gradient walks the other way from the gates; the kernel's is one product
///            over all steps after that. Gradients of carries and gates go through the decomposition.
/// Source:    Keras, LSTM; composite cornu.lstm.
LstmResult lstm(ir::Builder& builder, const LstmOperands& operands, const LstmOptions& options = {});

struct LstmGradientOperands {
  ir::Value recurrent_kernel;
  ir::Value carry;  // the initial one
  ir::Value carries;
  ir::Value gates;
  ir::Value d_hidden;  // of the last states
  ir::Value d_carry;
  ir::Value d_states = {};  // of the states after each step; may be empty
  ir::Value mask = {};      // may be empty
};

struct LstmGradientResult {
  ir::Value d_projected;
  ir::Value d_hidden;  // of the initial states
  ir::Value d_carry;
};

/// The gradient of lstm with respect to the projected input and the initial states: composite
/// cornu.lstm_gradient.
LstmGradientResult lstm_gradient(ir::Builder& builder, const LstmGradientOperands& operands,
                                 const LstmOptions& options = {});

namespace lstm_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
