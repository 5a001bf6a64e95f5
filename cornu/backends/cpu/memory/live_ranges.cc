#include "cornu/backends/cpu/memory/live_ranges.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace cornu::inline v0::backends::cpu {
namespace {

/// Live ranges in a tree: leaves by their first step, each node with the last step of the ranges that were
/// added below it. A query takes log(n) steps for each range that it finds.
class RangeTree {
 public:
  explicit RangeTree(std::span<const LiveRange> ranges) : ranges_(ranges), by_first_(ranges.size()) {
    std::iota(by_first_.begin(), by_first_.end(), 0);
    std::stable_sort(by_first_.begin(), by_first_.end(),
                     [&](std::size_t a, std::size_t b) { return ranges_[a].first < ranges_[b].first; });
    leaf_of_.resize(ranges.size());
    for (std::size_t leaf = 0; leaf < by_first_.size(); ++leaf) leaf_of_[by_first_[leaf]] = leaf;
    while (num_leaves_ < ranges.size()) num_leaves_ *= 2;
    last_.assign(2 * num_leaves_, kNone);
  }

  void add(std::size_t range) {
    for (std::size_t node = num_leaves_ + leaf_of_[range]; node > 0; node /= 2)
      last_[node] = std::max(last_[node], ranges_[range].last);
  }

  /// Calls `visit` for each added range that lives in one of the steps `first` to `last`.
  template <typename Visit>
  void for_each_overlap(int first, int last, const Visit& visit) const {
    std::vector<std::size_t> nodes = {1};
    while (!nodes.empty()) {
      const std::size_t node = nodes.back();
      nodes.pop_back();
      if (last_[node] < first || first_of(node) > last) continue;
      if (node >= num_leaves_) {
        visit(ranges_[by_first_[node - num_leaves_]]);
        continue;
      }
      nodes.push_back(2 * node);
      nodes.push_back(2 * node + 1);
    }
  }

 private:
  static constexpr int kNone = std::numeric_limits<int>::min();

  /// The first step of the leftmost range below a node.
  int first_of(std::size_t node) const {
    while (node < num_leaves_) node *= 2;
    const std::size_t leaf = node - num_leaves_;
    return leaf < by_first_.size() ? ranges_[by_first_[leaf]].first : std::numeric_limits<int>::max();
  }

  std::span<const LiveRange> ranges_;
  std::vector<std::size_t> by_first_, leaf_of_;
  std::size_t num_leaves_ = 1;
  std::vector<int> last_;
};

}  // namespace

std::size_t assign_buffers(std::span<LiveRange> live_ranges) {
  for (LiveRange& life : live_ranges)
    life.size_bytes = (life.size_bytes + kAlignment - 1) / kAlignment * kAlignment;
  std::vector<std::size_t> order(live_ranges.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return live_ranges[a].size_bytes > live_ranges[b].size_bytes;
  });
  std::size_t total_bytes = 0;
  RangeTree placed(live_ranges);
  std::vector<std::pair<std::size_t, std::size_t>> taken;  // offset, end
  for (const std::size_t i : order) {
    LiveRange& life = live_ranges[i];
    taken.clear();
    placed.for_each_overlap(life.first, life.last, [&](const LiveRange& other) {
      taken.emplace_back(other.offset, other.offset + other.size_bytes);
    });
    std::sort(taken.begin(), taken.end());
    for (const auto& [begin, end] : taken) {
      if (life.offset + life.size_bytes <= begin) break;
      life.offset = std::max(life.offset, end);
    }
    total_bytes = std::max(total_bytes, life.offset + life.size_bytes);
    placed.add(i);
  }
  return total_bytes;
}

}  // namespace cornu::inline v0::backends::cpu
