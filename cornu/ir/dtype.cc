#include "cornu/ir/dtype.h"

#include <array>

namespace cornu::inline v0::ir {
namespace {

struct DTypeInfo {
  std::string_view stablehlo;
  std::string_view numpy;
  std::size_t size_bytes;
  int bits;
  char kind;  // b(ool), i(nteger), u(nsigned), f(loat), c(omplex), n(arrow integer), s(mall float)
};

constexpr std::array<DTypeInfo, 30> kInfo = {{{"i1", "bool", 1, 1, 'b'},
                                              {"i8", "int8", 1, 8, 'i'},
                                              {"i16", "int16", 2, 16, 'i'},
                                              {"i32", "int32", 4, 32, 'i'},
                                              {"i64", "int64", 8, 64, 'i'},
                                              {"ui8", "uint8", 1, 8, 'u'},
                                              {"ui16", "uint16", 2, 16, 'u'},
                                              {"ui32", "uint32", 4, 32, 'u'},
                                              {"ui64", "uint64", 8, 64, 'u'},
                                              {"f16", "float16", 2, 16, 'f'},
                                              {"bf16", "bfloat16", 2, 16, 'f'},
                                              {"f32", "float32", 4, 32, 'f'},
                                              {"f64", "float64", 8, 64, 'f'},
                                              {"complex<f32>", "complex64", 8, 64, 'c'},
                                              {"complex<f64>", "complex128", 16, 128, 'c'},
                                              {"i2", "int2", 1, 2, 'n'},
                                              {"i4", "int4", 1, 4, 'n'},
                                              {"ui2", "uint2", 1, 2, 'n'},
                                              {"ui4", "uint4", 1, 4, 'n'},
                                              {"f4E2M1FN", "float4_e2m1fn", 1, 4, 's'},
                                              {"f6E2M3FN", "float6_e2m3fn", 1, 6, 's'},
                                              {"f6E3M2FN", "float6_e3m2fn", 1, 6, 's'},
                                              {"f8E3M4", "float8_e3m4", 1, 8, 's'},
                                              {"f8E4M3", "float8_e4m3", 1, 8, 's'},
                                              {"f8E4M3B11FNUZ", "float8_e4m3b11fnuz", 1, 8, 's'},
                                              {"f8E4M3FN", "float8_e4m3fn", 1, 8, 's'},
                                              {"f8E4M3FNUZ", "float8_e4m3fnuz", 1, 8, 's'},
                                              {"f8E5M2", "float8_e5m2", 1, 8, 's'},
                                              {"f8E5M2FNUZ", "float8_e5m2fnuz", 1, 8, 's'},
                                              {"f8E8M0FNU", "float8_e8m0fnu", 1, 8, 's'}}};

const DTypeInfo& info(DType dtype) { return kInfo[static_cast<std::size_t>(dtype)]; }

}  // namespace

std::size_t size_bytes(DType dtype) { return info(dtype).size_bytes; }
std::string_view stablehlo_name(DType dtype) { return info(dtype).stablehlo; }
std::string_view numpy_name(DType dtype) { return info(dtype).numpy; }
bool is_float(DType dtype) { return info(dtype).kind == 'f'; }
bool is_signed_integer(DType dtype) { return info(dtype).kind == 'i'; }
bool is_unsigned_integer(DType dtype) { return info(dtype).kind == 'u'; }
bool is_complex(DType dtype) { return info(dtype).kind == 'c'; }
bool is_small_float(DType dtype) { return info(dtype).kind == 's'; }
bool is_small_integer(DType dtype) { return info(dtype).kind == 'n'; }
int bit_width(DType dtype) { return info(dtype).bits; }

std::optional<DType> dtype_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kInfo.size(); ++i)
    if (kInfo[i].stablehlo == name || kInfo[i].numpy == name) return static_cast<DType>(i);
  return std::nullopt;
}

}  // namespace cornu::inline v0::ir
