#include <algorithm>
#include <set>
#include <unordered_set>

#include "cornu/backends/cpu/plan/group_graph.h"
#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/plan/recomputed.h"
#include "cornu/base/check.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Value;

/// True if an iteration of the loop writes the result's element at `map`, and no element at other indices.
bool writes_at(const Group& loop, Value result, const IndexMap& map) {
  return std::any_of(loop.stores.begin(), loop.stores.end(), [&](const Store& store) {
    if (store.value != result || store.is_sum) return false;
    if (!store.at) return !store.from && is_identity(map, loop.extents);
    return store.from && same_map(*store.at, *store.from) && same_map(*store.at, map);
  });
}

using GroupsOfBuffers = std::unordered_map<int, std::vector<int>>;

struct Orderer {
  Plan& plan;
  const ir::Block& block;
  std::vector<Group>& groups;
  const std::vector<OrderTarget>& targets;
  GroupGraph graph = {};                      // without the copies at the end
  int first_copy = 0;                         // the groups from here on run last, in this order
  std::vector<std::vector<Read>> reads = {};  // of each group
  std::unordered_map<Value, std::vector<int>, ir::ValueHash> writers = {}, readers = {};
  /// Groups that may use each buffer, and that may write it. Users that must run before a group that updated
  /// the buffer in place, and so before all later users, are left out.
  GroupsOfBuffers buffer_users = {}, buffer_writers = {};
  std::unordered_map<Value, std::vector<Value>, ir::ValueHash> aliases_of = {};
  std::unordered_map<int, const OrderTarget*> target_of = {};  // by buffer
  std::unordered_set<Value, ir::ValueHash>
      results = {},
      replaced = {};  // of the block, with the operands of reshapes; old values of states

  Group& group(int g) { return groups[static_cast<std::size_t>(g)]; }
  Value aliased(Value v) const;
  void make_indices();
  void add_reads_through_views(std::vector<Read>& all) const;
  void find_dependencies();
  bool reaches(int from, int to) const;
  bool reads_buffer(int g, int buffer) const;
  bool writes_buffer(int g, int buffer) const;
  std::vector<int> users_of(int buffer) const;
  std::vector<int> writers_of(int buffer) const;
  const OrderTarget* target_of_buffer(int buffer) const;
  void update_in_place();
  bool try_update_in_place(int w, Value operand, Value result);
  bool may_hold(int buffer, Value result) const;
  bool reads_only_to_update(int w, Value operand, Value result) const;
  bool may_die(Value operand) const;
  void reach_targets();
  void write_over_dead_operands();
  std::unordered_map<int, int> count_writers() const;
  bool may_move(int w, const Store& store) const;
  int write_over_dead_operand(int w, const Store& store);
  bool overwrite(const OrderTarget& target);
  bool may_write_over_own_read(int w, int buffer, Value result) const;
  void move_value(int w, Value value, int buffer);
  void add_copy(Value result, int buffer);
  void sort();
};

/// The operand of a reshape that shares its buffer; any other value itself.
Value Orderer::aliased(Value v) const {
  const auto found = plan.aliases.find(v);
  return found == plan.aliases.end() ? v : found->second;
}

void Orderer::make_indices() {
  for (const auto& [alias, base] : plan.aliases) aliases_of[base].push_back(alias);
  for (const OrderTarget& target : targets) {
    target_of.emplace(target.buffer, &target);
    if (target.current && target.result != target.current) replaced.insert(target.current);
  }
  for (const Value& result : block.results()) results.insert({result, aliased(result)});
}

/// A group that reads a view also reads what the view shows.
void Orderer::add_reads_through_views(std::vector<Read>& all) const {
  for (std::size_t i = 0, count = all.size(); i < count; ++i) {
    const ir::Op* const op = aliased(all[i].value).op();
    if (op == nullptr || !makes_view(*op) || aliased(all[i].value) != op->result(0)) continue;
    if (plan.in_memory(op->operand(0))) all.push_back({op->operand(0), {}, true});
  }
}

