#include <algorithm>
#include <set>
#include <unordered_set>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Op;
using ir::Value;
using runtime::ArgumentKind;

/// Ops in a group at most: longer chains are cut, so that planning (which walks a group's ops by recursion) and compiling stay linear.
constexpr std::size_t kMaxGroupOps = 512;

/// A set of cluster numbers.
class ClusterSet {
 public:
  bool contains(int i) const { return word_of(i) < words_.size() && (words_[word_of(i)] >> bit_of(i) & 1U) != 0; }
  void insert(int i) {
    if (word_of(i) >= words_.size()) words_.resize(word_of(i) + 1);
    words_[word_of(i)] |= std::uint64_t{1} << bit_of(i);
  }
  void erase(int i) {
    if (word_of(i) < words_.size()) words_[word_of(i)] &= ~(std::uint64_t{1} << bit_of(i));
  }
  /// Adds all of `other`; true when that brought something new.
  bool merge(const ClusterSet& other) {
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
    std::uint64_t added = 0;
    for (std::size_t w = 0; w < other.words_.size(); ++w) {
      added |= other.words_[w] & ~words_[w];
      words_[w] |= other.words_[w];
    }
    return added != 0;
  }

 private:
  static std::size_t word_of(int i) { return static_cast<std::size_t>(i) / 64; }
  static unsigned bit_of(int i) { return static_cast<unsigned>(i) % 64; }
  std::vector<std::uint64_t> words_;
};

/// A set of ops that will share loops, while it grows.
struct Cluster {
  GroupKind kind = GroupKind::kLoop;
  const Op* root = nullptr;  // the reduce, dot or reference op
  ir::Dims dims;             // the iteration space of a loop cluster
  std::vector<const Op*> ops;
  ClusterSet before;       // clusters that must run earlier, transitively
  std::set<int> views_of;  // clusters whose values it reads at other indices: never joined with it
  bool merged = false;     // emptied into another
};

struct Fuser {
  Plan& plan;
  const ir::Block& block;
  const PlanOptions& options;
  std::vector<Group> groups = {};
  std::vector<Cluster> clusters = {};
  std::unordered_map<const Op*, int> cluster_of = {};
  std::unordered_map<Value, std::vector<const Op*>, ir::ValueHash> consumers = {};
  std::unordered_set<Value, ir::ValueHash> forced = {};     // must be in memory
  std::unordered_set<Value, ir::ValueHash> row_major = {};  // and in plain layout
  std::unordered_set<Value, ir::ValueHash> materialised = {};
  std::unordered_map<const Op*, std::size_t> position = {};

  void run();
  void find_consumers();
  void force_operands();
  void grow_reduce(const Op& reduce, int cluster);
  void add_loop_op(const Op& op);
  std::set<int> operand_clusters(const Op& op) const;
  std::set<int> viewed_clusters(const Op& op) const;
  bool can_join(int cluster, const std::set<int>& dependencies) const;
  void add_dependencies(int cluster, const std::set<int>& dependencies);
  void add_before(int cluster, const ClusterSet& add);
  bool try_merge(int into, int from);
  void choose_materialised();
  void cut_view_chains();
  double cone_cost(Value v, int depth) const;
  int add_buffer(Value v, Place where, int index);
  void add_arguments();
  void add_copy_group(const Op& op);
  void make_groups();
};

/// Follows views to the value behind them.
Value behind_views(Value v) {
  while (v.op() != nullptr && classify(*v.op()) == OpClass::kView) v = v.op()->operand(0);
  return v;
}

/// Whether an op of this class is a group by itself (with what is pulled into it).
bool has_own_group(OpClass c) {
  return c == OpClass::kDot || c == OpClass::kKernel || c == OpClass::kReference || c == OpClass::kReduce || c == OpClass::kControl ||
         c == OpClass::kUpdate;
}

