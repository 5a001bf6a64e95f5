#include "cornu/backends/cpu/memory/live_ranges.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace cornu::inline v0::backends::cpu {

std::size_t assign_buffers(std::span<LiveRange> live_ranges) {
  for (LiveRange& life : live_ranges)
    life.size_bytes = (life.size_bytes + kAlignment - 1) / kAlignment * kAlignment;
  std::vector<std::size_t> order(live_ranges.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return live_ranges[a].size_bytes > live_ranges[b].size_bytes;
  });
  std::size_t total_bytes = 0;
  std::vector<const LiveRange*> placed;
  std::vector<std::pair<std::size_t, std::size_t>> taken;  // offset, end
  for (const std::size_t i : order) {
    LiveRange& life = live_ranges[i];
    taken.clear();
    for (const LiveRange* other : placed)
      if (other->first <= life.last && life.first <= other->last)
        taken.emplace_back(other->offset, other->offset + other->size_bytes);
    std::sort(taken.begin(), taken.end());
    for (const auto& [begin, end] : taken) {
      if (life.offset + life.size_bytes <= begin) break;
      life.offset = std::max(life.offset, end);
    }
    total_bytes = std::max(total_bytes, life.offset + life.size_bytes);
    placed.push_back(&life);
  }
  return total_bytes;
}

}  // namespace cornu::inline v0::backends::cpu
