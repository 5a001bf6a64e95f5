#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::case_folder {
std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "case", .rows = RowRule{.control = RowRule::Control::kBranches}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::case_folder
