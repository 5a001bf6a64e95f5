#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Calls of functions that StableHLO has no op for, by their names in XLA.
///
/// Semantics: Qr: the QR decomposition of a in LAPACK's geqrf form: R in and above the diagonal, the
///            reflectors v_k below it, and the factors taus, so that a = H_1 ... H_r R with
///            H_k = 1 - tau_k v_k v_k^H, r = min(m, n).
///            ProductOfElementaryHouseholderReflectors: the first n columns of H_1 ... H_k, from reflectors in
///            that form.
/// Shapes:    Qr: a: [batch..., m, n]  ->  [batch..., m, n], [batch..., r]
///            product: a: [batch..., m, n], taus: [batch..., k]  ->  [batch..., m, n] with m >= n >= k
/// Types:     f32, f64 and complex numbers.
/// Errors:    Unimplemented for another target, with its name; readers write some of them out in other ops
///            (library_calls.h). InvalidArgument when (I1) an operand has
///            another dtype or shape.
/// Gradient:  none. (Eigenvalues, in eig.h, have one.)
/// Source:    XLA, QrDecomposition and Householder expanders; jax.lax.linalg on platforms without LAPACK.
std::vector<ir::Value> householder_qr(ir::Builder& b, ir::Value a);
ir::Value householder_product(ir::Builder& b, ir::Value a, ir::Value taus);

/// The target of a custom_call op.
const std::string& call_target(const ir::Op& op);

/// True for calls of cornu.eig and cornu.schur (eig.h, schur.h), whose kernels compute in f64.
bool is_eigenvalue_call(const ir::Op& op);

namespace custom_call_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
