#include "cornu/backends/pjrt/client_settings.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "taken";
}

TEST(ClientSettingsTest, SettingsBecomeNamedValuesOfTheirKinds) {
  const ClientSettings settings(
      "memory_fraction=0.5,preallocate=false,allocator=bfc,visible_devices=0+2,collective_memory_size=4096");
  const std::vector<PJRT_NamedValue>& values = settings.named_values();
  ASSERT_EQ(values.size(), 5U);
  EXPECT_EQ(std::string(values[0].name, values[0].name_size), "memory_fraction");
  EXPECT_EQ(values[0].float_value, 0.5F);
  EXPECT_FALSE(values[1].bool_value);
  EXPECT_EQ(std::string(values[2].string_value, values[2].value_size), "bfc");
  ASSERT_EQ(values[3].value_size, 2U);
  EXPECT_EQ(values[3].int64_array_value[1], 2);
  EXPECT_EQ(values[4].int64_value, 4096);
  settings.check_platform("cuda");
}

TEST(ClientSettingsTest, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_NE(refusal([] { ClientSettings("cpu_device_cout=2"); }).find("cpu_device_count"), std::string::npos);
  EXPECT_NE(refusal([] { ClientSettings("precission=bf16"); }).find("did you mean \"precision\"?"),
            std::string::npos);
  EXPECT_NE(refusal([] { ClientSettings("cpu_device_count"); }).find("NAME=VALUE"), std::string::npos);
  EXPECT_NE(refusal([] { ClientSettings("preallocate=true,preallocate=true"); }).find("twice"),
            std::string::npos);
}

TEST(ClientSettingsTest, ValuesOfOtherKindsOrOutOfRangeAreRefused) {
  for (const char* bad :
       {"cpu_device_count=0", "cpu_device_count=-1", "cpu_device_count=257", "cpu_device_count=2x",
        "cpu_device_count=", "memory_fraction=0", "memory_fraction=1.5", "memory_fraction=nan",
        "preallocate=1", "allocator=mine", "visible_devices=", "visible_devices=1+", "visible_devices=-1"})
    EXPECT_NE(refusal([&] { ClientSettings{bad}; }).find("must be"), std::string::npos) << bad;
}

TEST(ClientSettingsTest, SettingsOfAnotherPlatformAreRefused) {
  EXPECT_NE(refusal([] { ClientSettings("preallocate=true").check_platform("cpu"); }).find("\"cpu\""),
            std::string::npos);
  ClientSettings settings("cpu_device_count=2");
  settings.set_default("cpu_device_count", "1");
  ASSERT_EQ(settings.named_values().size(), 1U);
  EXPECT_EQ(settings.named_values()[0].int64_value, 2);
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
