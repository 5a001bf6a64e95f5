#include "cornu/backends/cpu/kernels/int8_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

namespace cornu::inline v0::backends::cpu::kernels {
namespace {

struct Int8Case {
  std::int64_t m, n, k;
  bool transpose_b;
};

/// Rows have gaps, so that a kernel that writes between them is found.
class Int8Matrices {
 public:
  Int8Matrices(const Int8Case& shape, bool is_extreme) : shape_(shape) {
    std::mt19937 random(7);
    const std::int64_t b_rows = shape.transpose_b ? shape.n : shape.k;
    a_.resize(static_cast<std::size_t>(shape.m * lda()));
    b_.resize(static_cast<std::size_t>(b_rows * ldb()));
    c_.assign(static_cast<std::size_t>(shape.m * ldc()), kUntouched);
    for (std::vector<std::int8_t>* each : {&a_, &b_})
      for (std::int8_t& x : *each) x = is_extreme ? std::int8_t{-128} : static_cast<std::int8_t>(random());
  }

  void multiply(Int8Level level) {
    const std::size_t bytes = int8_gemm_scratch_bytes(level, shape_.n, shape_.k);
    std::vector<std::byte> scratch(bytes + kGuard + 64, kGuardByte);
    std::byte* const first =
        scratch.data() + (64 - reinterpret_cast<std::uintptr_t>(scratch.data()) % 64) % 64;
    int8_gemm(level,
              {shape_.transpose_b, shape_.m, shape_.n, shape_.k, a_.data(), lda(), b_.data(), ldb(),
               c_.data(), ldc()},
              first);
    EXPECT_TRUE(std::all_of(first + bytes, scratch.data() + scratch.size(), [](std::byte each) {
      return each == kGuardByte;
    })) << "wrote after its scratch memory";
  }

  void expect_products() const {
    for (std::int64_t i = 0; i < shape_.m; ++i) {
      for (std::int64_t j = 0; j < shape_.n; ++j)
        ASSERT_EQ(c(i, j), product(i, j)) << shape_.m << " x " << shape_.n << " x " << shape_.k << " ("
                                          << shape_.transpose_b << "), " << i << ", " << j;
      for (std::int64_t j = shape_.n; j < ldc(); ++j) ASSERT_EQ(c(i, j), kUntouched);
    }
  }

 private:
  static constexpr std::int32_t kUntouched = 77;
  static constexpr std::size_t kGuard = 64;
  static constexpr std::byte kGuardByte{0x5a};

  std::int64_t lda() const { return shape_.k + 3; }
  std::int64_t ldb() const { return (shape_.transpose_b ? shape_.k : shape_.n) + 2; }
  std::int64_t ldc() const { return shape_.n + 1; }
  std::int32_t c(std::int64_t i, std::int64_t j) const { return c_[static_cast<std::size_t>(i * ldc() + j)]; }
  std::int32_t product(std::int64_t i, std::int64_t j) const {
    std::int32_t sum = 0;
    for (std::int64_t l = 0; l < shape_.k; ++l) {
      const std::int64_t b = shape_.transpose_b ? j * ldb() + l : l * ldb() + j;
      sum += std::int32_t{a_[static_cast<std::size_t>(i * lda() + l)]} * b_[static_cast<std::size_t>(b)];
    }
    return sum;
  }

  Int8Case shape_;
  std::vector<std::int8_t> a_, b_;
  std::vector<std::int32_t> c_;
};

TEST(Int8GemmTest, EveryLevelIsExactForEveryShape) {
  for (const Int8Level level : cpu_int8_levels())
    for (const bool transpose_b : {false, true})
      for (const std::int64_t m : {1, 2, 3, 4, 5, 6, 7, 13})
        for (const std::int64_t n : {1, 3, 15, 17, 63, 64, 65, 130, 257})
          for (const std::int64_t k : {1, 2, 3, 4, 5, 8, 31, 64, 129}) {
            Int8Matrices matrices({m, n, k, transpose_b}, k == 129);
            matrices.multiply(level);
            matrices.expect_products();
          }
}

// More columns than are packed at a time.
TEST(Int8GemmTest, PacksLongColumnsInSeveralBlocks) {
  for (const Int8Level level : cpu_int8_levels()) {
    Int8Matrices matrices({7, 200, 5000, false}, false);
    matrices.multiply(level);
    matrices.expect_products();
  }
}

TEST(Int8GemmTest, NothingSummedIsZero) {
  for (const Int8Level level : cpu_int8_levels()) {
    Int8Matrices matrices({9, 70, 0, false}, false);
    matrices.multiply(level);
    matrices.expect_products();
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu::kernels
