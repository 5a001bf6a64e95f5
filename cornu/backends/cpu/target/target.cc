#include "cornu/backends/cpu/target/target.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/environment.h"

namespace cornu::inline v0::backends::cpu {

Target level_target(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: return {.isa = level, .lanes = 4, .registers = 16, .has_fma = false};
    case IsaLevel::kAvx2: return {.isa = level, .lanes = 8, .registers = 16};
    case IsaLevel::kAvx512: break;
  }
  return {.isa = level, .lanes = 16, .registers = 32};
}

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
  Target target = level_target(*asked);
  target.winograd = !environment::direct_convolutions();
  if (*asked == IsaLevel::kAvx512) target.bf16 = default_bf16_level();
  return target;
}

}  // namespace cornu::inline v0::backends::cpu
