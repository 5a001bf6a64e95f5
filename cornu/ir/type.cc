#include "cornu/ir/type.h"

#include <limits>

#include "cornu/base/check.h"

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

void check_type(const TensorType& type) {
  std::int64_t size = static_cast<std::int64_t>(size_bytes(type.dtype));
  bool overflow = false;
  for (std::int64_t d : type.dims) {
    if (d < 0) invalid_argument("a tensor's extents must not be negative; got shape {}", shape_str(type.dims));
    overflow = overflow || (d > 0 && size > std::numeric_limits<std::int64_t>::max() / d);
    size = overflow ? size : size * (d == 0 ? 1 : d);
  }
  if (overflow) invalid_argument("a tensor of shape {} has more bytes than 63 bits can count", shape_str(type.dims));
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
