#include "cornu/backends/cpu/fallback.h"

#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

std::span<const Fallback> fallbacks() {
  static constexpr Fallback rows[] = {
      {"bitcast_convert", "between types of different widths"},
      {"reduce", "a body that uses values from outside or ops that are not elementwise"},
      {"reduce_window", "a body that uses values from outside or ops that are not elementwise"},
      {"scatter", "a body that uses values from outside or ops that are not elementwise"},
      {"select_and_scatter", "bodies that use values from outside or ops that are not elementwise"},
      {"sort", "a comparator that uses values from outside or ops that are not elementwise"},
  };
  return rows;
}

bool falls_back(const ir::Op& op) { return classify(op) == OpClass::kReference; }

}  // namespace cornu::inline v0::backends::cpu
