#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace cornu::inline v0::backends::cpu {

/// The groups of a block by number, and which of them must run before which. The graph keeps a topological
/// order, so a query looks at the groups between its two only (Pearce and Kelly, "A dynamic topological sort
/// algorithm for directed acyclic graphs", 2006).
class GroupGraph {
 public:
  GroupGraph() = default;
  /// `before`: the groups that must run directly before each. They must not depend on each other in a circle.
  explicit GroupGraph(std::vector<std::set<int>> before);

  /// True if `first` must run before `then`, directly or by others; false for a group and itself.
  bool must_run_before(int first, int then) const;
  /// Adds that `first` must run before `then`. The opposite must not hold.
  void run_before(int first, int then);

  /// The groups in an order in which they may run. Of those that may run next it takes the first one of the
  /// lowest `turn_of`. Shorter if they depend on each other in a circle.
  std::vector<int> sorted(const std::function<int(int)>& turn_of) const;

 private:
  std::size_t& rank(int g) { return ranks_[static_cast<std::size_t>(g)]; }
  std::size_t rank(int g) const { return ranks_[static_cast<std::size_t>(g)]; }
  template <typename Edges>
  std::vector<int> reachable(int start, const std::vector<Edges>& edges,
                             const std::function<bool(int)>& is_included) const;

  std::vector<std::set<int>> before_;
  std::vector<std::vector<int>> after_;
  std::vector<std::size_t> ranks_;            // positions in the topological order
  mutable std::vector<std::size_t> visited_;  // by group: the number of the last search that saw it
  mutable std::size_t num_searches_ = 0;
};

}  // namespace cornu::inline v0::backends::cpu
