#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::while_folder {
std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "while", .rows = RowRule{.control = RowRule::Control::kLoop}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::while_folder
