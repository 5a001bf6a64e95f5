#pragma once

#include "cornu/ops/svd/svd.h"

namespace cornu::inline v0::ops {

/// Gradients of the results of svd; an empty value is zero.
struct SvdGradients {
  ir::Value u = {}, s = {}, vh = {};
};

/// The gradient of a, from its thin decomposition: the transpose of JAX's formula for the derivative, with
/// dS = u^H da v, F_ij = 1 / (s_j^2 - s_i^2):
///     ds = diag(re dS)
///     du = u (F * (dS s + (dS s)^H) + (dS - dS^H) / 2s on the diagonal) + (1 - u u^H) da v / s
///     dv = v (F * (s dS + (s dS)^H)) + (1 - v v^H) da^H u / s
ir::Value svd_gradient(ir::Builder& builder, ir::Value a, const SvdValues& thin,
                       const SvdGradients& gradients);

}  // namespace cornu::inline v0::ops
