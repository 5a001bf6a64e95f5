#pragma once

#include <cstdint>

#include "cornu/backends/cpu/recurrent/activations.h"
#include "cornu/base/cpu_info.h"

/// What happens element by element in a step of a recurrent layer, for one row of the batch. Float32; n
/// elements, or `units` a gate. A result may be an operand itself but overlaps none otherwise.
namespace cornu::inline v0::backends::cpu::recurrent {

/// An LSTM's gradient past the output gate: d of its value, and of the carry's activation.
struct LstmOutputGradient {
  const float* output = nullptr;     // the gate
  const float* activated = nullptr;  // the carry, activated
  const float* d_state = nullptr;
  float* d_output = nullptr;
  float* d_activated = nullptr;
};

/// An LSTM's gradient past the carry.
struct LstmCarryGradient {
  const float* gates = nullptr;         // 4 * units: i, f, g, o
  const float* carry_before = nullptr;  // units
  const float* through_state = nullptr;
  float* d_carry = nullptr;  // in: behind the step, out: ahead of it
  float* d_gates = nullptr;  // 3 * units: of i, f, g
};

/// A GRU's gradient past the step from state to state.
struct GruStateGradient {
  const float* gates = nullptr;         // z, r, the candidate, ...
  const float* state_before = nullptr;  // units
  float* d_state = nullptr;   // in: behind the step, out: what reaches the state ahead of it past the gates
  float* d_update = nullptr;  // of z
  float* d_candidate = nullptr;
};

/// The functions of one instruction set level.
struct GateFunctions {
  using Map = void (*)(std::int64_t n, const float* x, float* y);

  /// y = activation(x), by Activation.
  Map activate[kNumActivations] = {};
  /// y *= the activation's slope where its value is x, by Activation.
  Map slope[kNumActivations] = {};
  /// y += x
  Map add = nullptr;
  /// z = x * y
  void (*multiply)(std::int64_t n, const float* x, const float* y, float* z) = nullptr;
  /// sum += x * y
  void (*multiply_add)(std::int64_t n, const float* x, const float* y, float* sum) = nullptr;
  /// carry = f * carry + i * g; gates: i, f, g.
  void (*lstm_carry)(std::int64_t units, const float* gates, float* carry) = nullptr;
  void (*lstm_output_gradient)(std::int64_t units, const LstmOutputGradient&) = nullptr;
  void (*lstm_carry_gradient)(std::int64_t units, const LstmCarryGradient&) = nullptr;
  /// state = z * state + (1 - z) * candidate; gates: z, r, the candidate.
  void (*gru_state)(std::int64_t units, const float* gates, float* state) = nullptr;
  void (*gru_state_gradient)(std::int64_t units, const GruStateGradient&) = nullptr;
};

namespace sse2 {
extern const GateFunctions kGates;
}
namespace avx2 {
extern const GateFunctions kGates;
}
namespace avx512 {
extern const GateFunctions kGates;
}

/// The bits of avx2 and avx512 are the same.
inline const GateFunctions& gate_functions(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: return sse2::kGates;
    case IsaLevel::kAvx2: return avx2::kGates;
    case IsaLevel::kAvx512: break;
  }
  return avx512::kGates;
}

}  // namespace cornu::inline v0::backends::cpu::recurrent
