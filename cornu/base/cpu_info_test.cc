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
  EXPECT_TRUE(!cpu_has_bf16_products() || cpu_isa_level() == IsaLevel::kAvx512);
  EXPECT_FALSE(cpu_info().model_name.empty());
  EXPECT_GE(cpu_info().l3_cache_bytes, 0);
}

}  // namespace
}  // namespace cornu::inline v0
