#include <algorithm>

#include "cornu/backends/cpu/plan/fuser.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu::fusing {

Value behind_views(Value v) {
  while (v.op() != nullptr && classify(*v.op()) == OpKind::kView) v = v.op()->operand(0);
  return v;
}

bool has_own_group(OpKind c) {
  return c == OpKind::kDot || c == OpKind::kKernel || c == OpKind::kReference || c == OpKind::kReduce ||
         c == OpKind::kControl || c == OpKind::kUpdate;
}

namespace {

decltype(Group::kind) own_group_kind(const Op& op) {
  switch (classify(op)) {
    case OpKind::kReduce: return ReduceGroup();
    case OpKind::kDot: return DotGroup();
    case OpKind::kUpdate: return UpdateGroup();
    case OpKind::kKernel: return KernelGroup();
    case OpKind::kControl:
      if (is_loop(op)) return WhileGroup();
      return BranchGroup();
    default: return ReferenceGroup();
  }
}

/// True for an argument, and for a result of a kernel that shows memory elsewhere.
bool is_memory_of_others(Value v) { return v.op() == nullptr || makes_view(*v.op()); }

}  // namespace

bool is_loop_op(const Op& op) {
  const OpKind c = classify(op);
  return c == OpKind::kElementwise || c == OpKind::kWindow;
}

bool reads_windows(const Op& op, Value operand) {
  return operand.rank() > 0 && classify(op) == OpKind::kWindow;
}

bool is_tiled(const Op& op) { return window_use(op) == WindowUse::kScatters; }

void Fuser::find_consumers() {
  for (const auto& op : block.ops())
    for (const Value& operand : op_inputs(*op)) consumers[operand].push_back(op.get());
}

namespace {

/// True if an operand is written to a concatenate's result by runs of a few elements: it is not worth more parts.
bool is_written_by_elements(Value operand, const Op& concatenate) {
  constexpr std::int64_t kShortRun = 8;
  const ir::Dims& dims = operand.dims();
  std::int64_t run = 1;
  for (auto d = static_cast<std::size_t>(concatenate.attributes().get<std::int64_t>("dimension"));
       d < dims.size(); ++d)
    run *= dims[d];
  return run < kShortRun;
}

}  // namespace

/// Finds the concatenates that only one other concatenate reads: their parts are written into its result.
void Fuser::find_nested() {
  if (!options.fuse) return;
  for (const auto& op : block.ops()) {
    if (!is_concatenate(*op) || forced.contains(op->result())) continue;
    const std::vector<const Op*>& users = consumers[op->result()];
    if (users.size() == 1 && is_concatenate(*users[0]) && !makes_parts_together(*users[0]) &&
        !is_written_by_elements(op->result(), *users[0]))
      nested.insert(op.get());
  }
}

/// Leaves, and arguments seen through views, need no memory of their own unless the viewed tensor itself must
/// exist.
void Fuser::force(Value v, bool plain) {
  forced.insert(v);
  if (plain) row_major.insert(v);
}

void Fuser::force_dot_operands(const Op& dot) {
  for (const Value& v : dot.operands()) {
    // pattern: a dot reads any strides, so transposes and reshapes before it stay views
    Value base = v;
    while (base.op() != nullptr && (base.op()->name() == "transpose" || base.op()->name() == "reshape") &&
           operand_map(*base.op(), identity_map(base.dims().size())).has_value())
      base = base.op()->operand(0);
    force(base, false);
  }
}

/// Initial values of loops that are views or leaves are written directly into the buffers of the carried
/// values.
void Fuser::force_control_operands(const Op& control) {
  for (Value v : op_inputs(control)) {
    if (is_loop(control) && v.op() != nullptr) v = behind_views(v);
    if (is_loop(control) && v.op() != nullptr && classify(*v.op()) == OpKind::kLeaf) continue;
    force(v, true);
  }
  row_major.insert(control.results().begin(), control.results().end());
}

void Fuser::force_view_operands(const Op& view) {
  if (is_computed_view(view)) {
    for (const Value& v : view.operands()) force(v, false);
    const auto users_of = [this](Value value) { return std::span<const Op* const>(consumers[value]); };
    if (!options.fuse || !is_read_in_place(view, users_of)) force(view.result(), false);
  } else if (!operand_map(view, identity_map(view.result().dims().size()))) {
    force(view.operand(0), true);
  }
}

