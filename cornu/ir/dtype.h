#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cornu::inline v0::ir {

/// Element types of tensors.
enum class DType : std::uint8_t {
  kI1,
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kF16,
  kBF16,
  kF32,
  kF64,
  kC64,   // complex<f32>
  kC128,  // complex<f64>
  kI2,
  kI4,
  kU2,
  kU4,
  kF4E2M1FN,
  kF6E2M3FN,
  kF6E3M2FN,
  kF8E3M4,
  kF8E4M3,
  kF8E4M3B11FNUZ,
  kF8E4M3FN,
  kF8E4M3FNUZ,
  kF8E5M2,
  kF8E5M2FNUZ,
  kF8E8M0FNU
};

/// Bytes of one element in memory; types of less than eight bits take one byte (i1 holds 0 or 1).
std::size_t size_bytes(DType dtype);

/// StableHLO's name: "i1", "i32", "ui32", "f32", "complex<f32>", ...
std::string_view stablehlo_name(DType dtype);

/// NumPy's and Keras's name: "bool", "int32", "uint32", "float32", "complex64", "float8_e4m3fn", ...
std::string_view numpy_name(DType dtype);

/// The dtype with this NumPy or StableHLO name; empty if there is none.
std::optional<DType> dtype_from_name(std::string_view name);

bool is_float(DType dtype);             // false for small floats
bool is_signed_integer(DType dtype);    // false for small integers
bool is_unsigned_integer(DType dtype);  // false for i1 and small integers
bool is_complex(DType dtype);
bool is_small_float(DType dtype);    // of four to eight bits
bool is_small_integer(DType dtype);  // i2, i4, ui2, ui4
inline bool is_integer(DType dtype) { return is_signed_integer(dtype) || is_unsigned_integer(dtype); }
int bit_width(DType dtype);  // 1 for i1, 64 for complex<f32>

/// The dtype of a C++ element type (bool is i1).
template <typename T>
inline constexpr std::optional<DType> kDTypeOf = std::nullopt;
template <>
inline constexpr std::optional<DType> kDTypeOf<bool> = DType::kI1;
template <>
inline constexpr std::optional<DType> kDTypeOf<std::int8_t> = DType::kI8;
template <>
inline constexpr std::optional<DType> kDTypeOf<std::int16_t> = DType::kI16;
template <>
inline constexpr std::optional<DType> kDTypeOf<std::int32_t> = DType::kI32;
template <>
inline constexpr std::optional<DType> kDTypeOf<std::int64_t> = DType::kI64;
template <>
inline constexpr std::optional<DType> kDTypeOf<std::uint8_t> = DType::kU8;
template <>
inline constexpr std::optional<DType> kDTypeOf<std::uint16_t> = DType::kU16;
template <>
inline constexpr std::optional<DType> kDTypeOf<std::uint32_t> = DType::kU32;
template <>
inline constexpr std::optional<DType> kDTypeOf<std::uint64_t> = DType::kU64;
template <>
inline constexpr std::optional<DType> kDTypeOf<float> = DType::kF32;
template <>
inline constexpr std::optional<DType> kDTypeOf<double> = DType::kF64;

/// Calls f.operator()<T>() with the C++ type of `dtype`; returns false for f16, bf16, complex and small
/// types, which have none (complex types: cornu/ir/complex.h).
template <typename F>
bool visit_dtype(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kI1: f.template operator()<bool>(); return true;
    case DType::kI8: f.template operator()<std::int8_t>(); return true;
    case DType::kI16: f.template operator()<std::int16_t>(); return true;
    case DType::kI32: f.template operator()<std::int32_t>(); return true;
    case DType::kI64: f.template operator()<std::int64_t>(); return true;
    case DType::kU8: f.template operator()<std::uint8_t>(); return true;
    case DType::kU16: f.template operator()<std::uint16_t>(); return true;
    case DType::kU32: f.template operator()<std::uint32_t>(); return true;
    case DType::kU64: f.template operator()<std::uint64_t>(); return true;
    case DType::kF32: f.template operator()<float>(); return true;
    case DType::kF64: f.template operator()<double>(); return true;
    default: return false;
  }
}

}  // namespace cornu::inline v0::ir
