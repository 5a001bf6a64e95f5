#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// True for a batch_norm_training whose statistics take so long that one pass over x is worth a pass over a
/// part of it: many elements, channels last, and a mask of rows or none.
bool has_long_statistics(const ir::Op& op);

/// The results of a batch_norm_training with long statistics, by one pass over x.
///
/// Semantics: s is the mean of the first sixteenth of the rows; mean = s + sum(x - s) / n, variance =
///            sum((x - s)^2) / n - (mean - s)^2. The mean of a sixteenth is at most sqrt(15) standard deviations
///            from the mean of all, so rounding errors are at most 16 times those of squares of distances from
///            the mean, and as a rule the same.
std::vector<ir::Value> batch_norm_training_in_one_pass(ir::Builder& builder, const ir::Op& op,
                                                       std::span<const ir::Value> operands);

}  // namespace cornu::inline v0::ops
