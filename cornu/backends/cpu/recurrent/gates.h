#pragma once

#include <cstdint>

#include "cornu/backends/cpu/recurrent/activations.h"
#include "cornu/base/cpu_info.h"

/// Elementwise operations in a step of a recurrent layer, for one batch element. Float32; n elements, or
/// `units` for each gate. A result may be the same memory as an operand, but must not overlap it otherwise.
namespace cornu::inline v0::backends::cpu::recurrent {

/// Gradient of an LSTM's output gate: of its value, and of the carry's activation.
struct LstmOutputGradient {
  const float* output = nullptr;     // the gate
  const float* activated = nullptr;  // the carry, activated
  const float* d_state = nullptr;
  float* d_output = nullptr;
  float* d_activated = nullptr;
};

/// Gradient of an LSTM's carry and the other gates.
struct LstmCarryGradient {
  const float* gates = nullptr;         // 4 * units: i, f, g, o
  const float* carry_before = nullptr;  // units
  const float* through_state = nullptr;
  float* d_carry = nullptr;  // in: after the step, out: before it
  float* d_gates = nullptr;  // 3 * units: those of i, f, g
};

/// Gradient of a GRU's state update.
struct GruStateGradient {
  const float* gates = nullptr;         // z, r, the candidate, ...
  const float* state_before = nullptr;  // units
  float* d_state = nullptr;   // in: after the step; out: before it, without the part through the gates
  float* d_update = nullptr;  // of z
  float* d_candidate = nullptr;
};

/// The functions of one instruction set level.
struct GateFunctions {
  using Map = void (*)(std::int64_t n, const float* x, float* y);

  /// y = activation(x), by Activation.
  Map activate[kNumActivations] = {};
  /// y *= the activation's slope at the value x, by Activation.
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

/// avx2 and avx512 give the same bits.
inline const GateFunctions& gate_functions(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: return sse2::kGates;
    case IsaLevel::kAvx2: return avx2::kGates;
    case IsaLevel::kAvx512: break;
  }
  return avx512::kGates;
}

}  // namespace cornu::inline v0::backends::cpu::recurrent
