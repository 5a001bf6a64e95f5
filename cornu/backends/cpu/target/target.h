#pragma once

#include <string>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu {

/// The instruction set level that code is made for, and what it offers.
struct Target {
  IsaLevel isa = IsaLevel::kAvx2;
  int lanes = 8;       // f32 lanes of a vector register
  int registers = 16;  // vector registers
  bool has_fma = true;
  bool winograd = true;  // convolutions may be computed by Winograd's method
  Bf16Level bf16 = Bf16Level::kNone;

  /// bf16 is multiplied and rounded as it is, by instructions of AVX512-BF16 at least.
  bool has_bf16_products() const { return bf16 != Bf16Level::kNone; }
};

/// The plain target of a level: what its CPUs have in common.
Target level_target(IsaLevel level);

/// The target of a level by name; empty: the default level (the environment's or the best there is). At
/// avx512 the CPU decides about bf16 products, up to the level that the environment allows. The environment
/// decides about Winograd's method too. Throws InvalidArgument, listing the levels that this CPU has, for any
/// other.
Target make_target(const std::string& isa);

}  // namespace cornu::inline v0::backends::cpu