/// Forces into memory the operands of this op that need it, and the results if a kernel makes them.
void Fuser::force_operands_of(const Op& op) {
  switch (classify(op)) {
    case OpKind::kDot: force_dot_operands(op); break;
    case OpKind::kControl: force_control_operands(op); break;
    case OpKind::kView: force_view_operands(op); break;
    case OpKind::kUpdate: {
      row_major.insert(op.results().begin(), op.results().end());
      const CpuOp& row = *find_cpu_op(op);
      if (row.update.places == nullptr) break;
      for (const Value& v : row.update.places(op)) force(v, false);
      break;
    }
    case OpKind::kKernel:
    case OpKind::kReference:
      for (const Value& v : op_inputs(op)) force(v, true);
      row_major.insert(op.results().begin(), op.results().end());
      break;
    default: break;
  }
}

/// Forces into memory the values that libraries, reference kernels, callers and index computations need
/// there.
void Fuser::force_operands() {
  for (const auto& op : block.ops()) force_operands_of(*op);
  for (const Value& v : block.results()) force(v, true);
  alias_reshapes();
}

/// The results of the block that need a buffer of their own: those of regions, and the next values of states.
std::unordered_set<Value, ir::ValueHash> Fuser::results_with_buffers() const {
  const auto results = block.results();
  if (&block != &plan.step->body) return {results.begin(), results.end()};
  const auto num_states =
      std::count(plan.arguments.begin(), plan.arguments.end(), runtime::ArgumentKind::kState);
  return {results.begin(), results.begin() + num_states};
}

/// Reshapes alias their operand's buffer. An output's buffer may be that of its operand, if no other result is there.
void Fuser::alias_reshapes() {
  const std::unordered_set<Value, ir::ValueHash> results(block.results().begin(), block.results().end());
  const std::unordered_set<Value, ir::ValueHash> apart = results_with_buffers();
  std::unordered_set<Value, ir::ValueHash> returned = results;
  for (const auto& op : block.ops()) {
    // pattern: a reshape that must be in memory aliases the buffer of its operand; if the operand is a view
    // without memory, the reshape is copied
    if (op->name() != "reshape" || !forced.contains(op->result()) || apart.contains(op->result())) continue;
    Value base = op->operand(0);  // pattern: a reshape of a reshape
    while (base.op() != nullptr && base.op()->name() == "reshape") base = base.op()->operand(0);
    const bool is_view_in_memory =
        base.op() != nullptr && classify(*base.op()) == OpKind::kView && forced.contains(base);
    const bool has_memory = base.op() == nullptr || is_loop_op(*base.op()) ||
                            has_own_group(classify(*base.op())) || is_view_in_memory;
    if (!has_memory || base.block() != &block || base.type().num_elements() == 0) continue;
    if (results.contains(op->result()) && (is_memory_of_others(base) || !returned.insert(base).second))
      continue;
    force(base, true);
    aliases.emplace(op->result(), base);
  }
}

/// Adds to a reduce's loop the elementwise ops that only the reduce uses.
void Fuser::grow_reduce(const Op& reduce, int cluster) {
  const ir::Dims& dims = reduce.operand(0).dims();
  std::unordered_set<const Op*> members = {&reduce};
  // By position, the last first, so that an op is visited after all its consumers.
  std::set<std::size_t, std::greater<>> candidates;
  const auto add_makers = [&](const Op& op) {
    for (const Value& operand : op.operands())
      if (operand.op() != nullptr && operand.block() == &block) candidates.insert(position.at(operand.op()));
  };
  add_makers(reduce);
  std::vector<const Op*> added;
  while (!candidates.empty()) {
    const Op& op = *block.ops()[*candidates.begin()];
    candidates.erase(candidates.begin());
    if (!is_loop_op(op) || is_tiled(op) || op.result().dims() != dims || forced.contains(op.result()) ||
        cluster_of.contains(&op))
      continue;
    const auto& users = consumers[op.result()];
    if (!std::all_of(users.begin(), users.end(), [&](const Op* user) { return members.contains(user); }))
      continue;
    if (members.size() >= kMaxGroupOps) break;
    members.insert(&op);
    cluster_of[&op] = cluster;
    added.push_back(&op);
    add_makers(op);
  }
  std::vector<const Op*>& ops = clusters[static_cast<std::size_t>(cluster)].ops;
  ops.insert(ops.begin(), added.rbegin(), added.rend());
}

