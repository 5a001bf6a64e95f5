#include "cornu/tensor/cpu_options.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0 {
namespace {

TEST(CpuOptionsTest, TheDefaultClientHasTheThreadsAndTheLevelAskedFor) {
  for (const std::string& level : cpu_isa_level_names()) {
    set_cpu_options({.num_threads = 3, .isa = level});
    EXPECT_EQ(default_client()->num_threads(), 3);
    EXPECT_NE(default_client()->description().find("instruction set " + level + " "), std::string::npos)
        << default_client()->description();
    EXPECT_EQ(ops::sum(Tensor::adopt({3}, std::vector<float>{1, 2, 4})).item<float>(), 7);
  }
  set_default_client(nullptr);
}

TEST(CpuOptionsTest, ALevelThatTheCpuLacksIsAnErrorThatListsThoseItHasAndNothingChanges) {
  const auto before = default_client();
  try {
    set_cpu_options({.isa = "avx1024"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("\"avx1024\" is not one that this CPU has; it has: sse2"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(set_cpu_options({.num_threads = -1}), Error);
  EXPECT_EQ(default_client(), before);
}

}  // namespace
}  // namespace cornu::inline v0