GroupKind own_group_kind(const Op& op) {
  switch (classify(op)) {
    case OpClass::kReduce: return GroupKind::kReduce;
    case OpClass::kDot: return GroupKind::kDot;
    case OpClass::kUpdate: return GroupKind::kUpdate;
    case OpClass::kKernel: return GroupKind::kKernel;
    case OpClass::kControl: return op.name() == "while" ? GroupKind::kWhile : GroupKind::kBranch;
    default: return GroupKind::kReference;
  }
}

bool is_loop_op(const Op& op) { return classify(op) == OpClass::kElementwise; }

void Fuser::find_consumers() {
  for (const auto& op : block.ops())
    for (const Value& operand : op_inputs(*op)) consumers[operand].push_back(op.get());
}

/// What libraries, reference kernels, callers and index tricks need in memory.
void Fuser::force_operands() {
  auto force = [&](Value v, bool plain) {
    // Leaves and arguments behind views need no memory of their own unless the viewed tensor itself must exist.
    forced.insert(v);
    if (plain) row_major.insert(v);
  };
  for (const auto& op : block.ops()) {
    switch (classify(*op)) {
      case OpClass::kDot:
        for (const Value& v : op->operands()) {
          // A dot reads any strides, so transposes and broadcasts in front of it stay views.
          Value base = v;
          while (base.op() != nullptr && (base.op()->name() == "transpose" || base.op()->name() == "reshape") &&
                 operand_map(*base.op(), identity_map(base.dims().size())).has_value())
            base = base.op()->operand(0);
          force(base, false);
        }
        break;
      case OpClass::kControl:
        // Initial values that are views or leaves are written straight into the buffers that carry them.
        for (Value v : op_inputs(*op)) {
          if (op->name() == "while" && v.op() != nullptr) v = behind_views(v);
          if (op->name() == "while" && v.op() != nullptr && classify(*v.op()) == OpClass::kLeaf) continue;
          force(v, true);
        }
        row_major.insert(op->results().begin(), op->results().end());
        break;
      case OpClass::kUpdate: {
        // What says where to write.
        const std::size_t count = op->results().size();
        if (op->name() == "scatter") force(op->operand(count), false);
        if (op->name() == "dynamic_update_slice")
          for (std::size_t i = 2; i < op->operands().size(); ++i) force(op->operand(i), false);
        break;
      }
      case OpClass::kKernel:
      case OpClass::kReference:
        for (const Value& v : op_inputs(*op)) force(v, true);
        row_major.insert(op->results().begin(), op->results().end());
        break;
      case OpClass::kView:
        if (is_computed_view(*op)) {
          for (const Value& v : op->operands()) force(v, false);
          force(op->result(), false);
        } else if (!operand_map(*op, identity_map(op->result().dims().size()))) {
          force(op->operand(0), true);
        }
        break;
      default: break;
    }
  }
  for (const Value& v : block.results()) {
    forced.insert(v);
    row_major.insert(v);
  }
}

/// Pulls into a reduce's loop the elementwise ops that only it needs.
void Fuser::grow_reduce(const Op& reduce, int cluster) {
  const std::size_t num_inputs = reduce.results().size();
  std::vector<Value> frontier(reduce.operands().begin(), reduce.operands().begin() + static_cast<std::ptrdiff_t>(num_inputs));
  const ir::Dims dims = reduce.operand(0).dims();
  std::unordered_set<const Op*> members = {&reduce};
  // Backwards in program order, so that an op is looked at after all its consumers.
  const auto ops = block.ops();
  for (std::size_t i = ops.size(); i-- > 0;) {
    const Op& op = *ops[i];
    if (!is_loop_op(op) || op.result().dims() != dims || forced.count(op.result()) || cluster_of.count(&op)) continue;
    const auto& users = consumers[op.result()];
    if (users.empty() || !std::all_of(users.begin(), users.end(), [&](const Op* user) { return members.count(user) != 0; })) continue;
    if (members.size() >= kMaxGroupOps) break;
    members.insert(&op);
    cluster_of[&op] = cluster;
    clusters[static_cast<std::size_t>(cluster)].ops.insert(clusters[static_cast<std::size_t>(cluster)].ops.begin(), &op);
  }
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
    if (operand.op() != nullptr && operand.block() == &block && !cluster_of.count(operand.op()))
      if (const std::set<int> behind = operand_clusters(*operand.op()); !behind.empty()) out.insert(behind.begin(), behind.end());
  return out;
}

