#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// True for ops on whole matrices that have a form with interleaved complex numbers: cholesky, triangular_solve,
/// the custom calls of the QR decomposition, cornu.lu, cornu.eigh and cornu.svd.
bool is_decomposition(const ir::Op& op);

/// A decomposition of complex matrices on devices that compute with real numbers: a composite for
/// transform::split_complex.
///
/// Semantics: the results of `op`, a decomposition of complex matrices, for other operands.
/// Shapes:    a complex tensor of shape [d...] is a real one of shape [d..., 2], operands and results; real
///            tensors are as they are.
/// Types:     f32 and f64, and integers of `op`.
/// Errors:    those of `op`.
/// Source:    composite cornu.decomposition_parts, whose attributes are those of `op` and its name.
std::vector<ir::Value> decomposition_parts(ir::Builder& b, const ir::Op& op, std::vector<ir::Value> operands);

/// The decomposition that a cornu.decomposition_parts is made of, as the only op of a block. Its dtypes are those
/// of twice the precision if `is_wide`: complex<f32> becomes complex<f64>.
std::unique_ptr<ir::Block> decomposition_of_parts(const ir::Op& parts, bool is_wide);

namespace decomposition_parts_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
