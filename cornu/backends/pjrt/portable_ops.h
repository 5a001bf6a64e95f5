#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::pjrt {

/// A copy of a function for XLA's plug-ins.
///
/// Semantics: the same values.
///   select_and_scatter has no padding: XLA lets padding be selected, on CPUs and GPUs, and what a window
///            selected there is lost. The operand is padded by an op of its own with the value that no
///            comparison prefers, and the result is cut to the operand's shape. Those that select by
///            something else than one comparison stay.
///   convolution runs no kernel backwards: the kernel is reversed by an op of its own in front of it, which is
///            how XLA knows the gradient of a convolution's input, for which GPUs have kernels of their own.
std::unique_ptr<ir::Function> with_portable_ops(const ir::Function& function);

/// Errors: Unimplemented, naming the layer, where a convolution is of integers. XLA takes few of them to GPUs,
///         and of these it computes i8 in groups wrongly (seen with CUDA 13, PJRT 0.115).
void refuse_integer_convolutions(const ir::Block& block);

}  // namespace cornu::inline v0::backends::pjrt