bool Fuser::can_join(int cluster, const std::set<int>& dependencies) const {
  return std::none_of(dependencies.begin(), dependencies.end(),
                      [&](int d) { return d != cluster && clusters[static_cast<std::size_t>(d)].before.contains(cluster); });
}

void Fuser::add_dependencies(int cluster, const std::set<int>& dependencies) {
  ClusterSet add;
  for (int d : dependencies) {
    if (d == cluster) continue;
    add.insert(d);
    add.merge(clusters[static_cast<std::size_t>(d)].before);
  }
  add_before(cluster, add);
}

/// What runs before a cluster runs before all that come after it.
void Fuser::add_before(int cluster, const ClusterSet& add) {
  if (!clusters[static_cast<std::size_t>(cluster)].before.merge(add)) return;
  for (Cluster& other : clusters)
    if (other.before.contains(cluster)) other.before.merge(add);
}

/// Joins two loop clusters of one shape unless something must run between them.
bool Fuser::try_merge(int into, int from) {
  Cluster& a = clusters[static_cast<std::size_t>(into)];
  Cluster& b = clusters[static_cast<std::size_t>(from)];
  if (a.views_of.count(from) || b.views_of.count(into) || a.ops.size() + b.ops.size() > kMaxGroupOps) return false;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const int id = static_cast<int>(c);
    if (id == into || id == from || clusters[c].merged) continue;
    const bool after_b = clusters[c].before.contains(from);
    const bool after_a = clusters[c].before.contains(into);
    if ((after_b && a.before.contains(id)) || (after_a && b.before.contains(id))) return false;
  }
  for (const Op* op : b.ops) cluster_of[op] = into;
  a.ops.insert(a.ops.end(), b.ops.begin(), b.ops.end());
  ClusterSet before = b.before;
  before.erase(into);
  a.before.erase(from);
  b.merged = true;
  b.ops.clear();
  a.views_of.insert(b.views_of.begin(), b.views_of.end());
  for (Cluster& other : clusters) {
    if (other.before.contains(from)) {
      other.before.erase(from);
      other.before.insert(into);
    }
    if (other.views_of.erase(from)) other.views_of.insert(into);
  }
  a.before.erase(into);
  add_before(into, before);
  return true;
}

void Fuser::add_loop_op(const Op& op) {
  const std::set<int> dependencies = operand_clusters(op);
  const std::set<int> viewed = viewed_clusters(op);
  int best = -1;
  if (options.fuse) {
    for (const Value& operand : op.operands()) {
      if (operand.op() == nullptr || operand.dims() != op.result().dims()) continue;
      const auto found = cluster_of.find(operand.op());
      if (found == cluster_of.end()) continue;
      const Cluster& candidate = clusters[static_cast<std::size_t>(found->second)];
      if (candidate.kind == GroupKind::kLoop && candidate.dims == op.result().dims() && found->second > best &&
          candidate.ops.size() < kMaxGroupOps && !viewed.count(found->second) && can_join(found->second, dependencies))
        best = found->second;
    }
  }
  if (best < 0) {
    best = static_cast<int>(clusters.size());
    clusters.push_back({GroupKind::kLoop, nullptr, op.result().dims(), {}, {}, {}, false});
  }
  cluster_of[&op] = best;
  clusters[static_cast<std::size_t>(best)].ops.push_back(&op);
  clusters[static_cast<std::size_t>(best)].views_of.insert(viewed.begin(), viewed.end());
  add_dependencies(best, dependencies);
  if (!options.fuse) return;
  for (int d : dependencies) {
    const Cluster& other = clusters[static_cast<std::size_t>(d)];
    if (d != best && !other.merged && other.kind == GroupKind::kLoop && other.dims == op.result().dims()) try_merge(best, d);
  }
}

