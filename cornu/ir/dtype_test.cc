#include "cornu/ir/dtype.h"

#include <gtest/gtest.h>

namespace cornu::inline v0::ir {
namespace {

constexpr DType kAllDTypes[] = {DType::kI1,   DType::kI8,  DType::kI16, DType::kI32, DType::kI64,
                                DType::kU8,   DType::kU16, DType::kU32, DType::kU64, DType::kF16,
                                DType::kBF16, DType::kF32, DType::kF64};

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
