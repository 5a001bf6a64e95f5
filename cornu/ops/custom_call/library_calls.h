#pragma once

#include <string_view>

#include "cornu/ir/op_def.h"

/// Custom calls that readers write out in other ops.
namespace cornu::inline v0::ops {

/// Prefix of the attributes that hold the fields of a call's backend_config, numbers and booleans as integers;
/// a backend_config that is a text is the attribute of this name without the point.
inline constexpr std::string_view kBackendConfig = "backend_config.";

/// Builds the ops of a call, or returns nullptr: the target is none of these.
///
/// LAPACK's functions as JAX calls them on its CPU backend (lapack_sgetrf_ffi; s, d, c and z): getrf, geqrf,
/// orgqr, ungqr, potrf, trsm, syevd, heevd, gesdd, gesvd, geev, gees. XLA's LuDecomposition, Eigh, mhlo.erf, Sharding and
/// annotate_device_placement. The numbers that report failure (info) are 0: results are NaN then.
ir::ExpandFn find_library_call(std::string_view target);

}  // namespace cornu::inline v0::ops
