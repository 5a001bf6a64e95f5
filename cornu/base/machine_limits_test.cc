#include "cornu/base/machine_limits.h"

#include <gtest/gtest.h>

namespace cornu::inline v0 {
namespace {

TEST(MachineLimitsTest, EveryLevelRunsAndGivesARate) {
  ThreadPool pool(2);
  for (IsaLevel level : cpu_isa_levels()) {
    const double gflops = measure_fma_gflops(pool, level, 0.0);
    RecordProperty(std::string(isa_level_name(level)), std::to_string(gflops));
    EXPECT_GT(gflops, 0.1) << isa_level_name(level);
    EXPECT_LT(gflops, 1e5) << isa_level_name(level);
  }
}

TEST(MachineLimitsTest, ProductsOfBf16HaveARateOfTheirOwn) {
  if (cpu_bf16_level() == Bf16Level::kNone) GTEST_SKIP() << "this CPU has no AVX512-BF16";
  ThreadPool pool(2);
  EXPECT_GT(measure_bf16_gflops(pool, Bf16Level::kVectors, 0.0), 0.1);
  if (cpu_bf16_level() == Bf16Level::kTiles) {
    EXPECT_GT(measure_bf16_gflops(pool, Bf16Level::kTiles, 0.0), 0.1);
  }
}

TEST(MachineLimitsTest, MeasuresAllFourFigures) {
  ThreadPool pool(2);
  const MachineLimits limits = measure_machine_limits(pool, {.seconds = 0.0});
  EXPECT_GT(limits.fma_gflops_one_thread, 0.1);
  EXPECT_GT(limits.fma_gflops_all_threads, 0.1);
  EXPECT_GT(limits.triad_gb_s_one_thread, 0.01);
  EXPECT_GT(limits.triad_gb_s_all_threads, 0.01);
}

}  // namespace
}  // namespace cornu::inline v0
