#include "cornu/backends/cpu/memory/live_ranges.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace cornu::inline v0::backends::cpu {
namespace {

/// A union of half-open intervals of offsets, in which neighbours are merged.
class OffsetSet {
 public:
  void add(std::size_t begin, std::size_t end) {
    // The intervals that touch the new one become one with it.
    const auto low = std::lower_bound(intervals_.begin(), intervals_.end(), begin,
                                      [](const Interval& i, std::size_t at) { return i.end < at; });
    auto high = low;
    for (; high != intervals_.end() && high->begin <= end; ++high) {
      begin = std::min(begin, high->begin);
      end = std::max(end, high->end);
    }
    if (low == high) {
      intervals_.insert(low, {begin, end});
      return;
    }
    *low = {begin, end};
    intervals_.erase(low + 1, high);
  }

  /// The end of the first interval that overlaps with `size` bytes from `begin` on; `begin` if there is none.
  std::size_t end_of_overlap(std::size_t begin, std::size_t size) const {
    const auto found = std::upper_bound(intervals_.begin(), intervals_.end(), begin,
                                        [](std::size_t at, const Interval& i) { return at < i.end; });
    return found == intervals_.end() || found->begin >= begin + size ? begin : found->end;
  }

  bool empty() const { return intervals_.empty(); }

 private:
  struct Interval {
    std::size_t begin, end;
  };
  std::vector<Interval> intervals_;
};

/// The offsets in use at each step: a tree over the steps, so that pieces that are alive together are not
/// compared with each other. A node has the offsets of pieces that live in all its steps, and those of pieces that
/// live in some of them.
class OccupiedOffsets {
 public:
  explicit OccupiedOffsets(int num_steps) {
    while (num_leaves_ < num_steps) num_leaves_ *= 2;
    nodes_.resize(2 * static_cast<std::size_t>(num_leaves_));
  }

  void add(const LiveRange& life) { add(life, 1, 0, num_leaves_ - 1); }

  /// The least offset at which a piece fits in all its steps.
  std::size_t first_fit(const LiveRange& life) {
    sets_.clear();
    find(life, 1, 0, num_leaves_ - 1);
    std::size_t offset = 0;
    // Round and round until no set moves the offset.
    for (std::size_t i = 0, num_free = 0; num_free < sets_.size(); i = (i + 1) % sets_.size()) {
      const std::size_t next = sets_[i]->end_of_overlap(offset, life.size_bytes);
      num_free = next == offset ? num_free + 1 : 0;
      offset = next;
    }
    return offset;
  }

 private:
  struct Node {
    OffsetSet in_all, in_some;
  };

  void add(const LiveRange& life, std::size_t node, int first, int last) {
    if (life.last < first || life.first > last) return;
    const std::size_t end = life.offset + life.size_bytes;
    nodes_[node].in_some.add(life.offset, end);
    if (life.first <= first && last <= life.last) {
      nodes_[node].in_all.add(life.offset, end);
      return;
    }
    const int middle = first + (last - first) / 2;
    add(life, 2 * node, first, middle);
    add(life, 2 * node + 1, middle + 1, last);
  }

  void find(const LiveRange& life, std::size_t node, int first, int last) {
    if (life.last < first || life.first > last || nodes_[node].in_some.empty()) return;
    if (life.first <= first && last <= life.last) {
      sets_.push_back(&nodes_[node].in_some);
      return;
    }
    if (!nodes_[node].in_all.empty()) sets_.push_back(&nodes_[node].in_all);
    const int middle = first + (last - first) / 2;
    find(life, 2 * node, first, middle);
    find(life, 2 * node + 1, middle + 1, last);
  }

  int num_leaves_ = 1;
  std::vector<Node> nodes_;
  std::vector<const OffsetSet*> sets_;  // of one search
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
  int num_steps = 1;
  for (const LiveRange& life : live_ranges) num_steps = std::max(num_steps, life.last + 1);
  std::size_t total_bytes = 0;
  OccupiedOffsets occupied(num_steps);
  for (const std::size_t i : order) {
    LiveRange& life = live_ranges[i];
    life.offset = 0;
    if (life.size_bytes == 0) continue;
    life.offset = occupied.first_fit(life);
    total_bytes = std::max(total_bytes, life.offset + life.size_bytes);
    occupied.add(life);
  }
  return total_bytes;
}

}  // namespace cornu::inline v0::backends::cpu
