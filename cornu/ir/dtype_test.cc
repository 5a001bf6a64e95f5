#include "cornu/ir/dtype.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cornu::inline v0::ir {
namespace {

constexpr DType kAllDTypes[] = {DType::kI1,   DType::kI8,  DType::kI16, DType::kI32, DType::kI64,
                                DType::kU8,   DType::kU16, DType::kU32, DType::kU64, DType::kF16,
                                DType::kBF16, DType::kF32, DType::kF64};

/// Dtypes that have a name and a size, and are not accepted in programs.
constexpr DType kOtherDTypes[] = {
    DType::kC64,        DType::kC128,          DType::kI2,       DType::kI4,         DType::kU2,
    DType::kU4,         DType::kF4E2M1FN,      DType::kF6E2M3FN, DType::kF6E3M2FN,   DType::kF8E3M4,
    DType::kF8E4M3,     DType::kF8E4M3B11FNUZ, DType::kF8E4M3FN, DType::kF8E4M3FNUZ, DType::kF8E5M2,
    DType::kF8E5M2FNUZ, DType::kF8E8M0FNU};

TEST(DTypeTest, NamesReadBack) {
  for (DType dtype : kAllDTypes) {
    EXPECT_EQ(dtype_from_name(stablehlo_name(dtype)), dtype);
    EXPECT_EQ(dtype_from_name(numpy_name(dtype)), dtype);
  }
  EXPECT_EQ(dtype_from_name("bool"), DType::kI1);
  EXPECT_EQ(dtype_from_name("ui32"), DType::kU32);
  EXPECT_EQ(dtype_from_name("float"), std::nullopt);
}

TEST(DTypeTest, EachIsOfOneKind) {
  for (DType dtype : kAllDTypes)
    EXPECT_EQ(is_float(dtype) + is_signed_integer(dtype) + is_unsigned_integer(dtype) + (dtype == DType::kI1),
              1)
        << stablehlo_name(dtype);
}

TEST(DTypeTest, DTypesWithoutKernelsHaveNamesSizesAndOneKind) {
  EXPECT_EQ(stablehlo_name(DType::kC64), "complex<f32>");
  EXPECT_EQ(numpy_name(DType::kC128), "complex128");
  EXPECT_EQ(numpy_name(DType::kU2), "uint2");
  EXPECT_EQ(stablehlo_name(DType::kF8E8M0FNU), "f8E8M0FNU");
  for (DType dtype : kOtherDTypes) {
    EXPECT_EQ(size_bytes(dtype), static_cast<std::size_t>(std::max(bit_width(dtype), 8)) / 8);
    EXPECT_EQ(is_complex(dtype) + is_small_float(dtype) + is_small_integer(dtype), 1) << numpy_name(dtype);
    EXPECT_EQ(dtype_from_name(stablehlo_name(dtype)), dtype);
    EXPECT_FALSE(is_float(dtype) || is_integer(dtype));
    EXPECT_FALSE(visit_dtype(dtype, []<typename T>() {}));
  }
}

TEST(DTypeTest, SizesFitTheBitsAndTheCppTypes) {
  for (DType dtype : kAllDTypes) {
    EXPECT_EQ(size_bytes(dtype), dtype == DType::kI1 ? 1u : static_cast<std::size_t>(bit_width(dtype)) / 8);
    const bool has_cpp_type = visit_dtype(dtype, [&]<typename T>() {
      EXPECT_EQ(kDTypeOf<T>, dtype);
      EXPECT_EQ(sizeof(T), size_bytes(dtype));
    });
    EXPECT_EQ(has_cpp_type, dtype != DType::kF16 && dtype != DType::kBF16);
  }
}

}  // namespace
}  // namespace cornu::inline v0::ir
