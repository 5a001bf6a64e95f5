#pragma once

#include "cornu/ir/type.h"

namespace cornu::inline v0::ir {

/// The type that the readers give to !stablehlo.token: tensor<0xi1>, as JAX passes tokens to programs.
inline TensorType token_type() { return {DType::kI1, {0}}; }

}  // namespace cornu::inline v0::ir
