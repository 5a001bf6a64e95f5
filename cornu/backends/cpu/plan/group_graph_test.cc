#include "cornu/backends/cpu/plan/group_graph.h"

#include <gtest/gtest.h>

#include <random>

namespace cornu::inline v0::backends::cpu {
namespace {

/// The same by a search of all edges.
bool is_before(const std::vector<std::set<int>>& before, int first, int then) {
  std::vector<int> stack = {then};
  std::set<int> seen;
  while (!stack.empty()) {
    const int g = stack.back();
    stack.pop_back();
    for (const int b : before[static_cast<std::size_t>(g)]) {
      if (b == first) return true;
      if (seen.insert(b).second) stack.push_back(b);
    }
  }
  return false;
}

TEST(GroupGraphTest, AnswersAreThoseOfASearchWhileEdgesAreAdded) {
  constexpr int kGroups = 40;
  std::mt19937 random(1);
  std::uniform_int_distribution<int> any(0, kGroups - 1);
  std::vector<std::set<int>> before(kGroups);
  for (int i = 0; i < 20; ++i)
    if (const int a = any(random), b = any(random); a != b && !is_before(before, a, b)) before[a].insert(b);
  GroupGraph graph(before);
  for (int i = 0; i < 200; ++i) {
    const int a = any(random), b = any(random);
    ASSERT_EQ(graph.must_run_before(a, b), is_before(before, a, b)) << a << " " << b;
    if (a == b || is_before(before, b, a)) continue;
    graph.run_before(a, b);
    before[static_cast<std::size_t>(b)].insert(a);
  }
  const std::vector<int> order = graph.sorted([](int) { return 0; });
  ASSERT_EQ(order.size(), static_cast<std::size_t>(kGroups));
  std::set<int> done;
  for (const int g : order) {
    for (const int b : before[static_cast<std::size_t>(g)]) EXPECT_TRUE(done.contains(b)) << g;
    done.insert(g);
  }
}

TEST(GroupGraphTest, TheFirstReadyGroupIsNextAndThoseThatAreNotLateBeforeIt) {
  const GroupGraph graph({{}, {0}, {}, {2}});
  EXPECT_EQ(graph.sorted([](int) { return 0; }), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(graph.sorted([](int g) { return g == 2 ? 0 : 1; }), (std::vector<int>{2, 0, 1, 3}));
}

TEST(GroupGraphTest, ACircleLeavesGroupsOut) {
  EXPECT_EQ(GroupGraph({{}, {2}, {1}}).sorted([](int) { return 0; }), std::vector<int>{0});
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
