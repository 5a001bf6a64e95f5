#include "cornu/backends/cpu/plan/group.h"

#include <algorithm>

#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/dot_shape.h"
#include "cornu/backends/cpu/plan/walk.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// The reads of a loop. A value that it stores itself at the same index is in a register, not a read, so the
/// traversal ends only at other groups' values.
std::vector<Read> loop_reads(const Plan& plan, const Group& group) {
  std::vector<Read> reads;
  auto visit = [&](const Read& read) { reads.push_back(read); };
  for (const Store& store : group.stores) {
    if (store.is_sum) {
      const ir::Op& sum = *store.value.op();
      walk_reads(plan, sum.operand(1), {}, visit);
      for (const IndexMap& at : sum_maps(group)) walk_reads(plan, sum.operand(0), at, visit);
      continue;
    }
    const IndexMap map = read_map(store, group.extents);
    if (plan.in_memory(store.value) && plan.buffer_of.at(store.value) != store.buffer)
      visit({store.value, map});
    else
      walk_reads(plan, store.value, map, visit);
    if (store.at)
      for (const Index& index : *store.at)
        for (const Index::Dynamic& d : index.dynamic) visit({d.start, d.map});
  }
  std::erase_if(reads, [&](const Read& read) {
    return std::any_of(group.stores.begin(), group.stores.end(), [&](const Store& store) {
      return store.value == read.value && plan.in_memory(store.value) &&
             plan.buffer_of.at(store.value) == store.buffer;
    });
  });
  return reads;
}

/// Walks a group of each kind.
struct Walker {
  const Plan& plan;
  const Group& group;
  const VisitRead& visit;
  const VisitOp& visit_op;

  void operator()(const LoopGroup&) const {
    for (const Read& each : loop_reads(plan, group)) visit(each);
    if (!visit_op) return;
    walk_loop_ops(plan, group, visit_op);
    for (const ir::Op* member : group.members)
      if (classify(*member) == OpKind::kView || classify(*member) == OpKind::kLeaf) visit_op(*member);
  }
  void operator()(const RowsGroup&) const {}
  void operator()(const ReduceGroup&) const {
    visit_members();
    const std::size_t n = group.op->results().size();
    const IndexMap input_map = reduce_loops(*group.op).input;
    for (std::size_t i = 0; i < n; ++i) {
      read(group.op->operand(i), input_map);
      read(group.op->operand(n + i), {});
    }
  }
  void operator()(const ScatterGroup&) const {
    visit_members();
    const std::size_t n = group.op->results().size();
    for (const ScatterShape::Start& start : scatter_shape(*group.op).starts)
      visit({group.op->operand(n), start.map});
    for (std::size_t i = 0; i < n; ++i)
      read(group.op->operand(n + 1 + i), identity_map(group.extents.size()));
  }
  void operator()(const DotGroup&) const { read_inputs(); }
  void operator()(const MatrixDotGroup&) const { read_inputs(); }
  void operator()(const KernelGroup& kernel) const {
    if (kernel.async_part == AsyncPart::kDone) return visit_members();  // read at the start
    read_inputs();
  }
  void operator()(const ReferenceGroup&) const { read_inputs(); }
  void operator()(const WhileGroup&) const { read_inputs_of_regions(); }
  void operator()(const BranchGroup&) const { read_inputs_of_regions(); }
  void operator()(const UpdateGroup&) const {
    visit_members();
    read_parts(*group.op);
  }

  void visit_members() const {
    if (!visit_op) return;
    for (const ir::Op* member : group.members) visit_op(*member);
  }
  /// Reads end at values of other groups: a value in memory is read directly.
  void read(ir::Value value, const IndexMap& map) const {
    if (plan.in_memory(value))
      visit({value, map});
    else
      walk_reads(plan, value, map, visit, visit_op);
  }
  void read_inputs() const {
    visit_members();
    for (const ir::Value& input : op_inputs(*group.op)) read(input, identity_map(input.dims().size()));
  }
  /// Inputs of an update; those of its own kind without memory are parts of its result.
  void read_parts(const ir::Op& update) const {
    const VisitOp none;
    for (const ir::Value& input : op_inputs(update)) {
      const ir::Op* const maker = input.op();
      if (maker != nullptr && &maker->def() == &update.def() && !plan.in_memory(input))
        read_parts(*maker);
      else
        Walker{plan, group, visit, none}.read(input, identity_map(input.dims().size()));
    }
  }
  /// Without the ops on the way to an input, which the groups inside compute.
  void read_inputs_of_regions() const {
    visit_members();
    const VisitOp none;
    Walker{plan, group, visit, none}.read_inputs();
  }
};

