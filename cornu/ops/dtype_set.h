#pragma once

#include <string>

#include "cornu/ir/op_def.h"

/// Sets of dtypes for the tables of op families, and the dispatch to C++ types in reference
/// kernels.
namespace cornu::inline v0::ops {

/// A set of kinds of dtypes, or'ed together.
enum DTypeSet : unsigned {
  kBool = 1,
  kSigned = 2,
  kUnsigned = 4,
  kFloat = 8,
  kInteger = 6,
  kNumber = 14,
  kBits = 7,
  kAny = 15,
  kComplex = 16
};

constexpr DTypeSet operator|(DTypeSet a, DTypeSet b) {
  return static_cast<DTypeSet>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

bool contains(DTypeSet set, ir::DType dtype);

/// "i1, signed integers or floats"
std::string dtype_set_str(DTypeSet set);

/// True when the C++ type's dtype is in the set; for `if constexpr`.
template <typename T>
constexpr bool contains_type(DTypeSet set) {
  if constexpr (std::is_same_v<T, bool>) return (set & kBool) != 0;
  if constexpr (std::is_floating_point_v<T>) return (set & kFloat) != 0;
  return (set & (std::is_signed_v<T> ? kSigned : kUnsigned)) != 0;
}

[[noreturn]] void no_reference_kernel(const ir::Op& op, ir::DType dtype);

/// visit_dtype for kernels: throws Unimplemented for dtypes that have no C++ type (f16, bf16, complex, small types).
template <typename F>
void visit_reference_dtype(const ir::Op& op, ir::DType dtype, F&& f) {
  if (!ir::visit_dtype(dtype, f)) no_reference_kernel(op, dtype);
}

}  // namespace cornu::inline v0::ops
