#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// True for rows of i32 or i64 ids added to a table of zeros of at least 1 MiB, at most half of whose rows are
/// named, or any number of rows if the table is kept in a file (cornu.initialize_rows) or the ids are those of
/// cornu.sharded_row_sums: the gradient of a large embedding. Smaller tables fit in the caches anyway.
bool is_sparse_gradient(const ir::Op& op);

/// Restricts updates of large tables to the rows that a batch names.
///
/// The gradient of a table that is read by ids is zeros with rows added. Where all values computed from it
/// keep each row of the step's arguments whose gradient is zero (SGD, Adagrad, any update under a select of
/// touched rows), a copy of `step` reads the named rows only, computes on these, and writes them back. The
/// bits are those of `step`, except that an update of NaN by zero (0 / 0) does not happen, sums over the whole
/// gradient add in another order, and -0 + 0 stays -0.
///
/// `step` has no composites. Returns null if it has no such table (is_sparse_gradient).
std::unique_ptr<ir::Function> update_named_rows(const ir::Function& step);

}  // namespace cornu::inline v0::transform
