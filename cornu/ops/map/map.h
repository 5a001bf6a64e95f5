#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Builds the body of a map: gets a scalar of each input, returns a scalar.
using MapBody = std::function<ir::Value(ir::Builder&, std::span<const ir::Value>)>;

/// Computes each element of the result from the inputs' elements at the same place.
///
/// Semantics: result[i] = computation(inputs[0][i], inputs[1][i], ...). In programs that are read, a computation
///            of elementwise ops and constants is written out on the whole tensors in the op's place.
/// Shapes:    inputs: one shape, the result's.
/// Types:     any; the result has that of the computation.
/// Errors:    InvalidArgument when (C1) shapes differ, (C2) there is no input, (C3) dimensions are not 0, 1, ...,
///            rank - 1, (C4) the computation does not map a scalar of each input to a scalar.
/// Gradient:  none, unless it is written out.
/// Source:    StableHLO specification, map.
ir::Value map(ir::Builder& builder, std::vector<ir::Value> inputs, const MapBody& computation);

/// True for a computation of scalars by elementwise ops and constants alone.
bool is_elementwise(const ir::Block& body);

/// Applies such a computation to tensors of one shape, element by element; values from outside and constants are
/// broadcast.
std::vector<ir::Value> apply_to_tensors(ir::Builder& builder, const ir::Block& body,
                                        std::span<const ir::Value> arguments, const ir::Dims& dims);

namespace map_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
