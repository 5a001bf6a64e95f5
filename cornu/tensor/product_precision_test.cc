#include "cornu/tensor/product_precision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cornu/base/cpu_info.h"
#include "cornu/runtime/default_precision.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0 {
namespace {

constexpr std::int64_t kExtent = 256;

class ProductPrecisionTest : public ::testing::Test {
 protected:
  void TearDown() override { runtime::set_default_precision(runtime::Precision::kAuto); }

  static std::vector<float> product(const char* precision) {
    const auto multiply = function([](const Tensor& x, const Tensor& y) { return ops::matmul(x, y); },
                                   {.precision = precision});
    return multiply(x(), y()).to_vector<float>();
  }

  static double error(const std::vector<float>& result) {
    const std::vector<double> exact =
        ops::matmul(ops::cast(x(), DType::kF64), ops::cast(y(), DType::kF64)).to_vector<double>();
    double largest = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      largest = std::max(largest, std::fabs(exact[i] - static_cast<double>(result[i])));
    return largest;
  }

  static Tensor x() { return random::normal({kExtent, kExtent}, {.seed = 1}); }
  static Tensor y() { return random::normal({kExtent, kExtent}, {.seed = 2}); }
  static bool has_tiles() {
    return default_isa_level() == IsaLevel::kAvx512 && default_bf16_level() == Bf16Level::kTiles;
  }
};

TEST_F(ProductPrecisionTest, OfAFunctionIsABoundOfItsErrors) {
  const std::vector<float> highest = product("highest"), high = product("high"), bf16 = product("bf16");
  EXPECT_LE(error(product("auto")), 1e-4);
  EXPECT_LE(error(highest), 1e-4);
  EXPECT_LE(error(high), 1e-3);
  EXPECT_LE(error(bf16), 0.3);
  EXPECT_EQ(product("tf32"), high);
  EXPECT_EQ(product("default"), bf16);
}

TEST_F(ProductPrecisionTest, ACpuWithoutTilesComputesInF32) {
  if (has_tiles()) GTEST_SKIP() << "this CPU has AMX-BF16";
  for (const char* precision : {"highest", "high", "bf16"})
    EXPECT_EQ(product(precision), product("auto")) << precision;
}

TEST_F(ProductPrecisionTest, ACpuWithTilesComputesFewerProductsForLess) {
  if (!has_tiles()) GTEST_SKIP() << "this CPU has no AMX-BF16, or the level is below avx512";
  EXPECT_NE(product("highest"), product("auto"));
  EXPECT_GT(error(product("high")), 4 * error(product("highest")));
  EXPECT_GT(error(product("bf16")), 16 * error(product("high")));
}

TEST_F(ProductPrecisionTest, OfTheProcessIsThatOfOperationsAndOfFunctionsThatStateNone) {
  const std::vector<float> by_auto = product("auto"), highest = product("highest"), bf16 = product("bf16");
  EXPECT_EQ(ops::matmul(x(), y()).to_vector<float>(), by_auto);
  runtime::set_default_precision(runtime::Precision::kBf16);
  EXPECT_EQ(ops::matmul(x(), y()).to_vector<float>(), bf16);
  EXPECT_EQ(product("auto"), bf16);
  EXPECT_EQ(product("highest"), highest);
  runtime::set_default_precision(runtime::Precision::kAuto);
  EXPECT_EQ(ops::matmul(x(), y()).to_vector<float>(), by_auto);
}

}  // namespace
}  // namespace cornu::inline v0
