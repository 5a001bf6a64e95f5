#include "cornu/backends/cpu/plan/group_graph.h"

#include <algorithm>
#include <queue>

namespace cornu::inline v0::backends::cpu {

GroupGraph::GroupGraph(std::vector<std::set<int>> before)
    : before_(std::move(before)), after_(before_.size()), ranks_(before_.size()), visited_(before_.size()) {
  for (std::size_t g = 0; g < before_.size(); ++g)
    for (int b : before_[g]) after_[static_cast<std::size_t>(b)].push_back(static_cast<int>(g));
  std::size_t next = 0;
  for (const int g : sorted([](int) { return 0; })) rank(g) = next++;
}

/// `start` and the groups that its edges lead to through included ones.
template <typename Edges>
std::vector<int> GroupGraph::reachable(int start, const std::vector<Edges>& edges,
                                       const std::function<bool(int)>& is_included) const {
  ++num_searches_;
  std::vector<int> found = {start};
  visited_[static_cast<std::size_t>(start)] = num_searches_;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int next : edges[static_cast<std::size_t>(found[i])]) {
      std::size_t& visited = visited_[static_cast<std::size_t>(next)];
      if (visited == num_searches_ || !is_included(next)) continue;
      visited = num_searches_;
      found.push_back(next);
    }
  return found;
}

bool GroupGraph::must_run_before(int first, int then) const {
  if (rank(first) >= rank(then)) return false;
  const std::set<int>& direct = before_[static_cast<std::size_t>(then)];
  if (direct.contains(first)) return true;
  const std::vector<int> between = reachable(then, before_, [&](int g) { return rank(g) >= rank(first); });
  return std::find(between.begin(), between.end(), first) != between.end();
}

void GroupGraph::run_before(int first, int then) {
  if (!before_[static_cast<std::size_t>(then)].insert(first).second) return;
  after_[static_cast<std::size_t>(first)].push_back(then);
  if (rank(first) < rank(then)) return;
  // The groups up to `first` that must run before it, then those from `then` on that must run after it, take
  // the positions that both have.
  std::vector<int> moved = reachable(first, before_, [&](int g) { return rank(g) > rank(then); });
  std::vector<int> later = reachable(then, after_, [&](int g) { return rank(g) < rank(first); });
  const auto by_rank = [&](int a, int b) { return rank(a) < rank(b); };
  std::sort(moved.begin(), moved.end(), by_rank);
  std::sort(later.begin(), later.end(), by_rank);
  moved.insert(moved.end(), later.begin(), later.end());
  std::vector<std::size_t> positions;
  positions.reserve(moved.size());
  for (const int g : moved) positions.push_back(rank(g));
  std::sort(positions.begin(), positions.end());
  for (std::size_t i = 0; i < moved.size(); ++i) rank(moved[i]) = positions[i];
}

std::vector<int> GroupGraph::sorted(const std::function<int(int)>& turn_of) const {
  using Turn = std::pair<int, int>;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> ready;
  std::vector<std::size_t> waits(before_.size());
  const auto add = [&](int g) { ready.emplace(turn_of(g), g); };
  for (std::size_t g = 0; g < before_.size(); ++g) {
    waits[g] = before_[g].size();
    if (waits[g] == 0) add(static_cast<int>(g));
  }
  std::vector<int> order;
  while (!ready.empty()) {
    order.push_back(ready.top().second);
    ready.pop();
    for (int next : after_[static_cast<std::size_t>(order.back())])
      if (--waits[static_cast<std::size_t>(next)] == 0) add(next);
  }
  return order;
}

}  // namespace cornu::inline v0::backends::cpu