std::set<int> Fuser::operand_clusters(const Op& op) const {
  std::set<int> out;
  std::vector<Value> stack = op_inputs(op);
  while (!stack.empty()) {
    const Op* maker = stack.back().op();
    stack.pop_back();
    if (maker == nullptr || maker->block() != &block) continue;
    if (const auto found = cluster_of.find(maker); found != cluster_of.end())
      out.insert(found->second);
    else
      stack.insert(stack.end(), maker->operands().begin(), maker->operands().end());
  }
  return out;
}

/// The clusters whose values `op` reads through views.
std::set<int> Fuser::viewed_clusters(const Op& op) const {
  std::set<int> out;
  for (const Value& operand : op.operands())
    if (operand.op() != nullptr && operand.block() == &block && reads_windows(op, operand) &&
        cluster_of.contains(operand.op()))
      out.insert(cluster_of.at(operand.op()));
    else if (operand.op() != nullptr && operand.block() == &block && !cluster_of.contains(operand.op()))
      if (const std::set<int> behind = operand_clusters(*operand.op()); !behind.empty())
        out.insert(behind.begin(), behind.end());
  return out;
}

bool Fuser::can_join(int cluster, const std::set<int>& dependencies) const {
  return std::none_of(dependencies.begin(), dependencies.end(), [&](int d) {
    return d != cluster && clusters[static_cast<std::size_t>(d)].before.contains(cluster);
  });
}

void ClusterSet::insert(int i) {
  const std::size_t c = chunk_of(i);
  if (c >= chunks_.size()) chunks_.resize(c + 1);
  auto chunk = chunks_[c] == nullptr ? std::make_shared<Chunk>() : std::make_shared<Chunk>(*chunks_[c]);
  chunk->words[word_of(i)] |= bit_of(i);
  chunks_[c] = std::move(chunk);
}

bool ClusterSet::merge(const ClusterSet& other) {
  if (other.chunks_.size() > chunks_.size()) chunks_.resize(other.chunks_.size());
  bool grew = false;
  for (std::size_t c = 0; c < other.chunks_.size(); ++c) {
    const std::shared_ptr<const Chunk>& theirs = other.chunks_[c];
    if (theirs == nullptr || theirs == chunks_[c]) continue;
    if (chunks_[c] == nullptr) {
      chunks_[c] = theirs;
      grew = true;
      continue;
    }
    Chunk both = *chunks_[c];
    for (std::size_t w = 0; w < Chunk::kWords; ++w) both.words[w] |= theirs->words[w];
    if (both == *chunks_[c]) continue;
    chunks_[c] = both == *theirs ? theirs : std::make_shared<const Chunk>(both);
    grew = true;
  }
  return grew;
}

void Fuser::add_dependencies(int cluster, const std::set<int>& dependencies) {
  ClusterSet add;
  for (int d : dependencies) {
    if (d == cluster) continue;
    Cluster& needed = clusters[static_cast<std::size_t>(d)];
    needed.users.insert(cluster);
    clusters[static_cast<std::size_t>(cluster)].needs.insert(d);
    add.insert(d);
    add.merge(needed.before);
  }
  add_before(cluster, add);
}

/// Adds predecessors to a cluster and to all its successors. Where a cluster has them all, its successors do.
void Fuser::add_before(int cluster, const ClusterSet& add) {
  std::vector<int> stack = {cluster};
  while (!stack.empty()) {
    Cluster& next = clusters[static_cast<std::size_t>(stack.back())];
    stack.pop_back();
    if (next.before.merge(add)) stack.insert(stack.end(), next.users.begin(), next.users.end());
  }
}

/// Merges two loop clusters of one shape unless another cluster must run between them.
bool Fuser::try_merge(int into, int from) {
  const Cluster& a = clusters[static_cast<std::size_t>(into)];
  const Cluster& b = clusters[static_cast<std::size_t>(from)];
  if (a.views_of.contains(from) || b.views_of.contains(into) || a.ops.size() + b.ops.size() > kMaxGroupOps)
    return false;
  if (!a.tile.empty() && !b.tile.empty() && a.tile != b.tile) return false;
  if (runs_between(from, into) || runs_between(into, from)) return false;
  absorb(into, from);
  return true;
}

