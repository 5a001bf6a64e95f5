#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::clamp_folder {
std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "clamp", .rows = RowRule{.of = elementwise_rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::clamp_folder