/// The work of computing v again from what is in memory, in vector additions; large when it cannot be.
double Fuser::cone_cost(Value v, int depth) const {
  v = behind_views(v);
  if (v.op() == nullptr || v.block() != &block || materialised.count(v) || classify(*v.op()) == OpClass::kLeaf) return 0;
  if (!is_loop_op(*v.op()) || depth > 4) return 1e9;
  double cost = elementwise_cost(*v.op());
  for (const Value& operand : v.op()->operands()) cost += cone_cost(operand, depth + 1);
  return cost;
}

/// A long chain of views gets memory now and then: an access through it is found by recursion.
void Fuser::cut_view_chains() {
  constexpr int kMaxViews = 64;
  std::unordered_map<Value, int, ir::ValueHash> depth;
  for (const auto& op : block.ops()) {
    if (classify(*op) != OpClass::kView) continue;
    const auto found = depth.find(op->operand(0));
    const int mine = found == depth.end() ? 1 : found->second + 1;
    if (mine >= kMaxViews) materialised.insert(op->result());
    depth[op->result()] = mine >= kMaxViews ? 0 : mine;
  }
}

void Fuser::choose_materialised() {
  materialised = forced;
  materialised.insert(block.arguments().begin(), block.arguments().end());
  std::unordered_set<Value, ir::ValueHash> crossing;
  for (const auto& op : block.ops()) {
    const OpClass c = classify(*op);
    if (has_own_group(c))
      for (const Value& v : op->results()) materialised.insert(v);
    if (c == OpClass::kView || c == OpClass::kLeaf) continue;
    const int mine = cluster_of.at(op.get());
    for (const Value& operand : op->operands()) {
      const Value base = behind_views(operand);
      if (base.op() == nullptr || base.block() != &block || !is_loop_op(*base.op())) continue;
      const bool same_index = base == operand && cluster_of.at(base.op()) == mine;
      if (!same_index) crossing.insert(base);
    }
  }
  cut_view_chains();
  // In program order: what is cheap to compute again from memory is; the rest gets memory.
  constexpr double kRecompute = 2;
  for (const auto& op : block.ops()) {
    if (!is_loop_op(*op)) continue;
    const Value v = op->result();
    if (!crossing.count(v) || materialised.count(v)) continue;
    if (options.fuse && cone_cost(v, 0) <= kRecompute) continue;
    materialised.insert(v);
  }
}

int Fuser::add_buffer(Value v, Place where, int index) {
  const int id = static_cast<int>(plan.buffers.size());
  plan.buffers.push_back({v.type(), {}, where, index, 0, where != Place::kArena || row_major.count(v) != 0});
  plan.buffer_of[v] = id;
  return id;
}

/// Arguments: state then fixed share one table of pointers; rows are gathered into the arena at the start of a step.
void Fuser::add_arguments() {
  const auto num_state = std::count(plan.arguments.begin(), plan.arguments.end(), ArgumentKind::kState);
  int next_state = 0, next_fixed = static_cast<int>(num_state), next_rows = 0;
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    const Value v = block.arguments()[i];
    switch (plan.arguments[i]) {
      case ArgumentKind::kState: add_buffer(v, Place::kArgument, next_state++); break;
      case ArgumentKind::kFixed: add_buffer(v, Place::kArgument, next_fixed++); break;
      case ArgumentKind::kValidRows: plan.valid_rows_buffer = add_buffer(v, Place::kArena, 0); break;
      case ArgumentKind::kRows: {
        Group group;
        group.kind = GroupKind::kRows;
        group.row_argument = next_rows++;
        if (consumers[v].empty() && !forced.count(v)) break;
        group.stores = {{v, add_buffer(v, Place::kArena, 0)}};
        group.extents = v.dims();
        groups.push_back(std::move(group));
        break;
      }
    }
  }
}

/// A loop group that writes one view or leaf that something needs in memory.
void Fuser::add_copy_group(const Op& op) {
  Group group;
  group.stores = {{op.result(), add_buffer(op.result(), Place::kArena, 0)}};
  if (op.result().type().num_elements() == 0) return;
  group.extents = op.result().dims();
  group.members = {&op};
  groups.push_back(std::move(group));
}

