#include "cornu/backends/remote/client/pace.h"

#include <gtest/gtest.h>

namespace cornu::inline v0::backends::remote {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// Transfers pieces, two of them in flight, over a link of `bytes_a_second`.
void transfer(Pace& pace, double bytes_a_second, double round_trip, std::size_t num_bytes) {
  for (std::size_t at = 0; at < num_bytes;) {
    const std::size_t size = pace.piece_bytes();
    pace.note(size, round_trip + 2 * static_cast<double>(size) / bytes_a_second);
    at += size;
  }
}

TEST(PaceTest, AFastLinkSoonHasTheLargestPieces) {
  Pace pace;
  transfer(pace, 1e9, 0.06, std::size_t{8} << 20);
  EXPECT_EQ(pace.piece_bytes(), Pace::kMostBytes);
  EXPECT_EQ(pace.message_bytes(), kNoLimit);
}

TEST(PaceTest, WhatIsUnderWayOnASlowLinkTakesASecondOrTwo) {
  for (const double bytes_a_second : {2e5, 5e5, 1e6, 2e6}) {
    Pace pace;
    transfer(pace, bytes_a_second, 0.06, std::size_t{8} << 20);
    EXPECT_LE(2 * static_cast<double>(pace.piece_bytes()) / bytes_a_second, 1.1) << bytes_a_second;
    EXPECT_LE(static_cast<double>(pace.message_bytes()) / bytes_a_second, 2.2) << bytes_a_second;
  }
}

TEST(PaceTest, ALinkThatWasLostIsTriedWithLittleAndGetsFasterAgain) {
  Pace pace;
  pace.note_loss();
  EXPECT_EQ(pace.piece_bytes(), Pace::kLeastBytes);
  EXPECT_EQ(pace.message_bytes(), 4 * Pace::kLeastBytes);
  transfer(pace, 1e9, 0.06, std::size_t{16} << 20);
  EXPECT_EQ(pace.message_bytes(), kNoLimit);
}

TEST(PaceTest, AnExecutionThatTakesLongSaysNothingOfTheLink) {
  Pace pace;
  pace.note_work(std::size_t{1} << 20, 10);
  EXPECT_EQ(pace.piece_bytes(), Pace::kFirstBytes);
  EXPECT_EQ(pace.message_bytes(), kNoLimit);
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
