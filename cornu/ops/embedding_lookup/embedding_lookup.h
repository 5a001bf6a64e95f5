#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The rows of a table by their ids.
///
/// Semantics: result[i..., :] = table[clamp(0, ids[i...], n - 1), :].
/// Shapes:    table [n, d...], ids [i...]  ->  [i..., d...]
/// Types:     table: float, the result's; ids: any integer.
/// Errors:    InvalidArgument when table is no float, has no rows, or ids are no integers.
/// Gradient:  table: embedding_lookup_gradient; none for ids. A clamped id gives its gradient to the row that
///            was read.
/// Source:    Keras, Embedding; composite cornu.embedding_lookup.
ir::Value embedding_lookup(ir::Builder& builder, ir::Value table, ir::Value ids);

/// The gradient of embedding_lookup's table: one row a row of the table, the sum of the gradients of all ids
/// that read it.
///
/// Semantics: result[r, :] = sum(gradients[i..., :] where clamp(0, ids[i...], num_rows - 1) = r); 0 for a row
///            that no id names.
/// Shapes:    gradients [i..., d...], ids [i...]  ->  [num_rows, d...]
/// Types:     gradients: float, the result's; ids: any integer. f16 and bf16 are summed in f32 and rounded
///            once.
/// Errors:    InvalidArgument when gradients is no float, ids are no integers, their extents are not
///            gradients' first ones, or num_rows is not positive.
/// Gradient:  gradients: embedding_lookup of the incoming gradient; none for ids.
/// Source:    composite cornu.embedding_lookup_gradient.
ir::Value embedding_lookup_gradient(ir::Builder& builder, ir::Value gradients, ir::Value ids,
                                    std::int64_t num_rows);

namespace embedding_lookup_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
