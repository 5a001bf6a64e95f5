#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

/// What happens element by element in a step of a recurrent layer, for one row of the batch: gates and states from sums, and their
/// gradients. Activations are tanh and, of gates, sigmoid. Float32; `units` elements a gate. Results do not overlap operands unless said.
namespace cornu::inline v0::backends::cpu::recurrent {

struct LstmRow {
  const float* sums = nullptr;          // 4 * units
  const float* carry_before = nullptr;  // units
  float* gates = nullptr;               // 4 * units: i, f, g, o
  float* carry = nullptr;
  float* state = nullptr;
};

struct LstmGradientRow {
  const float* gates = nullptr;
  const float* carry_before = nullptr;
  const float* carry = nullptr;
  const float* d_state = nullptr;
  float* d_carry = nullptr;  // in: after the step, out: before it
  float* d_sums = nullptr;   // 4 * units
};

struct GruRow {
  const float* projected = nullptr;     // 3 * units
  const float* product = nullptr;       // 3 * units: of the state, with its bias
  const float* state_before = nullptr;  // units
  float* gates = nullptr;               // 4 * units: z, r, candidate, product's last third
  float* state = nullptr;
};

struct GruGradientRow {
  const float* gates = nullptr;
  const float* state_before = nullptr;
  float* d_state = nullptr;      // in: after the step, out: what reaches the state before it past the gates
  float* d_projected = nullptr;  // 3 * units
  float* d_product = nullptr;    // 3 * units
};

/// The functions of one instruction set level.
struct GateFunctions {
  void (*lstm)(std::int64_t units, const LstmRow&) = nullptr;
  void (*lstm_gradient)(std::int64_t units, const LstmGradientRow&) = nullptr;
  void (*gru)(std::int64_t units, const GruRow&) = nullptr;
  void (*gru_gradient)(std::int64_t units, const GruGradientRow&) = nullptr;
  /// state = tanh(sums)
  void (*simple)(std::int64_t units, const float* sums, float* state) = nullptr;
  /// d_sums = d_state * (1 - state^2)
  void (*simple_gradient)(std::int64_t units, const float* state, const float* d_state, float* d_sums) = nullptr;
  /// sum += x
  void (*add)(std::int64_t units, const float* x, float* sum) = nullptr;
};

namespace sse2 {
extern const GateFunctions kGates;
}
namespace avx2 {
extern const GateFunctions kGates;
}

/// AVX-512 has those of AVX2.
inline const GateFunctions& gate_functions(IsaLevel level) { return level == IsaLevel::kSse2 ? sse2::kGates : avx2::kGates; }

}  // namespace cornu::inline v0::backends::cpu::recurrent
