#pragma once

#include <cstdint>

/// What the module libcornu_onednn.so gives to the program that loads it.
namespace cornu::inline v0::backends::cpu::onednn {

inline constexpr const char* kModuleName = "libcornu_onednn.so";
inline constexpr const char* kSgemmSymbol = "cornu_onednn_sgemm";

/// See sgemm(); the flags are 0 or 1. Returns 0, or oneDNN's status.
using SgemmFunction = int (*)(int transpose_a, int transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                              std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);

}  // namespace cornu::inline v0::backends::cpu::onednn
