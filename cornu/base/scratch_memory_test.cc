#include "cornu/base/scratch_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

#include "cornu/base/checked_size.h"
#include "cornu/base/error_test_support.h"

namespace cornu::inline v0 {
namespace {

constexpr std::size_t kBytes = std::size_t{192} << 20;

/// Leaves the process almost no memory of its own; mapped files do not count.
class NoFreeMemory {
 public:
  NoFreeMemory() {
    getrlimit(RLIMIT_DATA, &before_);
    const rlimit none = {.rlim_cur = rlim_t{1} << 20, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_DATA, &none);
  }
  ~NoFreeMemory() { setrlimit(RLIMIT_DATA, &before_); }

 private:
  rlimit before_ = {};
};

TEST(ScratchMemoryTest, ValuesThatMemoryHoldsAreInMemory) {
  const auto memory = scratch_memory(::testing::TempDir(), 4096, [] { return "a value"; });
  EXPECT_FALSE(is_in_scratch_file(memory.get()));
  EXPECT_TRUE(std::all_of(memory.get(), memory.get() + 4096, [](std::byte b) { return b == std::byte(0); }));
}

TEST(ScratchMemoryTest, OthersAreInAFile) {
  std::shared_ptr<std::byte> memory;
  {
    const NoFreeMemory limit;
    memory = scratch_memory(::testing::TempDir(), kBytes, [] { return "a value"; });
  }
  ASSERT_TRUE(is_in_scratch_file(memory.get()));
  EXPECT_EQ(memory.get()[kBytes - 1], std::byte(0));
  memory.get()[kBytes - 1] = std::byte(7);
  const void* const begin = memory.get();
  memory.reset();
  EXPECT_FALSE(is_in_scratch_file(begin));
}

TEST(ScratchMemoryTest, AnErrorNamesTheValueAndTheFolder) {
  expect_error(ErrorCode::kResourceExhausted, {"a value needs", "bytes", "/missing/folder"}, [] {
    const auto size = static_cast<std::size_t>(memory_budget_bytes());
    (void)scratch_memory("/missing/folder", size, [] { return "a value"; });
  });
}

}  // namespace
}  // namespace cornu::inline v0
