#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0 {

/// Instruction set levels of kernels, in ascending order: each level includes those before it.
enum class IsaLevel {
  kSse2,    // baseline x86-64
  kAvx2,    // AVX2 and FMA
  kAvx512,  // AVX-512 F, BW, DQ and VL
};

/// "sse2", "avx2" or "avx512".
std::string_view isa_level_name(IsaLevel level);

/// The level with that name; empty for any other word.
std::optional<IsaLevel> isa_level_from_name(std::string_view name);

/// The highest level that this CPU and operating system support.
IsaLevel cpu_isa_level();

/// All levels that this CPU supports, in ascending order; never empty.
std::vector<IsaLevel> cpu_isa_levels();

/// The level that kernels use: the environment's (CORNU_ISA), at most what the CPU supports.
IsaLevel default_isa_level();

/// Instructions that multiply bf16 and add in float32, in ascending order: each level includes those before
/// it. They are independent of IsaLevel: CPUs with or without them have the level avx512.
enum class Bf16Level {
  kNone,
  kVectors,  // AVX512-BF16: pairs of products in vectors; rounds to bf16 in one instruction too
  kTiles,    // AMX-BF16: products of 16 x 32 by 32 x 16 matrices
};

/// "off", "vectors" or "tiles".
std::string_view bf16_level_name(Bf16Level level);

/// The level with that name; empty for any other word.
std::optional<Bf16Level> bf16_level_from_name(std::string_view name);

/// The highest level that this CPU and operating system support. The first call requests Linux's permission
/// to use tiles.
Bf16Level cpu_bf16_level();

/// The level that kernels use at the level avx512: the environment's (CORNU_BF16), at most what the CPU
/// supports. By default vectors are used on AMD's CPUs only: Intel's begin vdpbf16ps every second cycle only,
/// and multiply and add float32 twice as fast (measured on Sapphire Rapids).
Bf16Level default_bf16_level();

/// Name and caches of the CPU. A cache that is not reported is 0.
struct CpuInfo {
  std::string model_name;
  std::int64_t l1_data_cache_bytes = 0;  // of one core
  std::int64_t l2_cache_bytes = 0;       // of one core
  std::int64_t l3_cache_bytes = 0;       // shared
};

const CpuInfo& cpu_info();

}  // namespace cornu::inline v0
