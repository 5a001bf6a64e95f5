#include <algorithm>
#include <map>

#include "cornu/backends/cpu/plan/passes.h"

namespace cornu::backends::cpu {
namespace {

constexpr std::size_t kAlignment = 64;  // a cache line and the widest vector

struct Life {
  int buffer = 0;
  std::size_t size_bytes = 0;
  std::size_t first = 0;  // groups, both included
  std::size_t last = 0;
};

}  // namespace

/// First fit by falling size: large buffers choose first.
void place(Plan& plan) {
  std::map<int, Life> lives;
  auto touch = [&](int buffer, std::size_t group) {
    const PlanBuffer& b = plan.buffers[static_cast<std::size_t>(buffer)];
    if (b.place != Place::kArena) return;
    const std::size_t size = (b.type.size_bytes() + kAlignment - 1) / kAlignment * kAlignment;
    auto [at, fresh] = lives.try_emplace(buffer, Life{buffer, size, group, group});
    at->second.first = std::min(at->second.first, group);
    at->second.last = std::max(at->second.last, group);
  };
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    for (const Store& store : plan.groups[g].stores) touch(store.buffer, g);
    for (const Read& read : group_reads(plan, plan.groups[g])) touch(plan.buffer_of.at(read.value), g);
  }
  if (plan.valid_rows_buffer >= 0) {  // written before the first group
    touch(plan.valid_rows_buffer, 0);
    touch(plan.valid_rows_buffer, plan.groups.empty() ? 0 : plan.groups.size() - 1);
  }
  std::vector<Life> order;
  for (const auto& [id, life] : lives) order.push_back(life);
  std::stable_sort(order.begin(), order.end(), [](const Life& a, const Life& b) { return a.size_bytes > b.size_bytes; });
  std::vector<Life> placed;
  for (const Life& life : order) {
    std::vector<std::pair<std::size_t, std::size_t>> taken;  // offset, end
    for (const Life& other : placed)
      if (other.first <= life.last && life.first <= other.last) {
        const std::size_t offset = plan.buffers[static_cast<std::size_t>(other.buffer)].offset;
        taken.emplace_back(offset, offset + other.size_bytes);
      }
    std::sort(taken.begin(), taken.end());
    std::size_t offset = 0;
    for (const auto& [begin, end] : taken) {
      if (offset + life.size_bytes <= begin) break;
      offset = std::max(offset, end);
    }
    plan.buffers[static_cast<std::size_t>(life.buffer)].offset = offset;
    plan.arena_bytes = std::max(plan.arena_bytes, offset + life.size_bytes);
    placed.push_back(life);
  }
}

}  // namespace cornu::backends::cpu
