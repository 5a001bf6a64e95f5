#include "cornu/backends/cpu/plan/update.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {

void UpdateParts::write(ir::Value value, ir::Dims extents, std::optional<IndexMap> from,
                        std::optional<IndexMap> at) {
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return;
  Group part;
  part.stores = {{value, update_.stores[0].buffer, std::move(at), std::move(from)}};
  part.extents = std::move(extents);
  groups_.push_back(std::move(part));
}

void UpdateParts::copy(ir::Value operand, const Store& result) {
  if (operand.type().num_elements() == 0 ||
      (plan_.in_memory(operand) && plan_.buffer_of.at(operand) == result.buffer))
    return;
  Group part;
  part.stores = {{operand, result.buffer}};
  part.extents = operand.dims();
  groups_.push_back(std::move(part));
}

IndexMap shifted(const ir::Dims& offsets) {
  IndexMap map = identity_map(offsets.size());
  for (std::size_t d = 0; d < offsets.size(); ++d) map[d].constant = offsets[d];
  return map;
}

namespace {

/// True if `next` writes the elements after those of `part`, one of a few in a dimension where each part has one: both
/// can be one loop.
bool continues(const Plan& plan, const Group& part, const Group& next) {
  constexpr std::int64_t kMostParts = 4;
  const Store &a = part.stores.back(), &b = next.stores.front();
  if (a.buffer != b.buffer || a.from || b.from || !a.at || !b.at || part.extents != next.extents ||
      part.extents.empty() || part.extents.back() != 1)
    return false;
  const std::int64_t extent = plan.buffers[static_cast<std::size_t>(a.buffer)].type.dims.back();
  if (extent < 2 || extent > kMostParts) return false;
  for (std::size_t d = 0; d < a.at->size(); ++d) {
    const Index &x = (*a.at)[d], &y = (*b.at)[d];
    const bool is_last = d + 1 == a.at->size();
    if (x.coefficients != y.coefficients || !x.dynamic.empty() || !y.dynamic.empty() ||
        y.constant != x.constant + (is_last ? 1 : 0))
      return false;
  }
  return true;
}

/// True if the loop of the part computes elements.
bool computes(const Plan& plan, const Group& part) {
  if (!part.is<LoopGroup>() || part.stores.size() != 1) return false;
  ir::Value value = part.stores[0].value;
  while (!plan.in_memory(value) && value.op() != nullptr && classify(*value.op()) == OpKind::kView)
    value = value.op()->operand(0);
  return !plan.in_memory(value) && value.op() != nullptr && classify(*value.op()) == OpKind::kElementwise;
}

/// True if the parts are loops of one shape, some of which compute: in one loop they share operands and what one part needs
/// of another, as the sums up to each element of a short line do.
bool are_one_loop(const Plan& plan, const ir::Op& op, const std::vector<Group>& parts) {
  // pattern: parts of a concatenate do not overlap
  if (op.name() != "concatenate" || parts.size() < 2 || parts.size() > kMostJoinedParts) return false;
  return std::all_of(parts.begin(), parts.end(),
                     [&](const Group& part) {
                       return part.is<LoopGroup>() && part.extents == parts[0].extents &&
                              part.stores.size() == 1 && !part.stores[0].from;
                     }) &&
         std::any_of(parts.begin(), parts.end(), [&](const Group& part) { return computes(plan, part); });
}

/// Joins parts that write by turns (the real and the imaginary parts of complex numbers, stacked columns), and those that
/// compute.
std::vector<Group> interleave(const Plan& plan, const ir::Op& op, std::vector<Group> parts) {
  std::vector<Group> joined;
  if (are_one_loop(plan, op, parts)) {
    joined.push_back(std::move(parts[0]));
    for (std::size_t i = 1; i < parts.size(); ++i) joined[0].stores.push_back(std::move(parts[i].stores[0]));
    return joined;
  }
  for (Group& part : parts) {
    if (!joined.empty() && continues(plan, joined.back(), part))
      joined.back().stores.push_back(std::move(part.stores.front()));
    else
      joined.push_back(std::move(part));
  }
  return joined;
}

/// The only loop of an update in place; null if there are others, or the update copies its operand.
Group* only_loop(Group& group) {
  if (!group.is<UpdateGroup>() || !UpdateGroup::changes_operands(*group.op) || group.regions[0].size() != 1)
    return nullptr;
  Group& part = group.regions[0][0];
  const auto* const loop = part.as<LoopGroup>();
  return loop != nullptr && loop->tile.empty() && part.stores[0].at ? &part : nullptr;
}

bool stores_to(const Group& group, int buffer) {
  return std::ranges::any_of(group.stores, [&](const Store& store) { return store.buffer == buffer; });
}

bool reads_from(const Plan& plan, const Group& group, const Group& written) {
  return std::ranges::any_of(group_reads(plan, group), [&](const Read& read) {
    return stores_to(written, plan.buffer_of.at(read.value));
  });
}

/// True if the loops of both groups can run as one: neither uses a tensor that the other one writes.
bool can_join(const Plan& plan, const Group& a, const Group& b) {
  return a.extents == b.extents && a.stores.size() + b.stores.size() <= kMostJoinedParts &&
         !stores_to(a, b.stores[0].buffer) && !reads_from(plan, a, b) && !reads_from(plan, b, a);
}

}  // namespace

void join_updates(const Plan& plan, std::vector<Group>& groups) {
  std::vector<Group> joined;
  bool may_join = false;  // the last group is an update with one loop, or the loop of several
  for (Group& group : groups) {
    Group* const loop = only_loop(group);
    if (loop == nullptr || !may_join) {
      may_join = loop != nullptr;
      joined.push_back(std::move(group));
      continue;
    }
    Group& last = joined.back();
    Group& first = last.is<UpdateGroup>() ? last.regions[0][0] : last;
    if (!can_join(plan, first, *loop)) {
      joined.push_back(std::move(group));
      continue;
    }
    first.stores.push_back(std::move(loop->stores[0]));
    if (last.is<UpdateGroup>()) last = Group(std::move(first));
  }
  groups = std::move(joined);
}

std::vector<Group> update_parts(const Plan& plan, const Group& update) {
  const CpuOp* const row = find_cpu_op(*update.op);
  CORNU_CHECK(row != nullptr && row->update.add_parts != nullptr, "no parts of {}", update.op->name());
  UpdateParts parts(plan, update);
  row->update.add_parts(parts, *update.op);
  return interleave(plan, *update.op, parts.take());
}

}  // namespace cornu::inline v0::backends::cpu
