#include "cornu/backends/pjrt/target.h"

#include <gtest/gtest.h>

#include "cornu/backends/pjrt/prediction.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

TEST(TargetTest, AChipIsFoundByItsNameAndItsSlice) {
  EXPECT_EQ(find_target("h200").plugin, "cuda");
  EXPECT_EQ(find_target("v5e:2x4").topology_name, "v5e:2x4");
  EXPECT_EQ(find_target("v4").name, "v4:2x2x1");
  for (const std::string& name : known_targets()) {
    const Target target = find_target(name);
    EXPECT_EQ(target.name, name);
    EXPECT_GT(target.peaks.default_flops, target.peaks.highest_flops) << name;
    EXPECT_GT(target.peaks.bytes_per_second, 0.5e12) << name;
  }
}

TEST(TargetTest, UnknownChipsAndSlicesAreRefusedWithThoseThereAre) {
  EXPECT_NE(error_text_of(ErrorCode::kNotFound, [] { find_target("h20"); }).find("did you mean \"h200\""),
            std::string::npos);
  EXPECT_NE(error_text_of(ErrorCode::kNotFound, [] { find_target("h200:1x1"); }).find("v5e:2x2"),
            std::string::npos);
  EXPECT_NE(
      error_text_of(ErrorCode::kInvalidArgument, [] { find_target("v5e:2x2x1"); }).find("it does in 2x2"),
      std::string::npos);
}

TEST(TargetTest, WrongSettingsOfATargetAreRefused) {
  const auto client = [](const char* spec) { return [spec] { runtime::make_client(spec); }; };
  EXPECT_NE(
      error_text_of(ErrorCode::kInvalidArgument, client("pjrt:target=h200,steps=0")).find("positive number"),
      std::string::npos);
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, client("pjrt:target=h200,memory_fraction=1"))
                .find("steps and"),
            std::string::npos);
  EXPECT_NE(
      error_text_of(ErrorCode::kInvalidArgument, client("pjrt:target=h200,precision=exact")).find("highest"),
      std::string::npos);
}

TEST(PredictionTest, TheSlowerOfFlopsAndBytesBindsAStep) {
  const ChipPeaks peaks{
      .default_flops = 4e12, .highest_flops = 1e12, .bytes_per_second = 1e12, .memory_bytes = 1e9};
  ProgramCosts costs{.flops = 3e6, .bytes_accessed = 2e6};
  const Prediction compute = predict(costs, peaks, runtime::Precision::kHighest);
  EXPECT_DOUBLE_EQ(compute.seconds, 3e-6);
  EXPECT_EQ(compute.bound_by, "compute");
  const Prediction memory = predict(costs, peaks, runtime::Precision::kDefault);
  EXPECT_DOUBLE_EQ(memory.seconds, 2e-6);
  EXPECT_EQ(memory.bound_by, "memory");
  EXPECT_DOUBLE_EQ(predict(costs, peaks, runtime::Precision::kHigh).compute_seconds, 1.5e-6);
  EXPECT_EQ(predict({}, peaks, runtime::Precision::kHighest).bound_by, "nothing the compiler counts");
}

TEST(PredictionTest, TimesThatAreNothingInMicrosecondsAreInNanoseconds) {
  const std::string text = prediction_text({.flops = 1e3, .bytes_accessed = 1e9}, find_target("h200"),
                                           runtime::Precision::kHighest);
  EXPECT_EQ(text.find("0.000 us"), std::string::npos) << text;
  EXPECT_NE(text.find(" ns for the flops"), std::string::npos) << text;
  EXPECT_NE(text.find(" us for the bytes"), std::string::npos) << text;
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
