#include "cornu/base/memory_allowance.h"

#include <gtest/gtest.h>

#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0 {
namespace {

std::string claim(CheckedSize num_bytes) {
  try {
    claim_memory(num_bytes, [] { return std::string("the table"); });
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
    return error.what();
  }
  return "no error";
}

TEST(MemoryAllowanceTest, AllClaimsTogetherMayComeToSoMuch) {
  EXPECT_EQ(claim(50'000), "no error");
  {
    const MemoryAllowance allowance(100'000);
    EXPECT_EQ(claim(60'000), "no error");
    EXPECT_EQ(
        claim(60'000),
        "the table would take 60000 bytes: a file's description may claim 100000 bytes besides its weights");
    EXPECT_EQ(claim(40'000), "no error");
  }
  EXPECT_EQ(claim(200'000), "no error");
}

TEST(MemoryAllowanceTest, WhatNoMachineHasIsRefusedWithoutOne) {
  EXPECT_NE(claim(std::int64_t{1} << 60).find("for which there is no memory"), std::string::npos);
  EXPECT_NE(claim(CheckedSize(std::int64_t{1} << 62) * 8).find("63 bits"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0
