#include "cornu/base/checked_size.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0 {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

template <typename F>
std::string exhausted_message(F&& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted) << error.what();
    return error.what();
  }
  return "no error";
}

TEST(CheckedSizeTest, ComputesAsIntegersDo) {
  EXPECT_EQ(((CheckedSize(5) - 1) * 3 + 1).value("a window"), 13);
  EXPECT_EQ((CheckedSize(2) - 7).value("a difference"), -5);
  const std::int64_t extents[] = {2, 3, 4};
  EXPECT_EQ(CheckedSize::product(extents).value("a count"), 24);
  EXPECT_EQ(CheckedSize::product({}).value("a count"), 1);
  EXPECT_EQ(CheckedSize(kLargest).value("the largest"), kLargest);
}

TEST(CheckedSizeTest, StaysBeyond63BitsOnceItIs) {
  EXPECT_TRUE((CheckedSize(kLargest) + 1).is_beyond());
  EXPECT_TRUE((CheckedSize(kSmallest) - 1).is_beyond());
  EXPECT_TRUE((CheckedSize(std::int64_t{1} << 32) * (std::int64_t{1} << 31)).is_beyond());
  EXPECT_TRUE(((CheckedSize(kLargest) + 1) * 0).is_beyond());
  EXPECT_TRUE((1 + (CheckedSize(kLargest) + 1)).is_beyond());
  EXPECT_TRUE(CheckedSize(std::uint64_t{1} << 63).is_beyond());
  EXPECT_EQ(exhausted_message([] { (void)(CheckedSize(kLargest) + 1).value("[conv] the window"); }),
            "[conv] the window is beyond 63 bits");
}

TEST(MemoryBudgetTest, RefusesBeforeAnythingIsDoneWhatNoMemoryHolds) {
  EXPECT_GT(memory_budget_bytes(), 0);
  bool has_run = false;
  const std::string message = exhausted_message(
      [&] { with_host_memory(std::int64_t{1} << 60, "[here] a list", [&] { has_run = true; }); });
  EXPECT_TRUE(message.starts_with(
      "[here] a list takes 1152921504606846976 bytes, for which there is no memory; this process can have "))
      << message;
  EXPECT_FALSE(has_run);
  EXPECT_EQ(exhausted_message([&] { check_memory(CheckedSize(kLargest) * 2, "[here] a list"); }),
            "[here] a list takes more bytes than 63 bits can count");
}

TEST(MemoryBudgetTest, AnAllocationThatFailsIsNoMemory) {
  EXPECT_TRUE(exhausted_message([] {
                with_host_memory(8, "a list", [] { throw std::bad_alloc(); });
              }).starts_with("a list takes 8 bytes"));
  EXPECT_TRUE(exhausted_message([] {
                with_host_memory(8, "a list", [] { throw std::length_error("vector"); });
              }).starts_with("a list takes 8 bytes"));
}

TEST(MemoryBudgetTest, HostVectorsCountTheirElementsBytes) {
  EXPECT_EQ(host_vector<double>(3, "three numbers", 2.5), (std::vector<double>{2.5, 2.5, 2.5}));
  EXPECT_EQ(exhausted_message([] { (void)host_vector<double>(std::int64_t{1} << 60, "numbers"); }),
            "numbers takes more bytes than 63 bits can count");
  EXPECT_NE(exhausted_message([] {
              (void)host_vector<double>(std::int64_t{1} << 56, "numbers");
            }).find(" 576460752303423488 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0