void Orderer::find_dependencies() {
  const std::size_t n = groups.size();
  first_copy = static_cast<int>(n);
  for (std::size_t g = 0; g < n; ++g)
    for (const Store& store : groups[g].stores) {
      if (std::vector<int>& all = writers[store.value]; all.empty() || all.back() != static_cast<int>(g))
        all.push_back(static_cast<int>(g));
      buffer_users[store.buffer].push_back(static_cast<int>(g));
      buffer_writers[store.buffer].push_back(static_cast<int>(g));
    }
  reads.resize(n);
  std::vector<std::set<int>> before(n);
  for (std::size_t g = 0; g < n; ++g) {
    reads[g] = group_reads(plan, groups[g]);
    add_reads_through_views(reads[g]);
    for (const Read& read : reads[g]) {
      readers[read.value].push_back(static_cast<int>(g));
      buffer_users[plan.buffer_of.at(read.value)].push_back(static_cast<int>(g));
      if (const auto found = writers.find(aliased(read.value)); found != writers.end())
        for (int w : found->second)
          if (w != static_cast<int>(g)) before[g].insert(w);
    }
  }
  graph = GroupGraph(std::move(before));
}

/// True if group `to` must run before group `from`.
bool Orderer::reaches(int from, int to) const {
  if (to >= first_copy || from >= first_copy) return from >= first_copy && to < from;
  return graph.must_run_before(to, from);
}

bool Orderer::reads_buffer(int g, int buffer) const {
  const std::vector<Read>& all = reads[static_cast<std::size_t>(g)];
  return std::any_of(all.begin(), all.end(),
                     [&](const Read& read) { return plan.buffer_of.at(read.value) == buffer; });
}

bool Orderer::writes_buffer(int g, int buffer) const {
  const std::vector<Store>& stores = groups[static_cast<std::size_t>(g)].stores;
  return std::any_of(stores.begin(), stores.end(),
                     [&](const Store& store) { return store.buffer == buffer; });
}

namespace {

/// The groups of a buffer for which `holds` is true, once each, in order.
template <typename Holds>
std::vector<int> chosen_groups(const GroupsOfBuffers& of, int buffer, const Holds& holds) {
  const auto found = of.find(buffer);
  if (found == of.end()) return {};
  std::vector<int> groups = found->second;
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  std::erase_if(groups, [&](int g) { return !holds(g); });
  return groups;
}

}  // namespace

std::vector<int> Orderer::users_of(int buffer) const {
  return chosen_groups(buffer_users, buffer,
                       [&](int g) { return reads_buffer(g, buffer) || writes_buffer(g, buffer); });
}

std::vector<int> Orderer::writers_of(int buffer) const {
  return chosen_groups(buffer_writers, buffer, [&](int g) { return writes_buffer(g, buffer); });
}

const OrderTarget* Orderer::target_of_buffer(int buffer) const {
  const auto found = target_of.find(buffer);
  return found == target_of.end() ? nullptr : found->second;
}

/// Moves the only value that group w stores in its buffer to `buffer`.
void Orderer::move_value(int w, Value value, int buffer) {
  PlanBuffer& to = plan.buffers[static_cast<std::size_t>(buffer)];
  to.row_major_only = to.row_major_only || plan.buffer(value).row_major_only;
  for (Store& store : group(w).stores)
    if (store.value == value) store.buffer = buffer;
  std::vector<int>& users = buffer_users[buffer];
  users.push_back(w);
  buffer_writers[buffer].push_back(w);
  std::vector<Value> moved = {value};
  if (const auto found = aliases_of.find(value); found != aliases_of.end())
    moved.insert(moved.end(), found->second.begin(), found->second.end());
  for (const Value& each : moved) {
    plan.buffer_of[each] = buffer;
    if (const auto found = readers.find(each); found != readers.end())
      users.insert(users.end(), found->second.begin(), found->second.end());
  }
}

/// True if the value is not needed outside the block: a group's value that is not a result, or the old value
/// of a state.
bool Orderer::may_die(Value operand) const {
  return !results.contains(operand) && (writers.contains(operand) || replaced.contains(operand));
}

/// True if the result may be put into this buffer. A buffer that outlives the block must finally hold its own
/// result, and cannot hold other results.
bool Orderer::may_hold(int buffer, Value result) const {
  if (buffer == plan.buffer_of.at(result) ||
      plan.buffers[static_cast<std::size_t>(buffer)].type.dims != result.dims())
    return false;
  const OrderTarget* owner = target_of_buffer(buffer);
  return owner == nullptr || owner->result == result || !results.contains(result);
}

