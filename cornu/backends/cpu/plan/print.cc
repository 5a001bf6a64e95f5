#include <algorithm>

#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

const char* space_name(MemorySpace p) {
  switch (p) {
    case MemorySpace::kArena: return "arena";
    case MemorySpace::kArgument: return "argument";
    case MemorySpace::kOutput: return "output";
    case MemorySpace::kConstant: return "constant";
  }
  return "?";
}

}  // namespace

std::string group_ops(const Group& group) { return group_ops(group, group.members); }

std::string group_ops(const Group& group, std::span<const ir::Op* const> ops) {
  std::string names;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    std::size_t repeats = 1;
    while (i + repeats < ops.size() && ops[i + repeats]->name() == ops[i]->name()) ++repeats;
    if (!names.empty()) names += ' ';
    names += ops[i]->name();
    if (repeats > 1) names += fmt::format("*{}", repeats);
    i += repeats - 1;
  }
  if (group.is<RowsGroup>()) names = "gather_rows";
  return names.empty() ? "copy" : names;
}

std::string plan_str(const Plan& plan) {
  std::string out = fmt::format("plan {} arena={}\n", plan.name, plan.arena_bytes);
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const PlanBuffer& b = plan.buffers[i];
    out += fmt::format("  b{}: {} {}", i, b.type.str(), space_name(b.space));
    out += b.space == MemorySpace::kArena ? fmt::format("+{}", b.offset) : fmt::format("{}", b.index);
    if (!b.strides.empty() && b.strides != ir::row_major_strides(b.type.dims))
      out += fmt::format(" strides=[{}]", fmt::join(b.strides, ","));
    out += '\n';
  }
  for_each_group(plan, [&](const Group& group, int depth) {
    out +=
        fmt::format("  {:{}}{} [{}]", "", 2 * depth, group_kind_name(group), fmt::join(group.extents, "x"));
    if (const auto* loop = group.as<LoopGroup>(); loop != nullptr && !loop->tile.empty())
      out += fmt::format(" tile=[{}]", fmt::join(loop->tile, "x"));
    if (group.num_slices > 1) out += fmt::format(" slices={}", group.num_slices);
    if (group.chain) out += fmt::format(" chain={}", group.chain->first);
    out += std::visit([](const auto& kind) { return kind.notes(); }, group.kind);
    out += ": ";
    std::string reads;
    std::vector<int> seen;
    for (const Read& read : group_reads(plan, group)) {
      const int id = plan.buffer_of.at(read.value);
      if (std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
      seen.push_back(id);
      reads += fmt::format("{}b{}", reads.empty() ? "" : " ", id);
    }
    std::string stores;
    for (const Store& store : group.stores)
      stores += fmt::format("{}b{}", stores.empty() ? "" : " ", store.buffer);
    out += fmt::format("({}) -> {}: {}\n", reads, stores, group_ops(group));
  });
  return out;
}

}  // namespace cornu::inline v0::backends::cpu
