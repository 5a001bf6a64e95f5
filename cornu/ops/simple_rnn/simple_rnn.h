#pragma once

#include <span>
#include <string>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

struct SimpleRnnOptions {  // options/ops.toml
  /// Activation of the new state, by its name.
  std::string activation = "tanh";
  /// True: runs from the last step to the first; each step's result stays at the step's position.
  bool go_backwards = false;
};

struct SimpleRnnResult {
  ir::Value states;  // [batch, time, units]: after each step, at its position
  ir::Value state;   // [batch, units]: after the last
};

/// A simple recurrent layer over whole sequences.
///
/// Semantics: h = activation(projected[:, t] + h . recurrent_kernel) for each step; where the mask is false h
///            stays.
/// Shapes:    projected (input . kernel + bias, for all steps): [batch, time, units]; recurrent_kernel:
///            [units, units]; initial: [batch, units]; mask (may be empty): [batch, time].
/// Types:     projected float, recurrent_kernel and initial the same; mask i1.
/// Errors:    InvalidArgument for other shapes and types, a sequence without steps, an unknown activation.
/// Gradient:  composite cornu.simple_rnn_gradient walks the other way; the kernel's is one product over all
///            steps after that.
/// Source:    Keras, SimpleRNN; composite cornu.simple_rnn.
SimpleRnnResult simple_rnn(ir::Builder& builder, ir::Value projected, ir::Value recurrent_kernel,
                           ir::Value initial, ir::Value mask = {}, const SimpleRnnOptions& options = {});

struct SimpleRnnGradientOperands {
  ir::Value recurrent_kernel;
  ir::Value states;
  ir::Value d_state;        // of the last state
  ir::Value d_states = {};  // of the states after each step; may be empty
  ir::Value mask = {};      // may be empty
};

struct SimpleRnnGradientResult {
  ir::Value d_projected;
  ir::Value d_initial;
};

/// The gradient of simple_rnn with respect to the projected input and the initial state: composite
/// cornu.simple_rnn_gradient.
SimpleRnnGradientResult simple_rnn_gradient(ir::Builder& builder, const SimpleRnnGradientOperands& operands,
                                            const SimpleRnnOptions& options = {});

namespace simple_rnn_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
