#pragma once

#include <string>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu {

/// Method of matrix products of f32.
enum class F32Products {
  kVectors,  // multiply-adds of f32
  kBf16x1,   // operands rounded to bf16, by tiles
  kBf16x3,   // operands as two bf16 parts each, three products of parts by tiles
  kBf16x6,   // operands as three bf16 parts each, six products of parts by tiles
};

/// The instruction set level for generated code, and its properties.
struct Target {
  IsaLevel isa = IsaLevel::kAvx2;
  int lanes = 8;       // f32 lanes of a vector register
  int registers = 16;  // vector registers
  bool has_fma = true;
  bool winograd = true;  // Winograd's method may be used for convolutions
  Bf16Level bf16 = Bf16Level::kNone;
  F32Products f32 = F32Products::kVectors;

  /// True if bf16 is multiplied and rounded natively, by instructions of AVX512-BF16 at least.
  bool has_bf16_products() const { return bf16 != Bf16Level::kNone; }
};

/// The generic target of a level: the common properties of its CPUs.
Target level_target(IsaLevel level);

/// The target of a level by name; empty: the default level (the environment's or the best available). At
/// avx512 the CPU determines bf16 products, up to the level that the environment allows. The environment also
/// determines Winograd's method. Throws InvalidArgument, with this CPU's levels, for any other name.
Target make_target(const std::string& isa);

}  // namespace cornu::inline v0::backends::cpu
