#include "cornu/base/cpu_info.h"

#include <gtest/gtest.h>

namespace cornu::inline v0 {
namespace {

TEST(CpuInfoTest, NamesLevelsAndCaches) {
  for (IsaLevel level : {IsaLevel::kSse2, IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    EXPECT_EQ(isa_level_from_name(isa_level_name(level)), level);
  }
  EXPECT_EQ(isa_level_from_name("avx"), std::nullopt);
  EXPECT_EQ(cpu_isa_levels().front(), IsaLevel::kSse2);
  EXPECT_EQ(cpu_isa_levels().back(), cpu_isa_level());
  for (const Bf16Level level : {Bf16Level::kNone, Bf16Level::kVectors, Bf16Level::kTiles})
    EXPECT_EQ(bf16_level_from_name(bf16_level_name(level)), level);
  EXPECT_EQ(bf16_level_from_name("avx512"), std::nullopt);
  EXPECT_TRUE(cpu_bf16_level() == Bf16Level::kNone || cpu_isa_level() == IsaLevel::kAvx512);
  EXPECT_FALSE(cpu_info().model_name.empty());
  EXPECT_GE(cpu_info().l3_cache_bytes, 0);
}

}  // namespace
}  // namespace cornu::inline v0
