#include "cornu/keras/base/dtype_policy.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "cornu/base/error.h"

namespace cornu::inline v0::keras {
namespace {

std::string policy_name_error(const char* name) {
  try {
    const DTypePolicy policy{name};
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(DTypePolicyTest, ANameSaysInWhatIsComputedAndInWhatWeightsAre) {
  const DTypePolicy mixed("mixed_bfloat16");
  EXPECT_EQ(mixed.compute_dtype(), ir::DType::kBF16);
  EXPECT_EQ(mixed.variable_dtype(), ir::DType::kF32);
  EXPECT_EQ(mixed.name(), "mixed_bfloat16");
  const DTypePolicy half("float16");
  EXPECT_EQ(half.compute_dtype(), ir::DType::kF16);
  EXPECT_EQ(half.variable_dtype(), ir::DType::kF16);
  EXPECT_EQ(half, DTypePolicy(ir::DType::kF16));
  EXPECT_NE(half, DTypePolicy("mixed_float16"));
}

TEST(DTypePolicyTest, CalibratedModesNameBitsAndGroups) {
  const DTypePolicy gptq("gptq/3/-1_from_mixed_bfloat16");
  EXPECT_EQ(gptq.quantization_mode(), QuantizationMode::kGptq);
  EXPECT_EQ(gptq.weight_bits(), 3);
  EXPECT_EQ(gptq.block_size(), -1);
  EXPECT_EQ(gptq.name(), "gptq/3/-1_from_mixed_bfloat16");
  EXPECT_EQ(gptq.source().name(), "mixed_bfloat16");
  EXPECT_EQ(DTypePolicy("awq/4/128_from_float32").name(), "awq/4/128_from_float32");
  for (const char* name : {"gptq/5/128_from_float32", "awq/8/128_from_float32", "gptq_from_float32",
                           "gptq/4_from_float32", "gptq/4/0_from_float32", "int8/4/4_from_float32"})
    EXPECT_NE(policy_name_error(name), "") << name;
}

TEST(DTypePolicyTest, AnUnknownNameProposesTheNearest) {
  EXPECT_NE(policy_name_error("mixed_float61").find("mixed_float16"), std::string::npos)
      << policy_name_error("mixed_float61");
  EXPECT_NE(policy_name_error("mixed_float32").find("[dtype_policy]"), std::string::npos);
  EXPECT_NE(policy_name_error(nullptr).find("[dtype_policy]"), std::string::npos);
}

TEST(DTypePolicyTest, AScopeCountsOnItsThreadBeforeWhatIsSetForAll) {
  set_dtype_policy("float64");
  {
    const DTypePolicyScope outer{"mixed_float16"};
    {
      const DTypePolicyScope inner{"bfloat16"};
      EXPECT_EQ(dtype_policy().name(), "bfloat16");
    }
    EXPECT_EQ(dtype_policy().name(), "mixed_float16");
    std::string of_other;
    std::thread([&] { of_other = dtype_policy().name(); }).join();
    EXPECT_EQ(of_other, "float64");
  }
  EXPECT_EQ(dtype_policy().name(), "float64");
  set_dtype_policy("float32");
  EXPECT_THROW(set_dtype_policy(ir::DType::kI32), Error);
  EXPECT_EQ(dtype_policy().name(), "float32");
}

}  // namespace
}  // namespace cornu::inline v0::keras
