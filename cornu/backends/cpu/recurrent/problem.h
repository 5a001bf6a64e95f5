#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "cornu/backends/cpu/recurrent/activations.h"
#include "cornu/ir/graph.h"

/// The parameters of a recurrent composite for its kernel, read once from the op. docs/adr/0010 has the
/// composites' contract.
namespace cornu::inline v0::backends::cpu::recurrent {

enum class Cell { kSimple, kGru, kLstm };

/// The role of an operand or a result. "Last" means after the last executed step.
enum class Role {
  kProjected,     // [batch, time, gates * units], like all stacked tensors
  kKernel,        // [units, gates * units]
  kState,         // [batch, units]: the initial one
  kCarry,         //
  kBias,          // [gates * units]: added to the recurrent product
  kMask,          // [batch, time]
  kStates,        // [batch, time, units]: after each step
  kStatesBefore,  // before each step
  kCarries,       // after each step
  kGates,         // gate values for the gradient
  kLastState,     // [batch, units]
  kLastCarry,     //
  kDLastState,    // gradients of the results
  kDLastCarry,    //
  kDStates,       //
  kDProjected,    // gradients of the operands
  kDState,        //
  kDCarry,        //
};
inline constexpr std::size_t kNumRoles = static_cast<std::size_t>(Role::kDCarry) + 1;

struct RecurrentProblem {
  static constexpr int kAbsent = -1;

  Cell cell = Cell::kSimple;
  bool is_gradient = false;
  bool goes_back = false;        // from the last step to the first
  bool reset_after = false;      // of a GRU
  std::int64_t num_gates = 1;    // widths of the recurrent kernel in units
  std::int64_t saved_gates = 0;  // widths of the gates stored for the gradient
  std::int64_t batch = 0, time = 0, units = 0;
  Activation activation = Activation::kTanh, recurrent_activation = Activation::kSigmoid;
  std::array<int, kNumRoles> tensors = {};  // an operand's or result's number, or kAbsent

  int tensor(Role role) const { return tensors[static_cast<std::size_t>(role)]; }
  bool has(Role role) const { return tensor(role) != kAbsent; }
};

/// A composite as its folder in ops/ defines it. kBias, kDStates and kMask are operands that may be missing.
struct Composite {
  Cell cell = Cell::kSimple;
  bool is_gradient = false;
  std::int64_t num_gates = 1;
  std::span<const Role> operands, results;
};

/// Empty if no kernel supports it: a type other than f32, or nothing to compute.
std::optional<RecurrentProblem> problem_of(const ir::Op& op, const Composite& composite);

}  // namespace cornu::inline v0::backends::cpu::recurrent
