#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform::while_folder {
std::span<const RowRule> row_rules() {
  static constexpr RowRule kRules[] = {
      {.op = "while", .control = RowRule::Control::kLoop},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::while_folder
