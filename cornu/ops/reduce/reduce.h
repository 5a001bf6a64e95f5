#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Builds a reduction's body: gets 2N scalars (N accumulated values, then N elements), returns N.
using ReduceBody = std::function<std::vector<ir::Value>(ir::Builder&, std::span<const ir::Value>)>;

/// Combines the elements along some dimensions by a function that must be associative; the order is not
/// specified.
///
/// Semantics: results[.., without `dimensions`] = body(... body(init_values, inputs[first]) ...,
///            inputs[last]).
/// Shapes:    inputs: N tensors of one shape; init_values: N scalars; results: the shape without
///            `dimensions`.
/// Types:     any; inputs[k], init_values[k] and results[k] share a dtype.
/// Errors:    InvalidArgument when
///            (C1) shapes differ,
///            (C2) dtypes of an input and its init differ,
///            (C3) there is no input, or not one init an input,
///            (C4) a dimension is outside [0, rank),
///            (C5) dimensions repeat,
///            (C6) the body does not map 2N scalars to N of the same types.
///            (C7 and C8 hold by construction.)
/// Gradient:  one input, body one of add, maximum, minimum, multiply: sum broadcasts; maximum and minimum
///            share the gradient equally among ties; product multiplies by the products of the others (no
///            division, so zeros are fine; one reduced dimension, or several by a reshape). Other bodies:
///            Unimplemented.
/// Source:    StableHLO specification, reduce.
std::vector<ir::Value> reduce(ir::Builder& builder, std::vector<ir::Value> inputs,
                              std::vector<ir::Value> init_values, ir::Dims dimensions,
                              const ReduceBody& body);

/// Reductions by one op, from its neutral element: 0, lowest (-inf), highest (inf), 1; all ones and zero for
/// and_ and or_ (i1, integers).
ir::Value reduce_sum(ir::Builder& builder, ir::Value x, ir::Dims dimensions);
ir::Value reduce_max(ir::Builder& builder, ir::Value x, ir::Dims dimensions);
ir::Value reduce_min(ir::Builder& builder, ir::Value x, ir::Dims dimensions);
ir::Value reduce_product(ir::Builder& builder, ir::Value x, ir::Dims dimensions);
ir::Value reduce_and(ir::Builder& builder, ir::Value x, ir::Dims dimensions);
ir::Value reduce_or(ir::Builder& builder, ir::Value x, ir::Dims dimensions);

/// The i32 index of the largest element along `dimension`, the first among equals; a NaN counts as the
/// largest. A variadic reduce; it has no gradient.
ir::Value argmax(ir::Builder& builder, ir::Value x, std::int64_t dimension);

/// The name of the only op in a reduce's body when the body is `op(accumulated, element)` or the other way
/// round; empty otherwise.
std::string_view simple_reduce_kind(const ir::Op& reduce);

namespace reduce_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
