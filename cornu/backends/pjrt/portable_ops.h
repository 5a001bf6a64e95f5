#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::pjrt {

/// Copies a function and replaces ops that XLA's plug-ins handle wrongly or slowly.
///
/// Semantics: the same values.
///   select_and_scatter gets no padding: XLA may select padding, on CPUs and GPUs, and then loses the
///   window's value. The operand is padded by a separate op with the value that the comparison never selects,
///   and the result is cut to the operand's shape. Ops with a selection other than one comparison are
///   unchanged.
///   convolution gets no reversed kernel: a separate op before it reverses the kernel. XLA recognizes this
///   form as the gradient of a convolution's input, for which GPUs have special kernels.
std::unique_ptr<ir::Function> with_portable_ops(const ir::Function& function);

/// Errors: Unimplemented, with the layer, for a convolution of integers. XLA lowers few of them to GPUs, and
///         computes grouped ones of i8 wrongly (seen with CUDA 13, PJRT 0.115).
void refuse_integer_convolutions(const ir::Block& block);

}  // namespace cornu::inline v0::backends::pjrt
