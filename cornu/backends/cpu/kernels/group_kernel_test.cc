#include "cornu/backends/cpu/kernels/slices.h"

#include <gtest/gtest.h>

#include <atomic>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

TEST(GroupKernelTest, WhatASliceThrowsReachesTheCallerAfterAllSlicesHaveEnded) {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    std::atomic<int> num_run{0};
    const auto run = [&](std::int64_t failing) {
      for_each_slice(pool, 40, [&](std::int64_t slice) {
        ++num_run;
        if (slice % failing == 7) fail(ErrorCode::kResourceExhausted, "slice {}", slice);
      });
    };
    try {
      run(10);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
    }
    EXPECT_EQ(num_run, 40);
    run(1);
    EXPECT_EQ(num_run, 80);
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