/// Predicts the work of a group of each kind.
struct Predictor {
  const Plan& plan;
  const Group& group;
  const PlanOptions& options;
  double num_iterations = num_elements(group.extents);

  GroupWork operator()(const LoopGroup&) const {
    return work_of_ops([&](const VisitOp& count) { walk_loop_ops(plan, group, count); });
  }
  GroupWork operator()(const RowsGroup&) const { return {}; }
  GroupWork operator()(const ReduceGroup&) const {
    return work_of_ops([&](const VisitOp& count) {
      for (const ir::Op* member : group.members) count(*member);
    });
  }
  GroupWork operator()(const ScatterGroup&) const { return {0, 4 * num_iterations / options.vector_lanes}; }
  GroupWork operator()(const DotGroup&) const { return work_of_products(2 * multiply_adds(*group.op)); }
  GroupWork operator()(const MatrixDotGroup&) const { return work_of_products(2 * multiply_adds(*group.op)); }
  GroupWork operator()(const KernelGroup&) const {
    const double flops = kernel_flops(*group.op);
    return flops > 0 ? work_of_products(flops) : GroupWork{flops, 4 * num_iterations};
  }
  GroupWork operator()(const ReferenceGroup&) const { return {0, 20 * num_iterations}; }
  GroupWork operator()(const WhileGroup&) const { return {}; }
  GroupWork operator()(const BranchGroup&) const { return {}; }
  GroupWork operator()(const UpdateGroup&) const { return {}; }

  template <typename ForEachOp>
  GroupWork work_of_ops(const ForEachOp& for_each_op) const {
    GroupWork work;
    for_each_op([&](const ir::Op& op) {
      work.vector_ops += elementwise_cost(op) * num_iterations / options.vector_lanes;
      if (ir::is_float(op.result().dtype())) work.flops += num_iterations;
    });
    work.vector_ops += group.bytes / 4 / options.vector_lanes;
    return work;
  }
  GroupWork work_of_products(double flops) const {
    constexpr double kFmaPerUs = 5000;  // fused multiply-add vector instructions
    return {flops, flops / 2 / options.vector_lanes * kVectorOpsPerUs / kFmaPerUs};
  }
};

}  // namespace

void walk_group(const Plan& plan, const Group& group, const VisitRead& visit, const VisitOp& visit_op) {
  std::visit(Walker{plan, group, visit, visit_op}, group.kind);
}

GroupWork group_work(const Plan& plan, const Group& group, const PlanOptions& options) {
  return std::visit(Predictor{plan, group, options}, group.kind);
}

IndexMap read_map(const Store& store, const ir::Dims& loop_extents) {
  if (store.from) return *store.from;
  return store.value.rank() == 0 ? IndexMap{} : identity_map(loop_extents.size());
}

std::vector<IndexMap> sum_maps(const Group& loop) {
  const IndexMap identity = identity_map(loop.extents.size());
  const ir::Dims& tile = std::get<LoopGroup>(loop.kind).tile;
  if (tile.empty()) return {identity};
  std::vector<IndexMap> maps;
  for (const ir::Dims& tap : ops::all_indices(tile)) maps.push_back(tap_map(identity, tile, tap));
  return maps;
}

PartialSums partial_sums(const Group& group) {
  constexpr std::int64_t kLine = 64;  // slices write to separate cache lines
  PartialSums out;
  for (const Store& store : group.stores) {
    if (!store.is_sum) continue;
    out.offsets.push_back(out.row_bytes);
    out.row_bytes += (static_cast<std::int64_t>(store.value.type().size_bytes()) + kLine - 1) / kLine * kLine;
  }
  return out;
}

bool is_control(const Group& group) {
  return std::visit([](const auto& kind) { return kind.kIsControl; }, group.kind);
}

bool is_emitted(const Group& group) {
  return std::visit([](const auto& kind) { return kind.kIsEmitted; }, group.kind);
}

const char* group_kind_name(const Group& group) {
  return std::visit([](const auto& kind) { return kind.kName; }, group.kind);
}

std::vector<Read> group_reads(const Plan& plan, const Group& group) {
  std::vector<Read> reads;
  walk_group(plan, group, [&](const Read& read) { reads.push_back(read); }, {});
  return reads;
}

std::vector<std::pair<ir::Value, ir::Value>> updated_operands(const Group& group) {
  std::vector<std::pair<ir::Value, ir::Value>> out;
  if (group.op == nullptr ||
      !std::visit([&](const auto& kind) { return kind.changes_operands(*group.op); }, group.kind))
    return out;
  for (const Store& store : group.stores)
    out.emplace_back(group.op->operand(static_cast<std::size_t>(store.value.index())), store.value);
  return out;
}

}  // namespace cornu::inline v0::backends::cpu
