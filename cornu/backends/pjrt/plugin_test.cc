#include "cornu/backends/pjrt/plugin.h"

#include <gtest/gtest.h>

namespace cornu::inline v0::backends::pjrt {
namespace {

TEST(PluginTest, ATpuThatAnotherProcessUsesIsNoReasonToDeleteItsLock) {
  for (const char* reason :
       {"Internal error when accessing libtpu multi-process lockfile. Run \"$ sudo rm "
        "/tmp/libtpu_lockfile\".",
        "The TPU is already in use by another process probably owned by another user. Run \"$ sudo lsof -w "
        "/dev/accel0\" "
        "to figure out which process is using the TPU. If you still get this message, run \"$ sudo rm "
        "/tmp/libtpu_lockfile\"."}) {
    const std::string plain = plain_reason(reason);
    EXPECT_TRUE(plain.starts_with("another process uses this TPU: ")) << plain;
    EXPECT_EQ(plain.find("sudo"), std::string::npos) << plain;
  }
  EXPECT_TRUE(
      plain_reason("The TPU is already in use by process with pid 4711. Not attempting to load libtpu.so")
          .starts_with("another process (4711) uses this TPU: "));
  EXPECT_EQ(plain_reason("No chips"), "No chips");
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
