#include <algorithm>

#include "cornu/backends/cpu/plan/fuser.h"
#include "cornu/backends/cpu/plan/update.h"

namespace cornu::inline v0::backends::cpu::fusing {

namespace {

/// True if `viewed` has the elements of `base` in the same order.
bool is_in_order(Value viewed, Value base) {
  for (; viewed != base; viewed = viewed.op()->operand(0))
    if (viewed.op()->name() != "reshape") return false;  // pattern: only reshapes keep the order
  return true;
}

/// True if a loop reads `base` through views at another element in each of many iterations of its last
/// dimension, and the same elements repeatedly: statistics of channels, for example. Recomputing them would
/// cost time for every element of the loop.
bool is_repeated(Value viewed, Value base) {
  constexpr std::int64_t kFewestIterations = 16 * 1024;
  const std::int64_t iterations = viewed.type().num_elements();
  if (viewed == base || iterations < kFewestIterations ||
      base.type().num_elements() * kSmallShare > iterations)
    return false;
  IndexMap map = identity_map(viewed.dims().size());
  for (; viewed != base; viewed = viewed.op()->operand(0)) {
    std::optional<IndexMap> inner = operand_map(*viewed.op(), map);
    if (!inner) return false;
    map = std::move(*inner);
  }
  // A read through a scalar has no coefficients.
  return std::any_of(map.begin(), map.end(), [](const Index& index) {
    return !index.coefficients.empty() && index.coefficients.back() != 0;
  });
}

}  // namespace

// pattern: a concatenate computes its parts where it writes them
bool is_concatenate(const Op& op) { return op.name() == "concatenate"; }

bool makes_parts_together(const Op& op) {
  const auto operands = op.operands();
  if (!is_concatenate(op) || operands.size() < 2 || operands.size() > kMostJoinedParts) return false;
  return std::all_of(operands.begin(), operands.end(),
                     [&](Value part) { return part.dims() == operands[0].dims(); }) &&
         std::any_of(operands.begin(), operands.end(), [](Value part) {
           const Value base = behind_views(part);
           return base.op() != nullptr && classify(*base.op()) == OpKind::kElementwise;
         });
}

/// The cost of recomputing v from values in memory, in vector additions; a large number if it exceeds `most`,
/// or recomputing is impossible.
double Fuser::rematerialization_cost(Value v, double most) const {
  v = behind_views(v);
  if (v.op() == nullptr || v.block() != &block || materialised.contains(v) ||
      classify(*v.op()) == OpKind::kLeaf)
    return 0;
  if (classify(*v.op()) != OpKind::kElementwise) return 1e9;
  double cost = elementwise_cost(*v.op());
  for (const Value& operand : v.op()->operands())
    if (cost <= most) cost += rematerialization_cost(operand, most - cost);
  return cost <= most ? cost : 1e9;
}

/// Gives memory to some values in a long chain of views, since access through views is resolved by recursion.
void Fuser::cut_view_chains() {
  constexpr int kMaxViews = 64;
  std::unordered_map<Value, int, ir::ValueHash> depth;
  for (const auto& op : block.ops()) {
    if (classify(*op) != OpKind::kView) continue;
    const auto found = depth.find(op->operand(0));
    const int mine = found == depth.end() ? 1 : found->second + 1;
    if (mine >= kMaxViews) materialised.insert(op->result());
    depth[op->result()] = mine >= kMaxViews ? 0 : mine;
  }
}

/// True if all ops that use v, through views or directly, are such users.
bool Fuser::is_used_only_by(Value v, const std::function<bool(const Op&)>& is_user) const {
  const auto users = consumers.find(v);
  if (users == consumers.end()) return true;
  return std::all_of(users->second.begin(), users->second.end(), [&](const Op* user) {
    return classify(*user) == OpKind::kView ? is_used_only_by(user->result(), is_user) : is_user(*user);
  });
}

/// The values that a reader would compute with v: all operands of one that makes them together.
std::vector<const Op*> Fuser::made_with(Value v, const Cluster& reader) const {
  if (reader.root == nullptr || !makes_parts_together(*reader.root)) return {v.op()};
  std::vector<const Op*> made;
  for (const Value& operand : reader.root->operands()) {
    const Value base = behind_views(operand);
    if (base.op() != nullptr && base.block() == &block && !materialised.contains(base) &&
        is_loop_op(*base.op()))
      made.push_back(base.op());
  }
  return made;
}

/// These ops and the loops' ops that make their operands, up to values in memory; nothing if something else makes one, or
/// they are more than `most`.
std::optional<std::unordered_set<const Op*>> Fuser::loop_ops_of(std::vector<const Op*> wanted,
                                                                std::size_t most) const {
  std::unordered_set<const Op*> made(wanted.begin(), wanted.end());
  while (!wanted.empty()) {
    const Op* op = wanted.back();
    wanted.pop_back();
    if (is_tiled(*op) || made.size() > most) return std::nullopt;
    for (const Value& operand : op->operands()) {
      const Value base = behind_views(operand);
      if (base.op() == nullptr || base.block() != &block || materialised.contains(base) ||
          classify(*base.op()) == OpKind::kLeaf)
        continue;
      if (!is_loop_op(*base.op())) return std::nullopt;
      if (made.insert(base.op()).second) wanted.push_back(base.op());
    }
  }
  return made;
}

/// True if only one other loop reads v, each element once, and the inputs of v have no other use (or are
/// cheap): that loop then computes v. A concatenate is such a loop too.
bool Fuser::is_made_for_one(Value v, const std::set<Reading>& readings) const {
  constexpr std::size_t kMostOps = 256;
  if (readings.size() != 1 || !readings.begin()->is_in_order) return false;
  const int reading = readings.begin()->cluster;
  const Cluster& reader = clusters[static_cast<std::size_t>(reading)];
  if ((reader.root != nullptr && !is_concatenate(*reader.root)) || reading == cluster_of.at(v.op()) ||
      reader.ops.size() > kMostOps)
    return false;
  const bool is_joint = reader.root != nullptr && makes_parts_together(*reader.root);
  const auto is_in_reader = [&](const Op& op) {
    const auto found = cluster_of.find(&op);
    return found != cluster_of.end() && found->second == reading;
  };
  const auto made = loop_ops_of(made_with(v, reader), kMostOps - reader.ops.size());
  if (!made) return false;
  const auto is_made = [&](const Op& user) {
    return made->contains(&user) || (is_joint && is_in_reader(user));
  };
  const auto uses_v = [&](const Op& user) { return is_joint ? is_made(user) : is_in_reader(user); };
  return is_used_only_by(v, uses_v) && std::all_of(made->begin(), made->end(), [&](const Op* op) {
           return op == v.op() || is_used_only_by(op->result(), is_made) ||
                  rematerialization_cost(op->result(), kRecompute) <= kRecompute;
         });
}

/// True if recomputing v needs the windows of a max pool's gradient, which only that op's own loop has.
bool Fuser::is_made_by_windows(Value v) const {
  std::unordered_set<const Op*> seen;
  std::vector<Value> stack = {v};
  while (!stack.empty()) {
    const Value base = behind_views(stack.back());
    stack.pop_back();
    if (base.op() == nullptr || base.block() != &block || materialised.contains(base) ||
        !is_loop_op(*base.op()) || !seen.insert(base.op()).second)
      continue;
    if (is_tiled(*base.op())) return true;
    const auto operands = base.op()->operands();
    stack.insert(stack.end(), operands.begin(), operands.end());
  }
  return false;
}

/// The tensors in memory, without small ones, that computing these ops reads. For readers of `except` they
/// exclude tensors that are read only to compute `except`.
std::unordered_set<Value, ir::ValueHash> Fuser::sources_of(std::span<const Op* const> ops,
                                                           Value except) const {
  const std::size_t smallest_bytes = except.type().size_bytes() / kSmallShare;
  std::unordered_set<Value, ir::ValueHash> sources, seen = {except};
  std::vector<const Op*> stack(ops.begin(), ops.end());
  while (!stack.empty()) {
    const Op* const next = stack.back();
    stack.pop_back();
    for (const Value& operand : next->operands()) {
      const Value base = behind_views(operand);
      if (base.type().size_bytes() < smallest_bytes || !seen.insert(base).second) continue;
      if (base.op() == nullptr || base.block() != &block || materialised.contains(base))
        sources.insert(base);
      else if (is_loop_op(*base.op()))
        stack.push_back(base.op());
    }
  }
  return sources;
}

/// True if all readers of a large v should compute it: this takes few operations, and each reader needs at
/// most one more tensor, which is not larger. It saves writing v, which costs twice its bytes (the cache
/// fetches lines before they are written).
bool Fuser::is_cheaper_than_its_bytes(Value v, const std::set<Reading>& readings) const {
  const std::size_t bytes = v.type().size_bytes();
  if (bytes < kLargeBytes || rematerialization_cost(v, kRecomputeLarge) > kRecomputeLarge) return false;
  const Op* const made[] = {v.op()};
  const std::unordered_set<Value, ir::ValueHash> needed = sources_of(made, v);
  return std::all_of(readings.begin(), readings.end(), [&](const Reading& reading) {
    if (!reading.is_in_order || reading.windows != nullptr) return false;
    const std::unordered_set<Value, ir::ValueHash> read =
        sources_of(clusters[static_cast<std::size_t>(reading.cluster)].ops, v);
    std::size_t more = 0;
    for (const Value& source : needed)
      if (!read.contains(source)) more += source.type().size_bytes();
    return more <= bytes;
  });
}

/// Finds values read by another cluster, or by their own at another index.
Readings Fuser::find_readings() const {
  Readings found;
  for (const auto& op : block.ops()) {
    const OpKind c = classify(*op);
    if (c == OpKind::kView && forced.contains(op->result())) {
      const Value base = behind_views(op->result());
      if (!is_in_order(op->result(), base)) found.copied[base] |= is_repeated(op->result(), base);
    }
    if (c == OpKind::kView || c == OpKind::kLeaf) continue;
    const int mine = cluster_of.at(op.get());
    for (const Value& operand : op->operands()) {
      const Value base = behind_views(operand);
      if (base.op() == nullptr || base.block() != &block || !is_loop_op(*base.op())) continue;
      const bool windows = reads_windows(*op, operand);
      const bool same_index = base == operand && cluster_of.at(base.op()) == mine && !windows;
      if (same_index) continue;
      found.crossing[base].insert({mine, operand.id(), windows ? op.get() : nullptr,
                                   is_in_order(operand, base), is_repeated(operand, base)});
    }
  }
  return found;
}

/// True if a copy of v in another order would compute v expensively: repeatedly, or from windows.
bool Fuser::is_copy_of_costly(Value v, const Readings& readings) const {
  const auto copy = readings.copied.find(v);
  return copy != readings.copied.end() &&
         ((copy->second && rematerialization_cost(v, kRecompute) > kRecompute) || is_made_by_windows(v));
}

/// True if the readers of v compute it: it is cheap to recompute from memory, or a single other loop needs it
/// once. A value that is small compared with a loop that would compute it for each of its elements gets
/// memory.
bool Fuser::is_recomputed(Value v, const std::set<Reading>& readings) const {
  const bool is_repeated = std::any_of(readings.begin(), readings.end(),
                                       [](const Reading& reading) { return reading.is_repeated; });
  return options.fuse && !is_repeated &&
         (rematerialization_cost(v, kRecompute) <= kRecompute || is_cheaper_than_its_bytes(v, readings) ||
          is_made_for_one(v, readings));
}

void Fuser::choose_materialised() {
  materialised = forced;
  materialised.insert(block.arguments().begin(), block.arguments().end());
  for (const auto& op : block.ops())
    if (has_own_group(classify(*op)) && !nested.contains(op.get()))
      materialised.insert(op->results().begin(), op->results().end());
  const Readings readings = find_readings();
  cut_view_chains();
  for (const auto& op : block.ops()) {  // in program order: a choice depends on earlier ones
    if (!is_loop_op(*op)) continue;
    const Value v = op->result();
    if (is_copy_of_costly(v, readings)) materialised.insert(v);
    if (const auto found = readings.crossing.find(v);
        found != readings.crossing.end() && !materialised.contains(v) && !is_recomputed(v, found->second))
      materialised.insert(v);
  }
}

}  // namespace cornu::inline v0::backends::cpu::fusing