/// Moves the ops of one cluster to the other.
void Fuser::absorb(int into, int from) {
  Cluster& a = clusters[static_cast<std::size_t>(into)];
  Cluster& b = clusters[static_cast<std::size_t>(from)];
  if (a.tile.empty()) a.tile = b.tile;
  for (const Op* op : b.ops) cluster_of[op] = into;
  a.ops.insert(a.ops.end(), b.ops.begin(), b.ops.end());
  b.merged = true;
  b.ops.clear();
  a.views_of.insert(b.views_of.begin(), b.views_of.end());
  a.needs.insert(b.needs.begin(), b.needs.end());
  a.users.insert(b.users.begin(), b.users.end());
  for (int need : b.needs) {
    std::set<int>& users = clusters[static_cast<std::size_t>(need)].users;
    users.erase(from);
    users.insert(into);
  }
  for (int user : b.users) {
    Cluster& other = clusters[static_cast<std::size_t>(user)];
    other.needs.erase(from);
    other.needs.insert(into);
    if (other.views_of.erase(from)) other.views_of.insert(into);
  }
  for (std::set<int>* own : {&a.needs, &a.users}) {
    own->erase(into);
    own->erase(from);
  }
  b.needs.clear();
  b.users.clear();
  a.before.merge(b.before);
  b.before = ClusterSet();
  ClusterSet add = a.before;
  add.insert(into);
  for (int user : a.users) add_before(user, add);
}

/// The last loop cluster of the op's shape that makes one of its operands and can include the op; -1: none.
int Fuser::loop_to_join(const Op& op, const std::set<int>& dependencies, const std::set<int>& viewed) const {
  int best = -1;
  if (!options.fuse || is_tiled(op)) return best;
  for (const Value& operand : op.operands()) {
    if (operand.op() == nullptr || operand.dims() != op.result().dims()) continue;
    const auto found = cluster_of.find(operand.op());
    if (found == cluster_of.end()) continue;
    const Cluster& candidate = clusters[static_cast<std::size_t>(found->second)];
    if (candidate.root == nullptr && candidate.dims == op.result().dims() && found->second > best &&
        candidate.ops.size() < kMaxGroupOps && !viewed.contains(found->second) &&
        can_join(found->second, dependencies))
      best = found->second;
  }
  return best;
}

void Fuser::add_loop_op(const Op& op) {
  const std::set<int> dependencies = operand_clusters(op);
  const std::set<int> viewed = viewed_clusters(op);
  int best = loop_to_join(op, dependencies, viewed);
  if (best < 0) {
    best = static_cast<int>(clusters.size());
    clusters.push_back(
        {.root = nullptr, .dims = op.result().dims(), .tile = is_tiled(op) ? window_sizes(op) : ir::Dims()});
  }
  cluster_of[&op] = best;
  clusters[static_cast<std::size_t>(best)].ops.push_back(&op);
  clusters[static_cast<std::size_t>(best)].views_of.insert(viewed.begin(), viewed.end());
  add_dependencies(best, dependencies);
  if (!options.fuse) return;
  for (int d : dependencies) {
    const Cluster& other = clusters[static_cast<std::size_t>(d)];
    if (d != best && !other.merged && other.root == nullptr && other.dims == op.result().dims())
      try_merge(best, d);
  }
}

int Fuser::add_buffer(Value v, MemorySpace where, int index) {
  const int id = static_cast<int>(plan.buffers.size());
  plan.buffers.push_back(
      {v.type(), {}, where, index, 0, where != MemorySpace::kArena || row_major.contains(v)});
  plan.buffer_of[v] = id;
  return id;
}

/// Arguments: state then fixed share one table of pointers; rows are gathered into the arena at the start of
///            a step.
void Fuser::add_arguments() {
  const auto num_state =
      std::count(plan.arguments.begin(), plan.arguments.end(), runtime::ArgumentKind::kState);
  int next_state = 0, next_fixed = static_cast<int>(num_state), next_rows = 0;
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    const Value v = block.arguments()[i];
    using runtime::ArgumentKind;
    switch (plan.arguments[i]) {
      case ArgumentKind::kState: add_buffer(v, MemorySpace::kArgument, next_state++); break;
      case ArgumentKind::kFixed: add_buffer(v, MemorySpace::kArgument, next_fixed++); break;
      case ArgumentKind::kValidRows: plan.valid_rows_buffer = add_buffer(v, MemorySpace::kArena, 0); break;
      case ArgumentKind::kRows: {
        Group group;
        group.kind = RowsGroup{{}, next_rows++};
        if (consumers[v].empty() && !forced.contains(v)) break;
        group.stores = {{v, add_buffer(v, MemorySpace::kArena, 0)}};
        group.extents = v.dims();
        groups.push_back(std::move(group));
        break;
      }
    }
  }
}

