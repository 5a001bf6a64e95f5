#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform::clamp_folder {
std::span<const RowRule> row_rules() {
  static constexpr RowRule kRules[] = {
      {.op = "clamp", .of = elementwise_rule},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::clamp_folder
