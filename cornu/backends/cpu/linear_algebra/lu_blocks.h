#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu {

/// Replaces the row-major a, [rows, columns], by its LU decomposition in LAPACK's getrf form; step k exchanged rows k
/// and pivots[k]. Works on panels of columns, whose products update the rest.
void lu_by_blocks(IsaLevel level, std::int64_t rows, std::int64_t columns, float* a, std::int32_t* pivots);
void lu_by_blocks(IsaLevel level, std::int64_t rows, std::int64_t columns, double* a, std::int32_t* pivots);

}  // namespace cornu::inline v0::backends::cpu
