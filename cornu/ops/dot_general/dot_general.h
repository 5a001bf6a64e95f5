#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The batch dimensions of a dot and those that it sums over; the rest are free.
struct DotDimensions {
  ir::Dims lhs_batching;
  ir::Dims rhs_batching;
  ir::Dims lhs_contracting;
  ir::Dims rhs_contracting;
};

/// Sums of products over the contracting dimensions, for each batch.
///
/// Semantics: result[batch, i, j] = sum_k lhs[batch, i, k] * rhs[batch, j, k], i and j the free dimensions in
///            order.
/// Shapes:    result: batching extents, lhs's free extents, rhs's free extents.
/// Types:     any number; lhs and rhs share one dtype, which is the result's. i1: the sum is `or`, the
///            product `and`.
/// Errors:    InvalidArgument when
///            (C1) the numbers of batching or (C2) of contracting dimensions differ,
///            (C3) lhs's or (C4) rhs's dimensions repeat,
///            (C5..C8) one is outside [0, rank),
///            (C9) batching or (C10) contracting extents differ,
///            (C13) dtypes differ.
///            (C12 holds by construction; C14 on are about quantization, which is left out.) In programs that
///            are read, floats may differ from each other and from the result, and integers too: operands are
///            converted to a common dtype (product_dtype.h). Precision and algorithm (C11) allow less precise
///            products than ours; a wider accumulation_type is kept.
/// Gradient:  lhs: a dot of the gradient with rhs over rhs's free dimensions, transposed to lhs's order; rhs:
///            likewise.
/// Source:    StableHLO specification, dot_general.
ir::Value dot_general(ir::Builder& builder, ir::Value lhs, ir::Value rhs, const DotDimensions& dimensions);

/// [m, k] x [k, n] -> [m, n].
ir::Value matmul(ir::Builder& builder, ir::Value x, ir::Value y);

/// The dimensions of a dot_general op, from its attributes; and these from the dimensions.
DotDimensions dot_dimensions(const ir::Op& dot_general);
DotDimensions dot_dimensions(const ir::Attributes& attributes);
ir::Attributes dot_attributes(const DotDimensions& dimensions);
/// The type of a dot_general of operands of these types. Errors: those of dot_general.
ir::TensorType dot_type(const ir::TensorType& lhs, const ir::TensorType& rhs,
                        const DotDimensions& dimensions);

namespace dot_general_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
