#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with products that are no work for a matrix kernel as elementwise products: of one term, which need
/// no sum; of one row and one column; and of one row or one column, if the numbers are integers or complex. Loops
/// then compute them with what is around them. Null if there are none.
std::unique_ptr<ir::Function> multiply_thin_products(const ir::Function& function);

}  // namespace cornu::inline v0::transform