/// True if group w can overwrite the operand with the result: it reads the operand's buffer nowhere else.
bool Orderer::reads_only_to_update(int w, Value operand, Value result) const {
  const int buffer = plan.buffer_of.at(operand);
  const Group& updater = groups[static_cast<std::size_t>(w)];
  if (updater.is<WhileGroup>()) {
    const auto operands = updater.op->operands();
    if (std::count(operands.begin(), operands.end(), operand) != 1) return false;
    const std::vector<Value> captured = transform::captured_values(*updater.op);
    return std::none_of(captured.begin(), captured.end(),
                        [&](Value v) { return plan.in_memory(v) && plan.buffer_of.at(v) == buffer; });
  }
  if (updater.is<LoopGroup>() && may_write_over_own_read(w, buffer, result)) return true;
  const std::vector<Read>& own = reads[static_cast<std::size_t>(w)];
  return std::count_if(own.begin(), own.end(),
                       [&](const Read& r) { return plan.buffer_of.at(r.value) == buffer; }) == 1;
}

/// Lets the result of an op that changes a tensor (a loop's carried value, an updated slice, ...) share the
/// operand's buffer if every other reader of the operand can run before. True if it does now.
bool Orderer::try_update_in_place(int w, Value operand, Value result) {
  if (operand.type().num_elements() == 0 || !plan.in_memory(operand) || !may_die(operand)) return false;
  const int buffer = plan.buffer_of.at(operand);
  if (!may_hold(buffer, result) || !reads_only_to_update(w, operand, result)) return false;
  const std::vector<int> users = users_of(buffer);
  for (int u : users)
    if (u != w && reaches(u, w)) return false;
  for (int u : users)
    if (u != w) graph.run_before(u, w);
  buffer_users[buffer].clear();
  move_value(w, result, buffer);
  return true;
}

void Orderer::update_in_place() {
  for (int g = 0; g < static_cast<int>(groups.size()); ++g)
    for (const auto& [operand, result] : updated_operands(group(g))) try_update_in_place(g, operand, result);
}

/// A loop may overwrite a buffer that it reads only at indices that it writes in the same iteration; a branch
/// ensures this itself.
bool Orderer::may_write_over_own_read(int w, int buffer, Value result) const {
  const Group& g = groups[static_cast<std::size_t>(w)];
  if (g.is<BranchGroup>()) return true;
  if (!g.is<LoopGroup>()) return false;
  const std::vector<Read>& all = reads[static_cast<std::size_t>(w)];
  return std::all_of(all.begin(), all.end(), [&](const Read& read) {
    return plan.buffer_of.at(read.value) != buffer || (!read.linear && writes_at(g, result, read.map));
  });
}

/// Moves the result into the buffer if all users of the buffer's old content can run before the groups that
/// make the result.
bool Orderer::overwrite(const OrderTarget& target) {
  const int from = plan.buffer_of.at(target.result);
  const std::vector<int> makers = writers_of(from);
  if (makers.empty()) return false;
  const std::vector<int> users = users_of(target.buffer);
  for (int user : users) {
    for (int maker : makers) {
      if (user == maker ? makers.size() > 1 || !may_write_over_own_read(maker, target.buffer, target.result)
                        : reaches(user, maker))
        return false;
    }
  }
  for (int maker : makers) {
    for (int user : users)
      if (user != maker) graph.run_before(user, maker);
    std::vector<Value> values;
    for (const Store& store : group(maker).stores)
      if (store.buffer == from) values.push_back(store.value);
    for (const Value& value : values) move_value(maker, value, target.buffer);
  }
  return true;
}

/// Adds a group at the end that copies `result` into `buffer`.
void Orderer::add_copy(Value result, int buffer) {
  Group copy;
  copy.stores = {{result, buffer}};
  copy.extents = result.dims();
  const int id = static_cast<int>(groups.size());
  groups.push_back(std::move(copy));
  reads.push_back({{result, identity_map(result.dims().size())}});
  readers[result].push_back(id);
  buffer_users[plan.buffer_of.at(result)].push_back(id);
  buffer_users[buffer].push_back(id);
  buffer_writers[buffer].push_back(id);
}

