#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu {

/// Up to num_register_lanes (vectors.h) row-major matrices [rows, columns], of which each is decomposed in a lane of a register.
template <typename T>
struct SmallQrs {
  std::int64_t rows = 0, columns = 0, count = 0;
  std::int64_t num_reflectors = 0;
  const T* a = nullptr;           // the matrices to decompose, or reflectors in geqrf form
  const T* given_taus = nullptr;  // [count, num_reflectors], for products only
  T* result = nullptr;            // geqrf form, or the first columns of the product
  T* taus = nullptr;              // [count, num_reflectors], of decompositions only
  T* work = nullptr;              // small_qr_work elements
};
std::int64_t small_qr_work(std::int64_t rows, std::int64_t columns);

/// QR decompositions in LAPACK's geqrf form, with min(rows, columns) reflectors.
void small_qrs(IsaLevel level, const SmallQrs<float>& matrices);
void small_qrs(IsaLevel level, const SmallQrs<double>& matrices);
/// The first columns of products of reflectors; rows >= columns >= num_reflectors.
void small_householder_products(IsaLevel level, const SmallQrs<float>& matrices);
void small_householder_products(IsaLevel level, const SmallQrs<double>& matrices);

}  // namespace cornu::inline v0::backends::cpu
