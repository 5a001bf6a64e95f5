#include "cornu/ops/operands.h"

#include <string>

#include "cornu/base/check.h"

namespace cornu::inline v0::ops {

void check_operands(const ir::InferContext& context, std::size_t min, std::size_t max) {
  const std::size_t count = context.operands.size();
  if (count >= min && count <= max) return;
  const std::string allowed = max == kAnyNumber ? fmt::format("at least {}", min)
                              : min == max      ? fmt::format("{}", min)
                                                : fmt::format("{} to {}", min, max);
  invalid_argument("takes {} operands; got {}", allowed, count);
}

}  // namespace cornu::inline v0::ops