void Orderer::reach_targets() {
  std::vector<const OrderTarget*> copies;
  for (const OrderTarget& target : targets)
    if (target.result != target.current && plan.buffer_of.at(target.result) != target.buffer &&
        !overwrite(target))
      copies.push_back(&target);
  for (const OrderTarget* target : copies) add_copy(target->result, target->buffer);
}

/// The number of groups that write each buffer.
std::unordered_map<int, int> Orderer::count_writers() const {
  std::unordered_map<int, int> counts;
  for (const Group& g : groups) {
    std::set<int> written;
    for (const Store& store : g.stores)
      if (written.insert(store.buffer).second) ++counts[store.buffer];
  }
  return counts;
}

/// True if the value stored by loop w is large, made by w alone, neither a result of the block nor moved
/// before.
bool Orderer::may_move(int w, const Store& store) const {
  constexpr std::size_t kLargeBytes = 64 * 1024;
  const Value made = store.value;
  if (store.is_sum || made.type().size_bytes() < kLargeBytes) return false;
  const auto makers = writers.find(made);
  if (makers == writers.end() || makers->second != std::vector<int>{w}) return false;
  return plan.buffer_of.at(made) == store.buffer && target_of_buffer(store.buffer) == nullptr &&
         !results.contains(made);
}

/// Stores the value over an operand that the loop w reads at the same indices and no later group needs.
/// Returns the buffer of the value afterwards.
int Orderer::write_over_dead_operand(int w, const Store& store) {
  const Value made = store.value;
  for (const Read& read : reads[static_cast<std::size_t>(w)]) {
    if (read.linear || read.value.type() != made.type() || !writes_at(group(w), made, read.map)) continue;
    const int buffer = plan.buffer_of.at(read.value);
    if (!writers.contains(read.value) || target_of_buffer(buffer) != nullptr || writes_buffer(w, buffer))
      continue;
    if (try_update_in_place(w, read.value, made)) return buffer;
  }
  return store.buffer;
}

/// Lets loops over large tensors overwrite dead operands of their block: this saves memory, and fetches of
/// cache lines that are only overwritten.
void Orderer::write_over_dead_operands() {
  std::unordered_map<int, int> num_writers = count_writers();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    if (!group(g).is<LoopGroup>()) continue;
    const std::vector<Store> stores = group(g).stores;
    for (const Store& store : stores) {
      // A value that another group updates in place must stay, or the update becomes a copy.
      if (num_writers[store.buffer] > 1 || !may_move(g, store)) continue;
      const int buffer = write_over_dead_operand(g, store);
      if (buffer == store.buffer) continue;
      --num_writers[store.buffer];
      ++num_writers[buffer];
    }
  }
}

/// Topological, earliest in program order first; but asynchronous operations start as early as possible, and
/// what is computed again starts as late as possible. The copies come last.
void Orderer::sort() {
  const RecomputedOps recomputed = recomputed_ops(plan, block);
  const auto turn_of = [&](int g) {
    const Group& next = group(g);
    if (next.is<KernelGroup>() && async_collective_of(*next.op) != nullptr) return 0;
    return recomputed.contain(next) ? 2 : 1;
  };
  std::vector<Group> sorted;
  for (const int g : graph.sorted(turn_of)) sorted.push_back(std::move(group(g)));
  CORNU_CHECK(sorted.size() == static_cast<std::size_t>(first_copy),
              "the groups depend on each other in a circle");
  for (std::size_t g = sorted.size(); g < groups.size(); ++g) sorted.push_back(std::move(groups[g]));
  groups = std::move(sorted);
}

}  // namespace

void order(Plan& plan, const ir::Block& block, std::vector<Group>& groups,
           const std::vector<OrderTarget>& targets) {
  Orderer orderer{plan, block, groups, targets};
  orderer.make_indices();
  orderer.find_dependencies();
  orderer.update_in_place();
  orderer.reach_targets();
  orderer.write_over_dead_operands();
  orderer.sort();
}

}  // namespace cornu::inline v0::backends::cpu