namespace {

/// Makes a loop over elements one over windows, with a store for each position of them.
void store_by_windows(Group& group, ir::Dims tile) {
  for (std::size_t d = 0; d < group.extents.size(); ++d) group.extents[d] /= tile[d];
  const IndexMap window = identity_map(group.extents.size());
  std::vector<Store> stores;
  for (const Store& whole : group.stores)
    for (const ir::Dims& tap : ops::all_indices(tile)) {
      stores.push_back(whole);
      stores.back().at = stores.back().from = tap_map(window, tile, tap);
    }
  group.stores = std::move(stores);
  std::get<LoopGroup>(group.kind).tile = std::move(tile);
}

}  // namespace

/// Adds a loop group that writes a view or leaf that must be in memory.
void Fuser::add_copy_group(const Op& op) {
  Group group;
  const Value v = op.result();
  group.stores = {{v, add_buffer(v, MemorySpace::kArena, 0)}};
  if (v.type().num_elements() == 0) return;
  group.extents = v.dims();
  group.members = {&op};
  if (ir::Dims tile = copy_tile(v); !tile.empty()) store_by_windows(group, std::move(tile));
  groups.push_back(std::move(group));
}

/// Adds the loops of a cluster: one over its elements; or one over its windows that writes their elements,
/// and one over each slab of elements outside the windows.
void Fuser::add_loop_groups(const Cluster& cluster, Group group) {
  std::vector<Store> made, sums;
  for (const Op* member : group.members) {
    const Value v = member->result();
    if (!materialised.contains(v)) continue;
    Store store{v, add_buffer(v, MemorySpace::kArena, 0)};
    store.is_sum = classify(*member) == OpKind::kReduce;
    (store.is_sum ? sums : made).push_back(std::move(store));
  }
  const bool is_empty = std::find(cluster.dims.begin(), cluster.dims.end(), 0) != cluster.dims.end();
  if ((made.empty() && sums.empty()) || is_empty) return;  // all of it is computed where it is used
  group.extents = cluster.dims;
  group.stores = made;
  ir::Dims& tile = std::get<LoopGroup>(group.kind).tile;
  tile = cluster.tile.empty() && sums.empty() ? column_tile(cluster) : cluster.tile;
  if (!tile.empty()) store_by_windows(group, ir::Dims(tile));
  group.stores.insert(group.stores.end(), sums.begin(), sums.end());
  const ir::Dims windows = group.extents;
  groups.push_back(group);
  ir::Dims slab = cluster.dims, offset(cluster.dims.size(), 0);
  for (std::size_t d = 0; d < cluster.tile.size() && !made.empty(); ++d) {
    const std::int64_t covered = windows[d] * cluster.tile[d];
    if (covered == cluster.dims[d]) continue;
    offset[d] = covered;
    slab[d] = cluster.dims[d] - covered;
    group.extents = slab;
    tile.clear();
    group.stores = made;
    for (Store& store : group.stores) {
      store.at = identity_map(slab.size());
      for (std::size_t i = 0; i < slab.size(); ++i) (*store.at)[i].constant = offset[i];
      store.from = store.at;
    }
    groups.push_back(group);
    offset[d] = 0;
    slab[d] = covered;
  }
}

/// The last op of each cluster, mapped to the cluster.
std::unordered_map<const Op*, int> Fuser::last_ops() const {
  std::vector<const Op*> last(clusters.size(), nullptr);
  for (const auto& op : block.ops())
    if (const auto found = cluster_of.find(op.get()); found != cluster_of.end())
      last[static_cast<std::size_t>(found->second)] = op.get();
  std::unordered_map<const Op*, int> ends;
  for (std::size_t c = 0; c < clusters.size(); ++c)
    if (last[c] != nullptr) ends[last[c]] = static_cast<int>(c);
  return ends;
}

