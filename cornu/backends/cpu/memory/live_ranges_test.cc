#include "cornu/backends/cpu/memory/live_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace cornu::inline v0::backends::cpu {
namespace {

/// First fit by descending size against all pieces.
std::vector<std::size_t> first_fit(std::vector<LiveRange> ranges) {
  std::vector<std::size_t> order(ranges.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    ranges[i].size_bytes = (ranges[i].size_bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranges[a].size_bytes > ranges[b].size_bytes; });
  std::vector<std::size_t> placed, offsets(ranges.size());
  for (const std::size_t i : order) {
    std::vector<std::pair<std::size_t, std::size_t>> taken;
    for (const std::size_t other : placed)
      if (ranges[other].first <= ranges[i].last && ranges[i].first <= ranges[other].last)
        taken.emplace_back(offsets[other], offsets[other] + ranges[other].size_bytes);
    std::sort(taken.begin(), taken.end());
    for (const auto& [begin, end] : taken) {
      if (offsets[i] + ranges[i].size_bytes <= begin) break;
      offsets[i] = std::max(offsets[i], end);
    }
    placed.push_back(i);
  }
  return offsets;
}

TEST(LiveRangesTest, OffsetsAreThoseOfFirstFitAgainstAllPieces) {
  std::mt19937 random(1);
  for (const std::size_t count : {0U, 1U, 2U, 3U, 8U, 100U, 500U}) {
    std::vector<LiveRange> ranges(count);
    for (LiveRange& range : ranges) {
      range.size_bytes = random() % 1000;
      range.first = static_cast<int>(random() % 300);
      range.last = range.first + static_cast<int>(random() % 40);
    }
    const std::vector<std::size_t> expected = first_fit(ranges);
    const std::size_t total = assign_buffers(ranges);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(ranges[i].offset, expected[i]) << i << " of " << count;
      EXPECT_LE(ranges[i].offset + ranges[i].size_bytes, total);
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
