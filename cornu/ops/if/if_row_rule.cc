#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform::if_folder {
std::span<const RowRule> row_rules() {
  static constexpr RowRule kRules[] = {
      {.op = "if", .control = RowRule::Control::kBranches},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::if_folder
