#include "cornu/ir/literal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/float_environment.h"
#include "cornu/base/large_pages.h"
#include "cornu/base/saturate.h"
#include "cornu/ir/small_types.h"

namespace cornu::inline v0::ir {
namespace {

double f16_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  double value = exponent == 0    ? std::ldexp(mantissa, -24)
                 : exponent == 31 ? (mantissa ? std::nan("") : HUGE_VAL)
                                  : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) ? -value : value;
}

std::uint16_t double_to_f16(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double a = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7e00;
  if (a >= 65520.0) return sign | 0x7c00;  // halfway to the next power of two rounds to infinity
  if (a == 0) return sign;
  int exponent = std::max(std::ilogb(a), -14);
  const double scaled = std::nearbyint(std::ldexp(a, 10 - exponent));  // to nearest even
  if (scaled == 2048) return sign | static_cast<std::uint16_t>((exponent + 16) << 10);
  if (scaled < 1024) return sign | static_cast<std::uint16_t>(scaled);  // subnormal
  return sign | static_cast<std::uint16_t>(((exponent + 15) << 10) | (static_cast<int>(scaled) - 1024));
}

std::uint16_t double_to_bf16(double value) {
  if (std::isnan(value)) return 0x7fc0;
  float f = static_cast<float>(value);
  // Rounds to odd, so that the second rounding detects on which side of a tie the value was.
  if (static_cast<double>(f) != value && std::isfinite(f) && (std::bit_cast<std::uint32_t>(f) & 1) == 0)
    f = std::nextafterf(f, static_cast<double>(f) < value ? HUGE_VALF : -HUGE_VALF);
  std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  if (!std::isinf(f)) bits += 0x7fff + ((bits >> 16) & 1);
  return static_cast<std::uint16_t>(bits >> 16);
}

}  // namespace

Literal::Literal(TensorType type) : type_(std::move(type)) {
  check_type(type_);
  const std::size_t num_bytes = type_.size_bytes();
  with_host_memory(
      num_bytes, [&] { return type_.str(); },
      [&] {
        bytes_ = std::make_shared<std::vector<std::byte>>();
        bytes_->reserve(num_bytes);
        prefer_large_pages(bytes_->data(), num_bytes);
        bytes_->resize(num_bytes);
      });
}

Literal Literal::scalar(DType dtype, double value) {
  const FloatEnvironment environment;
  Literal literal(TensorType{dtype, {}});
  const bool has_native =
      visit_dtype(dtype, [&]<typename T>() { literal.mutable_data<T>()[0] = saturated<T>(value); });
  if (is_small(dtype)) {
    literal.mutable_bytes()[0] = static_cast<std::byte>(small_from_double(dtype, value));
  } else if (is_complex(dtype)) {  // the imaginary part is 0
    const Literal real = scalar(dtype == DType::kC64 ? DType::kF32 : DType::kF64, value);
    std::memcpy(literal.mutable_bytes().data(), real.bytes().data(), real.bytes().size());
  } else if (!has_native) {
    CORNU_CHECK(is_float(dtype), "a scalar of {}", stablehlo_name(dtype));
    const std::uint16_t bits = dtype == DType::kF16 ? double_to_f16(value) : double_to_bf16(value);
    std::memcpy(literal.mutable_bytes().data(), &bits, sizeof bits);
  }
  return literal;
}

double Literal::at(std::int64_t i) const {
  double value = 0;
  const bool has_native = visit_dtype(type_.dtype, [&]<typename T>() {
    value = static_cast<double>(data<T>()[static_cast<std::size_t>(i)]);
  });
  if (is_small(type_.dtype))
    return small_to_double(type_.dtype, static_cast<std::uint8_t>((*bytes_)[static_cast<std::size_t>(i)]));
  if (!has_native && !is_float(type_.dtype)) return std::nan("");
  if (!has_native) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes_->data() + 2 * i, sizeof bits);
    value = type_.dtype == DType::kF16
                ? f16_to_double(bits)
                : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
  }
  return value;
}

bool Literal::is_splat() const {
  const std::size_t size = size_bytes(type_.dtype);
  return !bytes_->empty() && std::memcmp(bytes_->data(), bytes_->data() + size, bytes_->size() - size) == 0;
}

bool Literal::operator==(const Literal& other) const {
  return type_ == other.type_ && *bytes_ == *other.bytes_;
}

namespace detail {
void literal_type_mismatch(const TensorType& type, DType asked) {
  check_failed(__FILE__, __LINE__, "literal dtype",
               fmt::format("literal is {}, asked for {}", type.str(), stablehlo_name(asked)));
}
void literal_count_mismatch(const Dims& dims, std::size_t num_values) {
  invalid_argument("a literal of shape {} cannot hold {} values", shape_str(dims), num_values);
}
}  // namespace detail

}  // namespace cornu::inline v0::ir
