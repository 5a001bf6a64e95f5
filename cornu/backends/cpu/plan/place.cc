#include <algorithm>
#include <map>

#include "cornu/backends/cpu/memory/live_ranges.h"
#include "cornu/backends/cpu/plan/passes.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// A use of a buffer by a group inside regions of these control groups, outermost first.
struct Touch {
  int buffer = 0;
  int first = 0, last = 0;                // the group's id, and that of the last group in its regions
  std::vector<std::pair<int, int>> path;  // of each control group: id, region
  std::vector<int> path_ends;
};

/// Collects the uses in execution order.
class Toucher {
 public:
  explicit Toucher(const Plan& plan) : plan_(plan) { visit(plan.groups); }

  std::vector<Touch> touches;

 private:
  void touch(int buffer, int first, int last) {
    if (plan_.buffers[static_cast<std::size_t>(buffer)].space == MemorySpace::kArena)
      touches.push_back({buffer, first, last, path_, ends_});
  }

  static int last_id(const Group& group) {
    int last = group.id;
    for (const auto& region : group.regions)
      if (!region.empty()) last = std::max(last, last_id(region.back()));
    return last;
  }

  void visit(const std::vector<Group>& groups) {
    for (const Group& group : groups) {
      const int last = last_id(group);
      // The groups of a chain run side by side.
      const int from = group.chain ? group.chain->first : group.id,
                to = group.chain ? group.chain->last : last;
      for (const Store& store : group.stores) touch(store.buffer, from, to);
      if (group.scratch_buffer >= 0) touch(group.scratch_buffer, from, to);
      for (const Read& read : group_reads(plan_, group)) touch(plan_.buffer_of.at(read.value), from, to);
      for (std::size_t r = 0; r < group.regions.size(); ++r) {
        path_.emplace_back(group.id, static_cast<int>(r));
        ends_.push_back(last);
        visit(group.regions[r]);
        // A loop's condition is read after its whole region.
        if (const auto* loop = group.as<WhileGroup>(); loop != nullptr && r == 1 && !group.regions[r].empty())
          touch(loop->condition_buffer, group.regions[r].front().id, last_id(group.regions[r].back()));
        path_.pop_back();
        ends_.pop_back();
      }
    }
  }

  const Plan& plan_;
  std::vector<std::pair<int, int>> path_;
  std::vector<int> ends_;
};

/// Live ranges by buffer, in group numbers. A buffer belongs to the innermost region that contains all its
/// uses; a use in a nested region counts for the whole control group, whose regions run any number of times.
std::map<int, LiveRange> find_live_ranges(const Plan& plan) {
  std::vector<Touch> touches = Toucher(plan).touches;
  if (plan.valid_rows_buffer >= 0)  // written before the first group
    touches.push_back({plan.valid_rows_buffer, 0, std::max(plan.num_groups - 1, 0), {}, {}});
  std::map<int, std::vector<std::pair<int, int>>> homes;
  for (const Touch& touch : touches) {
    auto [at, fresh] = homes.try_emplace(touch.buffer, touch.path);
    std::size_t common = 0;
    while (common < at->second.size() && common < touch.path.size() &&
           at->second[common] == touch.path[common])
      ++common;
    at->second.resize(common);
  }
  std::map<int, LiveRange> live_ranges;
  for (const Touch& touch : touches) {
    const std::size_t depth = homes.at(touch.buffer).size();
    const bool deeper = touch.path.size() > depth;
    const int first = deeper ? touch.path[depth].first : touch.first;
    const int last = deeper ? touch.path_ends[depth] : touch.last;
    const std::size_t bytes = plan.buffers[static_cast<std::size_t>(touch.buffer)].type.size_bytes();
    auto [at, fresh] = live_ranges.try_emplace(touch.buffer, LiveRange{bytes, first, last});
    at->second.first = std::min(at->second.first, first);
    at->second.last = std::max(at->second.last, last);
  }
  return live_ranges;
}

}  // namespace

void place(Plan& plan) {
  std::vector<int> buffers;
  std::vector<LiveRange> live_ranges;
  for (const auto& [buffer, life] : find_live_ranges(plan)) {
    buffers.push_back(buffer);
    live_ranges.push_back(life);
  }
  plan.arena_bytes = std::max(plan.arena_bytes, assign_buffers(live_ranges));
  for (std::size_t i = 0; i < buffers.size(); ++i)
    plan.buffers[static_cast<std::size_t>(buffers[i])].offset = live_ranges[i].offset;
}

}  // namespace cornu::inline v0::backends::cpu
