#pragma once

#include "cornu/backends/cpu/kernels/bf16_gemm.h"

namespace cornu::inline v0::backends::cpu::kernels {

inline constexpr std::int64_t kBf16TileRows = 32;  // of c, that are computed together

/// The product of bf16_gemm() by AMX's tiles, on a CPU whose cpu_bf16_level() is kTiles.
///
/// Every element is a sum in float32, rounded to bf16 once, at its end. Sums are those of tdpbf16ps, which
/// adds 32 products at a time, those of even and of odd places apart and in rising order:
/// with even = fma(a[i][2 l], b[2 l][j], even) and odd = fma(a[i][2 l + 1], b[2 l + 1][j], odd), both from 0,
/// sum = sum + (even + odd). Products beyond k count as zeros. Rounding, chains and slices: as bf16_gemm().
///
/// Threads: safe; allocates nothing, uses up to 1.4 MiB of stack. The tiles of the thread are released.
void bf16_tile_gemm(const Bf16Operands& operands);

}  // namespace cornu::inline v0::backends::cpu::kernels
