#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cornu/ir/dtype.h"

namespace cornu::inline v0::ir {

using Dims = std::vector<std::int64_t>;

/// Dtype and static shape of a tensor; rank 0 is a scalar.
struct TensorType {
  DType dtype = DType::kF32;
  Dims dims;

  std::int64_t rank() const { return static_cast<std::int64_t>(dims.size()); }
  std::int64_t num_elements() const;  // 1 for a scalar
  std::size_t size_bytes() const { return static_cast<std::size_t>(num_elements()) * ir::size_bytes(dtype); }

  /// "tensor<2x3xf32>"
  std::string str() const;

  bool operator==(const TensorType&) const = default;
};

/// Type fingerprint: a word that identifies the type, or 0 if the type does not fit in one (a rank above 4,
/// an extent of 8192 or more). Equal words other than 0 mean equal types, which takes one comparison.
std::uint64_t fingerprint(const TensorType& type);

/// Throws InvalidArgument if an extent is negative, ResourceExhausted if the size in bytes exceeds 63 bits.
void check_type(const TensorType& type);

/// Row-major strides in elements.
Dims row_major_strides(const Dims& dims);

/// The shape in NumPy's format: "(20, 3)", "(20,)" and "()".
std::string shape_str(const Dims& dims);

}  // namespace cornu::inline v0::ir
