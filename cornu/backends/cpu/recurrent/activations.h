#pragma once

#include <cstddef>

namespace cornu::inline v0::backends::cpu::recurrent {

/// The activations of recurrent composites (ops/recurrent.h).
enum class Activation { kLinear, kTanh, kSigmoid, kRelu, kHardSigmoid };
inline constexpr std::size_t kNumActivations = static_cast<std::size_t>(Activation::kHardSigmoid) + 1;

}  // namespace cornu::inline v0::backends::cpu::recurrent
