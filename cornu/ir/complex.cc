#include "cornu/ir/complex.h"

#include <cstring>

#include "cornu/base/check.h"

namespace cornu::inline v0::ir {
namespace {

Literal part(const Literal& literal, std::size_t offset) {
  Literal result(TensorType{real_dtype(literal.type().dtype), literal.type().dims});
  const std::size_t size = size_bytes(result.type().dtype);
  for (std::size_t i = 0; i < static_cast<std::size_t>(result.type().num_elements()); ++i)
    std::memcpy(result.mutable_bytes().data() + i * size, literal.bytes().data() + (2 * i + offset) * size,
                size);
  return result;
}

}  // namespace

DType real_dtype(DType dtype) {
  if (dtype == DType::kC64) return DType::kF32;
  return dtype == DType::kC128 ? DType::kF64 : dtype;
}

DType complex_dtype(DType real) {
  CORNU_CHECK(real == DType::kF32 || real == DType::kF64, "complex<{}>", stablehlo_name(real));
  return real == DType::kF32 ? DType::kC64 : DType::kC128;
}

std::complex<double> complex_at(const Literal& literal, std::int64_t i) {
  std::complex<double> value;
  const bool is_complex_literal = visit_complex_dtype(literal.type().dtype, [&]<typename T>() {
    value = std::complex<double>(literal.data<T>()[static_cast<std::size_t>(i)]);
  });
  CORNU_CHECK(is_complex_literal, "a complex element of {}", literal.type().str());
  return value;
}

Literal real_part(const Literal& literal) { return part(literal, 0); }
Literal imag_part(const Literal& literal) { return part(literal, 1); }

Literal complex_literal(const Literal& real, const Literal& imag) {
  CORNU_CHECK(real.type() == imag.type(), "{} and {}", real.type().str(), imag.type().str());
  Literal result(TensorType{complex_dtype(real.type().dtype), real.type().dims});
  const std::size_t size = size_bytes(real.type().dtype);
  std::byte* to = result.mutable_bytes().data();
  for (std::size_t i = 0; i < real.bytes().size(); i += size, to += 2 * size) {
    std::memcpy(to, real.bytes().data() + i, size);
    std::memcpy(to + size, imag.bytes().data() + i, size);
  }
  return result;
}

}  // namespace cornu::inline v0::ir