/// Adds the buffer of a constant, or the group that writes a view or a leaf that must be in memory.
void Fuser::add_values_of(const Op& op) {
  const OpKind c = classify(op);
  if (ops::is_constant(op.result(0)) && op.result().type().num_elements() != 1) {
    plan.constants.push_back(op.attributes().get<ir::Literal>("value"));
    add_buffer(op.result(), MemorySpace::kConstant, static_cast<int>(plan.constants.size()) - 1);
  } else if ((c == OpKind::kView || c == OpKind::kLeaf) && materialised.contains(op.result()) &&
             !aliases.contains(op.result())) {
    add_copy_group(op);
  }
}

void Fuser::add_cluster_groups(const Cluster& cluster) {
  Group group;
  group.members = cluster.ops;
  std::sort(group.members.begin(), group.members.end(),
            [&](const Op* a, const Op* b) { return position.at(a) < position.at(b); });
  if (cluster.root == nullptr) return add_loop_groups(cluster, std::move(group));
  group.kind = own_group_kind(*cluster.root);
  group.op = cluster.root;
  if (group.is<ReduceGroup>())
    group.extents = reduce_loops(*cluster.root).extents;
  else if (!is_control(group))
    group.extents = cluster.root->result().dims();
  for (const Value& v : cluster.root->results()) {
    const bool is_view = v.index() == 0 && makes_view(*cluster.root);
    group.stores.push_back({v, is_view ? add_buffer(v, MemorySpace::kArgument, plan.next_view())
                                       : add_buffer(v, MemorySpace::kArena, 0)});
  }
  // Empty results: the buffers exist, but no loop is needed.
  if (!std::visit([](const auto& kind) { return kind.kRunsWithoutResult; }, group.kind) &&
      std::all_of(group.stores.begin(), group.stores.end(),
                  [](const Store& store) { return store.value.type().num_elements() == 0; }))
    return;
  groups.push_back(std::move(group));
}

void Fuser::make_groups() {
  if (&block == &plan.step->body) add_arguments();
  // A cluster becomes a group at its last op, so program order already satisfies most dependencies; order()
  // handles the rest.
  const std::unordered_map<const Op*, int> ends = last_ops();
  for (const auto& op : block.ops()) {
    add_values_of(*op);
    if (const auto end = ends.find(op.get()); end != ends.end())
      add_cluster_groups(clusters[static_cast<std::size_t>(end->second)]);
  }
  for (const auto& [alias, base] : aliases) {
    plan.aliases.emplace(alias, base);
    plan.buffer_of[alias] = plan.buffer_of.at(base);
  }
}

/// Makes a cluster of each op that has a group of its own. Nested concatenates belong to that of the outermost one.
void Fuser::add_own_groups() {
  const auto ops = block.ops();
  for (const auto& op : ops) {
    const OpKind c = classify(*op);
    if (!has_own_group(c) || nested.contains(op.get())) continue;
    const int cluster = static_cast<int>(clusters.size());
    clusters.push_back({.root = op.get(), .dims = {}, .tile = {}, .ops = {op.get()}});
    cluster_of[op.get()] = cluster;
    if (c == OpKind::kReduce && window_use(*op) == WindowUse::kNone && options.fuse)
      grow_reduce(*op, cluster);
  }
  for (std::size_t i = ops.size(); i-- > 0;) {
    if (!nested.contains(ops[i].get())) continue;
    const int cluster = cluster_of.at(consumers.at(ops[i]->result())[0]);
    cluster_of[ops[i].get()] = cluster;
    clusters[static_cast<std::size_t>(cluster)].ops.push_back(ops[i].get());
  }
}

void Fuser::run() {
  const auto ops = block.ops();
  for (std::size_t i = 0; i < ops.size(); ++i) position[ops[i].get()] = i;
  find_consumers();
  force_operands();
  find_nested();
  add_own_groups();
  for (const auto& op : ops) {
    const OpKind c = classify(*op);
    if (c == OpKind::kView || c == OpKind::kLeaf) continue;
    if (const auto found = cluster_of.find(op.get()); found != cluster_of.end())
      add_dependencies(found->second, operand_clusters(*op));
    else
      add_loop_op(*op);
  }
  attach_sums();
  choose_materialised();
  make_groups();
}

}  // namespace cornu::inline v0::backends::cpu::fusing

namespace cornu::inline v0::backends::cpu {

std::vector<Group> fuse(Plan& plan, const ir::Block& block, const PlanOptions& options) {
  fusing::Fuser fuser{plan, block, options};
  fuser.run();
  return std::move(fuser.groups);
}

}  // namespace cornu::inline v0::backends::cpu
