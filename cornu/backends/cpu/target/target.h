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
  bool winograd = true;        // convolutions may be computed by Winograd's method
  bool bf16_products = false;  // AVX512-BF16: vdpbf16ps and vcvtneps2bf16
};

/// The target of a level by name; empty: the default level (the environment's or the best there is). At
/// avx512 the CPU decides about bf16 products. The environment decides about Winograd's method too. Throws
/// InvalidArgument, listing the levels that this CPU has, for any other.
Target make_target(const std::string& isa);

}  // namespace cornu::inline v0::backends::cpu
