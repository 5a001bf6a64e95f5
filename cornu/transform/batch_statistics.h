#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with composites of batch normalization whose statistics take long as ops that read their tensor
/// once for both mean and variance (docs/adr/0180). Null if there are none.
std::unique_ptr<ir::Function> sum_statistics_in_one_pass(const ir::Function& function);

}  // namespace cornu::inline v0::transform
