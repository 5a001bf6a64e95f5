#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform::case_folder {
std::span<const RowRule> row_rules() {
  static constexpr RowRule kRules[] = {
      {.op = "case", .control = RowRule::Control::kBranches},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::case_folder
