#include "cornu/base/cpu_info.h"

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include "cornu/base/environment.h"

namespace cornu::inline v0 {
namespace {

constexpr std::array<std::string_view, 3> kLevelNames = {"sse2", "avx2", "avx512"};
constexpr std::array<std::string_view, 3> kBf16LevelNames = {"off", "vectors", "tiles"};

template <typename Level>
std::optional<Level> from_name(const std::array<std::string_view, 3>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Level>(found - names.begin());
}

bool is_by_amd() {
  __builtin_cpu_init();
  return __builtin_cpu_is("amd") != 0;
}

/// True if the CPU has AMX-BF16 and Linux (5.16 or later) lets this process use it. Signal handlers then need
/// 8 KiB more on a thread's stack.
bool may_use_tiles() {
  constexpr unsigned kFeatures = 7, kTilesBf16 = 1U << 22, kTiles = 1U << 24;  // of edx
  constexpr long kRequestPermission = 0x1023, kTileData = 18;                  // of arch_prctl(2), of XCR0
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(kFeatures, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  if ((edx & kTilesBf16) == 0 || (edx & kTiles) == 0) return false;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

std::string read_model_name() {
  unsigned max_leaf = 0, unused = 0;
  if (__get_cpuid(0x80000000u, &max_leaf, &unused, &unused, &unused) == 0 || max_leaf < 0x80000004u)
    return "unknown CPU";
  std::array<unsigned, 12> words{};
  for (unsigned i = 0; i < 3; ++i) {
    __get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3]);
  }
  std::array<char, 49> text{};
  std::memcpy(text.data(), words.data(), 48);
  std::string_view name(text.data());
  while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return std::string(name);
}

// Parses "32K", "1024K", "32768K". Unlike sysconf, the kernel reports this machine's part of a shared cache.
std::int64_t read_cache_bytes(int level, int fallback_name) {
  const std::string directory = "/sys/devices/system/cpu/cpu0/cache/index";
  for (int index = 0; index < 8; ++index) {
    const std::string prefix = directory + std::to_string(index) + "/";
    int found_level = 0;
    std::string type;
    std::int64_t kib = 0;
    if (!(std::ifstream(prefix + "level") >> found_level) || !(std::ifstream(prefix + "type") >> type)) break;
    if (found_level == level && type != "Instruction" && (std::ifstream(prefix + "size") >> kib))
      return kib * 1024;
  }
  return std::max<std::int64_t>(0, sysconf(fallback_name));
}

}  // namespace

std::string_view isa_level_name(IsaLevel level) { return kLevelNames[static_cast<std::size_t>(level)]; }

std::optional<IsaLevel> isa_level_from_name(std::string_view name) {
  return from_name<IsaLevel>(kLevelNames, name);
}

IsaLevel cpu_isa_level() {
  // These built-ins also check that the operating system saves the wide registers.
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return IsaLevel::kSse2;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return avx512 ? IsaLevel::kAvx512 : IsaLevel::kAvx2;
}

std::string_view bf16_level_name(Bf16Level level) { return kBf16LevelNames[static_cast<std::size_t>(level)]; }

std::optional<Bf16Level> bf16_level_from_name(std::string_view name) {
  return from_name<Bf16Level>(kBf16LevelNames, name);
}

Bf16Level cpu_bf16_level() {
  static const bool has_tiles = may_use_tiles();
  if (cpu_isa_level() != IsaLevel::kAvx512 || !__builtin_cpu_supports("avx512bf16")) return Bf16Level::kNone;
  return has_tiles ? Bf16Level::kTiles : Bf16Level::kVectors;
}

Bf16Level default_bf16_level() {
  const Bf16Level best = cpu_bf16_level();
  if (const std::optional<Bf16Level> asked = environment::bf16_level()) return std::min(best, *asked);
  return best == Bf16Level::kVectors && !is_by_amd() ? Bf16Level::kNone : best;
}

std::vector<IsaLevel> cpu_isa_levels() {
  std::vector<IsaLevel> levels;
  for (int level = 0; level <= static_cast<int>(cpu_isa_level()); ++level)
    levels.push_back(static_cast<IsaLevel>(level));
  return levels;
}

IsaLevel default_isa_level() {
  return std::min(cpu_isa_level(), environment::isa_level().value_or(IsaLevel::kAvx512));
}

const CpuInfo& cpu_info() {
  static const auto& info = *new const CpuInfo{read_model_name(), read_cache_bytes(1, _SC_LEVEL1_DCACHE_SIZE),
                                               read_cache_bytes(2, _SC_LEVEL2_CACHE_SIZE),
                                               read_cache_bytes(3, _SC_LEVEL3_CACHE_SIZE)};
  return info;
}

}  // namespace cornu::inline v0