void Fuser::make_groups() {
  if (&block == &plan.step->body) add_arguments();
  // A cluster becomes a group at its last op, so program order already respects most dependencies; order() does the rest.
  std::vector<const Op*> last(clusters.size(), nullptr);
  for (const auto& op : block.ops())
    if (const auto found = cluster_of.find(op.get()); found != cluster_of.end()) last[static_cast<std::size_t>(found->second)] = op.get();
  std::unordered_map<const Op*, int> ends;
  for (std::size_t c = 0; c < clusters.size(); ++c)
    if (last[c] != nullptr) ends[last[c]] = static_cast<int>(c);
  for (const auto& op : block.ops()) {
    const OpClass c = classify(*op);
    if (op->name() == "constant" && op->result().type().num_elements() != 1) {
      plan.constants.push_back(op->attributes().get<ir::Literal>("value"));
      add_buffer(op->result(), Place::kConstant, static_cast<int>(plan.constants.size()) - 1);
    } else if ((c == OpClass::kView || c == OpClass::kLeaf) && materialised.count(op->result())) {
      add_copy_group(*op);
    }
    const auto end = ends.find(op.get());
    if (end == ends.end()) continue;
    const Cluster& cluster = clusters[static_cast<std::size_t>(end->second)];
    Group group;
    group.kind = cluster.kind;
    group.op = cluster.root;
    group.members = cluster.ops;
    std::sort(group.members.begin(), group.members.end(), [&](const Op* a, const Op* b) { return position.at(a) < position.at(b); });
    if (cluster.root != nullptr) {
      if (cluster.kind == GroupKind::kReduce)
        group.extents = reduce_loops(*cluster.root).extents;
      else if (!is_control(cluster.kind))
        group.extents = cluster.root->result().dims();
      for (const Value& v : cluster.root->results()) group.stores.push_back({v, add_buffer(v, Place::kArena, 0)});
    } else {
      group.extents = cluster.dims;
      for (const Op* member : group.members)
        if (materialised.count(member->result()))
          group.stores.push_back({member->result(), add_buffer(member->result(), Place::kArena, 0)});
      if (group.stores.empty()) continue;  // all of it is computed where it is used
    }
    // Nothing to write: the buffers exist, no loop does.
    if (group.kind != GroupKind::kReference && group.kind != GroupKind::kWhile && group.kind != GroupKind::kBranch &&
        std::all_of(group.stores.begin(), group.stores.end(), [](const Store& store) { return store.value.type().num_elements() == 0; }))
      continue;
    groups.push_back(std::move(group));
  }
}

void Fuser::run() {
  const auto ops = block.ops();
  for (std::size_t i = 0; i < ops.size(); ++i) position[ops[i].get()] = i;
  find_consumers();
  force_operands();
  for (const auto& op : ops) {
    const OpClass c = classify(*op);
    if (!has_own_group(c)) continue;
    const int cluster = static_cast<int>(clusters.size());
    clusters.push_back({own_group_kind(*op), op.get(), {}, {op.get()}, {}, {}, false});
    cluster_of[op.get()] = cluster;
    if (c == OpClass::kReduce && op->name() == "reduce" && options.fuse) grow_reduce(*op, cluster);
  }
  for (const auto& op : ops) {
    const OpClass c = classify(*op);
    if (c == OpClass::kView || c == OpClass::kLeaf) continue;
    if (const auto found = cluster_of.find(op.get()); found != cluster_of.end())
      add_dependencies(found->second, operand_clusters(*op));
    else
      add_loop_op(*op);
  }
  choose_materialised();
  make_groups();
}

}  // namespace

std::vector<Group> fuse(Plan& plan, const ir::Block& block, const PlanOptions& options) {
  Fuser fuser{plan, block, options};
  fuser.run();
  return std::move(fuser.groups);
}

}  // namespace cornu::inline v0::backends::cpu
