#pragma once

#include <string_view>
#include <vector>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

struct EigValues {
  ir::Value eigenvalues;   // complex, in any order
  ir::Value eigenvectors;  // complex; column k belongs to eigenvalue k, has length 1 and any phase
};

/// Eigenvalues and right eigenvectors of general square matrices.
///
/// Semantics: a v_k = w_k v_k. NaN everywhere if a has an element that is not finite.
/// Shapes:    a: [batch..., n, n]  ->  eigenvalues [batch..., n], eigenvectors [batch..., n, n]
/// Types:     f32, f64 and complex numbers; the results are complex numbers of the same precision.
/// Errors:    InvalidArgument when (I1) a has another dtype or less than 2 dimensions, or its matrices are not
///            square.
/// Gradient:  V^-T ((V^T g_V - V^T conj(V) diag(Re diag(V^T g_V))) / E + diag(g_w)) V^T with E_ij = w_j - w_i
///            and no quotient on the diagonal; of a real a its real part. It holds for losses that do not
///            depend on the phases. Infinite or NaN where eigenvalues are equal.
/// Source:    keras.ops.eig; the custom call cornu.eig, which Cornu's engine and its reference backend have.
EigValues eig(ir::Builder& builder, ir::Value a);

/// Left eigenvectors of matrices with these right eigenvectors, columns of length 1 in the same order:
/// u^H a = w u^H. Not finite where the right eigenvectors are linearly dependent.
ir::Value left_eigenvectors(ir::Builder& builder, ir::Value eigenvectors);

/// Eigenvectors with the phases that LAPACK's geev gives them: the largest number of each column is real.
ir::Value with_real_largest(ir::Builder& builder, ir::Value eigenvectors);

/// The target of the call.
inline constexpr std::string_view kEigCall = "cornu.eig";

namespace custom_call_folder {
std::vector<ir::TensorType> infer_eig(const ir::InferContext& context);
std::vector<ir::Literal> reference_eig(const ir::ReferenceContext& context);
std::vector<ir::Value> eig_gradient(const ir::GradientContext& context);
}  // namespace custom_call_folder

}  // namespace cornu::inline v0::ops
