#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with reductions of pairs (element, index) that find the first largest or smallest element of long lines,
/// of which only the index is used, as two reductions of one tensor each: the extremum, and the least index of
/// an element that equals it. Their lanes run along the line. Null if there are none.
std::unique_ptr<ir::Function> split_index_reductions(const ir::Function& function);

}  // namespace cornu::inline v0::transform
