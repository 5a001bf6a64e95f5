#pragma once

#include <span>
#include <string>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The ids, after the rows that they name have their initial values.
///
/// The rows of a table in a file get their initial values when they are first named. A read of such rows uses
/// the result of this op in place of the ids, and so comes after it.
///
/// Semantics: result = ids. The CPU engine first initializes the rows of `table`, an argument of the step, in
///            its file; an id outside of the table counts as its first or last row.
/// Shapes:    table [n, ...], ids [...]  ->  [...]
/// Types:     table: any; ids: i32 or i64; the result has their dtype.
/// Errors:    InvalidArgument when table has no rows or ids have another dtype. In an execution:
///            ResourceExhausted if the disk is full; FailedPrecondition if `name` is not empty and the table
///            is not in a file.
/// Gradient:  none.
/// Source:    composite cornu.initialize_rows.
///
/// `name`: the table's name, for errors; empty: the table may be in memory.
ir::Value initialize_rows(ir::Builder& builder, ir::Value table, ir::Value ids, const std::string& name);

namespace initialize_rows_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
