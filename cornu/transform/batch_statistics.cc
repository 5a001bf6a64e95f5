#include "cornu/transform/batch_statistics.h"

#include "cornu/ops/batch_norm_training/one_pass.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {

std::unique_ptr<ir::Function> sum_statistics_in_one_pass(const ir::Function& function) {
  return replace_matching(function, &ops::has_long_statistics, &ops::batch_norm_training_in_one_pass);
}

}  // namespace cornu::inline v0::transform
