#pragma once

#include <span>
#include <string>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

struct GruOptions {  // options/ops.toml
  /// Activation of the new state, by its name.
  std::string activation = "tanh";
  /// Activation of the gates, by its name.
  std::string recurrent_activation = "sigmoid";
  /// True: the reset gate multiplies the product of the state and its kernel; false: it multiplies the state
  /// before that product.
  bool reset_after = true;
  /// True: runs from the last step to the first; each step's result stays at the step's position.
  bool go_backwards = false;
};

struct GruOperands {
  ir::Value projected;  // input . kernel + bias, for all steps
  ir::Value recurrent_kernel;
  ir::Value initial;
  ir::Value recurrent_bias = {};  // may be empty
  ir::Value mask = {};            // may be empty
};

struct GruResult {
  ir::Value states;  // [batch, time, units]: h after each step, at its position
  ir::Value state;   // [batch, units]: h after the last
  /// [batch, time, 3 or 4 * units]: z, r, the candidate and, with reset_after, h . kernel + bias after r.
  /// Their values at masked steps are not specified.
  ir::Value gates;
};

/// A gated recurrent unit over whole sequences.
///
/// Semantics: at each step, with p[i], k[i] and b[i] the thirds of projected, recurrent_kernel and
///            recurrent_bias (without one: 0):
///            z = recurrent_activation(p[0] + h . k[0] + b[0])
///            r = recurrent_activation(p[1] + h . k[1] + b[1])
///            candidate = activation(p[2] + r * (h . k[2] + b[2])), with reset_after
///            candidate = activation(p[2] + (r * h) . k[2]), without it
///            h = z * h + (1 - z) * candidate
///            Where the mask is false h stays.
/// Shapes:    projected: [batch, time, 3 * units]; recurrent_kernel: [units, 3 * units]; initial: [batch,
///            units]; recurrent_bias (only with reset_after): [3 * units]; mask: [batch, time].
/// Types:     projected float, the others the same; mask i1.
/// Errors:    InvalidArgument for other shapes and types, a sequence without steps, an unknown activation.
/// Gradient:  composite cornu.gru_gradient walks the other way from the gates; the kernel's is one product
///            over all steps after that. The gates' own goes through the decomposition.
/// Source:    Keras, GRU; composite cornu.gru.
GruResult gru(ir::Builder& builder, const GruOperands& operands, const GruOptions& options = {});

struct GruGradientOperands {
  ir::Value recurrent_kernel;
  ir::Value states_before;  // [batch, time, units]: ahead of each step
  ir::Value gates;
  ir::Value d_state;        // of the last state
  ir::Value d_states = {};  // of the states after each step; may be empty
  ir::Value mask = {};      // may be empty
};

struct GruGradientResult {
  ir::Value d_projected;
  ir::Value d_initial;
};

/// The gradient of gru with respect to the projected input and the initial state: composite
/// cornu.gru_gradient.
GruGradientResult gru_gradient(ir::Builder& builder, const GruGradientOperands& operands,
                               const GruOptions& options = {});

namespace gru_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
