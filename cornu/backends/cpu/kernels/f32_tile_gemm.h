#pragma once

#include "cornu/backends/cpu/kernels/gemm.h"
#include "cornu/backends/cpu/target/target.h"

namespace cornu::inline v0::backends::cpu::kernels {

inline constexpr std::int64_t kF32TileRows = 32;    // of c, that are computed together
inline constexpr std::int64_t kF32TileDepth = 512;  // products of one chain of sums

/// True if the method is one of tiles and faster than vectors for a product of this shape.
bool f32_tiles_pay(F32Products method, std::int64_t m, std::int64_t n, std::int64_t k);

/// Columns of b that are packed together, in products of k terms.
std::int64_t f32_tile_block_columns(F32Products method, std::int64_t k);

/// The product of gemm() by AMX's tiles, on a CPU whose cpu_bf16_level() is kTiles; `method` is not kVectors.
/// The flags accumulate and add of `operands` must be false.
///
/// Operands are split into one to three bf16 parts, x = high + middle + low, each the rest rounded to nearest;
/// three parts hold every f32 exactly. kBf16x1 multiplies high parts. kBf16x3 adds high times middle and middle
/// times high; kBf16x6 also middle times middle, high times low and low times high. Sums are in f32: those of
/// tdpbf16ps (bf16_tile_gemm.h), in chains of kF32TileDepth products that are added in rising order.
///
/// Errors: apart from the rounding of sums at most 2^-7 (kBf16x1), 2^-15 (kBf16x3), 2^-22 (kBf16x6) of sum(|a|
/// |b|), which only operands of one pattern reach. Parts and products below 2^-126 count as zeros: for each
/// product another 2^-126 (2 |a| + 2 |b| + 6). Each 32 products of kBf16x6
/// round a running sum six times, those of gemm() 32 times.
///
/// Infinity and NaN are those of gemm(), except that a kBf16x3 or kBf16x1 operand within 2^-16 or 2^-8 of the
/// largest number may make an infinite product. Where a sum is NaN, the sum of the high parts alone decides, since
/// infinity times a part that is 0 is NaN.
///
/// An element's bits depend neither on how rows and columns are cut into slices nor on alignment.
///
/// Threads: safe; allocates nothing, uses up to 984 KiB of stack. The tiles of the thread are released.
void f32_tile_gemm(F32Products method, const GemmOperands& operands);

}  // namespace cornu::inline v0::backends::cpu::kernels
