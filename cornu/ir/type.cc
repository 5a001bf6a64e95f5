#include "cornu/ir/type.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::ir {

std::int64_t TensorType::num_elements() const {
  std::int64_t n = 1;
  for (std::int64_t d : dims) n *= d;
  return n;
}

std::string TensorType::str() const {
  std::string s = "tensor<";
  for (std::int64_t d : dims) s += fmt::format("{}x", d);
  return s + std::string(stablehlo_name(dtype)) + ">";
}

std::uint64_t fingerprint(const TensorType& type) {
  constexpr std::uint64_t kBitsOfExtent = 13, kBitsOfRank = 3;
  static_assert(sizeof(DType) == 1 && 4 * kBitsOfExtent + kBitsOfRank + 9 <= 64);
  if (type.dims.size() > 4) return 0;
  std::uint64_t word = static_cast<std::uint64_t>(type.dtype) + 1;  // from 1: no word is 0
  word = word << kBitsOfRank | type.dims.size();
  for (std::size_t i = 0; i < 4; ++i) {
    const std::int64_t extent = i < type.dims.size() ? type.dims[i] : 0;
    if (extent < 0 || extent >= std::int64_t{1} << kBitsOfExtent) return 0;
    word = word << kBitsOfExtent | static_cast<std::uint64_t>(extent);
  }
  return word;
}

void check_type(const TensorType& type) {
  CheckedSize num_bytes = size_bytes(type.dtype);
  for (const std::int64_t extent : type.dims) {
    if (extent < 0)
      invalid_argument("a tensor's extents must not be negative; got shape {}", shape_str(type.dims));
    num_bytes = num_bytes * std::max<std::int64_t>(extent, 1);  // empty tensors have strides, too
  }
  if (num_bytes.is_beyond())
    fail_no_memory(num_bytes, fmt::format("a tensor of shape {}", shape_str(type.dims)));
}

Dims row_major_strides(const Dims& dims) {
  Dims strides(dims.size());
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

std::string shape_str(const Dims& dims) {
  return dims.size() == 1 ? fmt::format("({},)", dims[0]) : fmt::format("({})", fmt::join(dims, ", "));
}

}  // namespace cornu::inline v0::ir
