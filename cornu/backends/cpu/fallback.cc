#include "cornu/backends/cpu/fallback.h"

#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

std::span<const Fallback> fallbacks() {
  static constexpr Fallback rows[] = {
      {"bitcast_convert", "between types of different widths"},
      {"convolution", "always"},
      {"reduce", "a body that uses values from outside or ops that are not elementwise"},
      {"reduce_window", "a body that uses values from outside or ops that are not elementwise"},
      {"scatter", "a body that uses values from outside or ops that are not elementwise"},
      {"select_and_scatter", "always"},
      {"sort", "always"},
  };
  return rows;
}

bool falls_back(const ir::Op& op) { return classify(op) == OpClass::kReference; }

}  // namespace cornu::inline v0::backends::cpu
