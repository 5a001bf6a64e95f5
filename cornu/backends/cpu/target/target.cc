#include "cornu/backends/cpu/target/target.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/environment.h"

namespace cornu::inline v0::backends::cpu {

Target make_target(const std::string& isa) {
  const std::vector<IsaLevel> levels = cpu_isa_levels();
  const std::optional<IsaLevel> asked = isa.empty() ? default_isa_level() : isa_level_from_name(isa);
  if (!asked || std::find(levels.begin(), levels.end(), *asked) == levels.end()) {
    std::vector<std::string_view> names;
    names.reserve(levels.size());
    for (IsaLevel level : levels) names.push_back(isa_level_name(level));
    invalid_argument("[cpu] instruction set level \"{}\" is not one that this CPU has; it has: {}", isa,
                     fmt::join(names, ", "));
  }
  const bool winograd = !environment::direct_convolutions();
  switch (*asked) {
    case IsaLevel::kSse2: return {IsaLevel::kSse2, 4, 16, false, winograd};
    case IsaLevel::kAvx2: return {IsaLevel::kAvx2, 8, 16, true, winograd};
    case IsaLevel::kAvx512: break;
  }
  return {IsaLevel::kAvx512, 16, 32, true, winograd, default_bf16_level()};
}

}  // namespace cornu::inline v0::backends::cpu
