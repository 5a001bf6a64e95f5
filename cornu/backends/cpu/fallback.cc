#include "cornu/backends/cpu/fallback.h"

#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

namespace {

constexpr const char* kAlone =
    "always, for a replica that is alone; of several, transform::replicate makes plain ops";

}  // namespace

std::span<const Fallback> fallbacks() {
  static constexpr Fallback rows[] = {
      {"all_gather", kAlone},
      {"all_reduce", kAlone},
      {"all_to_all", kAlone},
      {"bitcast_convert", "between types of different widths"},
      {"collective_broadcast", kAlone},
      {"collective_permute", kAlone},
      {"partition_id", kAlone},
      {"reduce", "a body that uses values from outside or ops that are not elementwise"},
      {"reduce_window", "a body that uses values from outside or ops that are not elementwise"},
      {"reduce_scatter", kAlone},
      {"scatter", "a body that uses values from outside or ops that are not elementwise"},
      {"select_and_scatter", "bodies that use values from outside or ops that are not elementwise"},
      {"sort", "a comparator that uses values from outside or ops that are not elementwise"},
  };
  return rows;
}

bool falls_back(const ir::Op& op) { return classify(op) == OpClass::kReference; }

}  // namespace cornu::inline v0::backends::cpu
