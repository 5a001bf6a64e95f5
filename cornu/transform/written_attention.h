#pragma once

#include <memory>

#include "cornu/ir/graph.h"
#include "cornu/transform/find_attention.h"

namespace cornu::inline v0::transform {

/// Copies a simplified function with each attention that is written out, softmax(scale * query . key) . value, as a
/// cornu.dot_product_attention, and its gradient, if it is there, as the gradient's composite: their kernels keep no
/// scores. Only for f32, where nothing else uses the scores and weights, and where it `pays`; results are rounded
/// otherwise. Null if there is none.
std::unique_ptr<ir::Function> join_written_attention(const ir::Function& function,
                                                     bool (*pays)(const WrittenAttention&));

}  // namespace cornu::inline v0::transform
