#include <algorithm>
#include <set>
#include <unordered_map>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/base/check.h"
#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Orders maps, for the set of visited ones.
bool map_less(const IndexMap& a, const IndexMap& b) {
  auto key_less = [](const Index& x, const Index& y) {
    if (x.coefficients != y.coefficients) return x.coefficients < y.coefficients;
    if (x.constant != y.constant) return x.constant < y.constant;
    return std::lexicographical_compare(
        x.dynamic.begin(), x.dynamic.end(), y.dynamic.begin(), y.dynamic.end(),
        [](const Index::Dynamic& p, const Index::Dynamic& q) {
          if (std::pair(p.start.id(), p.max) != std::pair(q.start.id(), q.max))
            return std::pair(p.start.id(), p.max) < std::pair(q.start.id(), q.max);
          return map_less(p.map, q.map);
        });
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), key_less);
}

}  // namespace

bool same_map(const IndexMap& a, const IndexMap& b) { return !map_less(a, b) && !map_less(b, a); }

namespace {

struct Visited {
  ir::Value value;
  IndexMap map;
  bool operator<(const Visited& other) const {
    if (value.id() != other.value.id()) return value.id() < other.value.id();
    return map_less(map, other.map);
  }
};

struct Walk {
  const Plan& plan;
  const std::function<void(const Read&)>& visit;
  const std::function<void(const ir::Op&)>& visit_op;
  const Group* own = nullptr;  // values stored by this group are computed, not read
  std::set<Visited> visited = {};

  bool is_own(ir::Value value) const {
    return own != nullptr && std::any_of(own->stores.begin(), own->stores.end(), [&](const Store& store) {
             return store.value == value && plan.in_memory(value) && plan.buffer_of.at(value) == store.buffer;
           });
  }

  /// True if the values of this op are always in memory, made by their own group.
  static bool is_always_in_memory(const ir::Op& op) {
    switch (classify(op)) {
      case OpKind::kReduce:
      case OpKind::kDot:
      case OpKind::kKernel:
      case OpKind::kReference:
      case OpKind::kControl: return true;
      default: return false;
    }
  }

  void visit_memory(ir::Value value, const IndexMap& map) {
    visit({value, map});
    for (const Index& index : map)
      for (const Index::Dynamic& d : index.dynamic) visit({d.start, d.map});
  }

  void go(ir::Value value, const IndexMap& map, bool is_root) {
    if (!visited.insert({value, map}).second) return;
    if (!is_root && plan.in_memory(value) && !is_own(value)) return visit_memory(value, map);
    const ir::Op* op = value.op();
    if (op == nullptr || is_always_in_memory(*op)) {
      // Only a store's own value may be in memory and also be read (a copy).
      CORNU_CHECK(plan.in_memory(value), "value of {} is neither in memory nor computable",
                  op ? op->name() : "argument");
      visit({value, map});
      return;
    }
    const OpKind op_kind = classify(*op);
    if (op_kind == OpKind::kLeaf) return;
    if (op_kind == OpKind::kView) return go_view(*op, map);
    if (visit_op) visit_op(*op);
    if (op_kind == OpKind::kWindow) return go_windows(*op, map);
    for (const ir::Value& operand : op->operands())
      go(operand, operand.rank() == 0 ? IndexMap{} : map, false);
  }

  void go_view(const ir::Op& op, const IndexMap& map) {
    if (const std::optional<IndexMap> inner = operand_map(op, map)) return go(op.operand(0), *inner, false);
    // A reshape of a row-major buffer is read by linear index, see emit.
    visit({op.operand(0),
           {linear_index(op.result().dims(), map, map.empty() ? 0 : map[0].coefficients.size())},
           true});
  }

  void go_windows(const ir::Op& op, const IndexMap& map) {
    const bool scatters = window_use(op) == WindowUse::kScatters;
    go(op.operand(scatters ? 2 : 1), {}, false);
    std::optional<WindowPlace> place = scatters ? window_place(op, map) : WindowPlace{map, {}};
    if (!place) return;
    const ir::Dims sizes = window_sizes(op);
    for (const ir::Dims& tap : window_taps(sizes))
      go(op.operand(0), tap_map(place->window, sizes, tap), false);
    if (scatters) go(op.operand(1), place->window, false);
  }
};

}  // namespace

Index linear_index(const ir::Dims& dims, const IndexMap& map, std::size_t num_loops) {
  Index out{std::vector<std::int64_t>(num_loops, 0), 0, {}};
  const ir::Dims strides = ir::row_major_strides(dims);
  for (std::size_t d = 0; d < dims.size(); ++d) {
    CORNU_CHECK(map[d].dynamic.empty(), "dynamic_slice results are in memory");
    for (std::size_t l = 0; l < num_loops; ++l) out.coefficients[l] += strides[d] * map[d].coefficients[l];
    out.constant += strides[d] * map[d].constant;
  }
  return out;
}

void walk_reads(const Plan& plan, ir::Value value, const IndexMap& map,
                const std::function<void(const Read&)>& visit,
                const std::function<void(const ir::Op&)>& visit_op) {
  Walk{plan, visit, visit_op}.go(value, map, true);
}

void walk_loop_ops(const Plan& plan, const Group& loop, const std::function<void(const ir::Op&)>& visit_op) {
  const std::function<void(const Read&)> ignore = [](const Read&) {};
  Walk walk{plan, ignore, visit_op, &loop};
  for (const Store& store : loop.stores) {
    if (store.is_sum) {
      for (const IndexMap& at : sum_maps(loop)) walk.go(store.value.op()->operand(0), at, false);
      visit_op(*store.value.op());
    } else if (!plan.in_memory(store.value) || plan.buffer_of.at(store.value) == store.buffer) {
      walk.go(store.value, read_map(store, loop.extents), !plan.in_memory(store.value));
    }
  }
}

bool is_computed_view(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row != nullptr && row->is_computed_view;
}

std::vector<ir::Value> op_inputs(const ir::Op& op) {
  std::vector<ir::Value> inputs(op.operands().begin(), op.operands().end());
  if (!op.regions().empty()) {
    const std::vector<ir::Value> captured = transform::captured_values(op);
    inputs.insert(inputs.end(), captured.begin(), captured.end());
  }
  return inputs;
}

IndexMap read_map(const Store& store, const ir::Dims& loop_extents) {
  if (store.from) return *store.from;
  return store.value.rank() == 0 ? IndexMap{} : identity_map(loop_extents.size());
}

std::vector<IndexMap> sum_maps(const Group& group) {
  const IndexMap identity = identity_map(group.extents.size());
  if (group.tile.empty()) return {identity};
  std::vector<IndexMap> maps;
  for (const ir::Dims& tap : window_taps(group.tile)) maps.push_back(tap_map(identity, group.tile, tap));
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

namespace {

/// Reads of a group, which end at values of other groups: a value in memory is read directly.
void read_value(const Plan& plan, ir::Value value, const IndexMap& map,
                const std::function<void(const Read&)>& visit,
                const std::function<void(const ir::Op&)>& visit_op) {
  if (plan.in_memory(value))
    visit({value, map});
  else
    walk_reads(plan, value, map, visit, visit_op);
}

// A value that the group itself stores at the same index is in a register, not a read, so the traversal ends
// only at other groups' values.
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

/// Visits the reads of any group except a loop, and the ops that are computed before its own op.
void read_operands(const Plan& plan, const Group& group, const std::function<void(const Read&)>& visit,
                   const std::function<void(const ir::Op&)>& visit_op) {
  switch (group.kind) {
    case GroupKind::kRows:
    case GroupKind::kLoop: break;
    case GroupKind::kScatter: {
      const ScatterShape shape = scatter_shape(*group.op);
      const std::size_t n = group.op->results().size();
      const ir::Value indices = group.op->operand(n);
      for (const ScatterShape::Start& start : shape.starts) visit({indices, start.map});
      for (std::size_t i = 0; i < n; ++i)
        read_value(plan, group.op->operand(n + 1 + i), identity_map(group.extents.size()), visit, visit_op);
      break;
    }
    case GroupKind::kReduce: {
      const std::size_t n = group.op->results().size();
      const IndexMap input_map = reduce_loops(*group.op).input;
      for (std::size_t i = 0; i < n; ++i) {
        read_value(plan, group.op->operand(i), input_map, visit, visit_op);
        read_value(plan, group.op->operand(n + i), {}, visit, visit_op);
      }
      break;
    }
    case GroupKind::kDot:
    case GroupKind::kMatrixDot:
    case GroupKind::kKernel:
    case GroupKind::kReference:
    case GroupKind::kWhile:
    case GroupKind::kBranch:
    case GroupKind::kUpdate:
      if (group.async_part == AsyncPart::kDone) break;  // read at the start of the operation
      for (const ir::Value& operand : op_inputs(*group.op))
        read_value(plan, operand, identity_map(operand.dims().size()), visit, visit_op);
      break;
  }
}

}  // namespace

std::vector<Read> group_reads(const Plan& plan, const Group& group) {
  if (group.kind == GroupKind::kLoop) return loop_reads(plan, group);
  std::vector<Read> reads;
  read_operands(plan, group, [&](const Read& read) { reads.push_back(read); }, {});
  return reads;
}

namespace {

using OpPositions = std::unordered_map<const ir::Op*, std::size_t>;

/// Numbers the ops of a block and of its regions in program order.
void number_ops(const ir::Block& block, OpPositions& positions) {
  for (const auto& op : block.ops()) {
    positions.emplace(op.get(), positions.size());
    for (const auto& region : op->regions()) number_ops(*region, positions);
  }
}

/// The ops of one group for computed_ops.
std::vector<const ir::Op*> ops_of(const Plan& plan, const Group& group, const OpPositions& positions) {
  std::set<const ir::Op*> found;
  const std::function<void(const ir::Op&)> add = [&](const ir::Op& op) { found.insert(&op); };
  if (group.kind == GroupKind::kLoop) {
    walk_loop_ops(plan, group, add);
    for (const ir::Op* member : group.members)
      if (classify(*member) == OpKind::kView || classify(*member) == OpKind::kLeaf) found.insert(member);
  } else {
    found.insert(group.members.begin(), group.members.end());
    if (!is_control(group.kind)) read_operands(plan, group, [](const Read&) {}, add);
  }
  std::vector<const ir::Op*> ops(found.begin(), found.end());
  std::sort(ops.begin(), ops.end(),
            [&](const ir::Op* a, const ir::Op* b) { return positions.at(a) < positions.at(b); });
  return ops;
}

}  // namespace

std::vector<std::vector<const ir::Op*>> computed_ops(const Plan& plan) {
  OpPositions positions;
  number_ops(plan.step->body, positions);
  std::vector<std::vector<const ir::Op*>> ops(static_cast<std::size_t>(plan.num_groups));
  for_each_group(plan, [&](const Group& group, int) {
    ops[static_cast<std::size_t>(group.id)] = ops_of(plan, group, positions);
  });
  return ops;
}

Combiner free_combiner(const ir::Op& reduce) {
  return reduce.results().size() == 1 ? combiner_of_body(reduce.region(0)) : Combiner::kNone;
}

ReduceLoops reduce_loops(const ir::Op& reduce) {
  ReduceLoops loops;
  if (window_use(reduce) == WindowUse::kReduces) {
    const ops::WindowOptions window = ops::window_options(reduce);
    const ir::Dims& result = reduce.result().dims();
    const std::size_t rank = result.size();
    loops.extents = result;
    loops.extents.insert(loops.extents.end(), window.dimensions.begin(), window.dimensions.end());
    for (std::size_t d = 0; d < rank; ++d) {
      Index index{std::vector<std::int64_t>(2 * rank, 0), 0, {}};
      index.coefficients[d] = window.strides[d];
      index.coefficients[rank + d] = window.window_dilations[d];
      loops.input.push_back(std::move(index));
      loops.kept.push_back(static_cast<std::int64_t>(d));
    }
    return loops;
  }
  const auto& gone = reduce.attributes().get<ir::Dims>("dimensions");
  loops.extents = reduce.operand(0).dims();
  loops.input = identity_map(loops.extents.size());
  for (std::int64_t d = 0; d < reduce.operand(0).rank(); ++d)
    if (std::find(gone.begin(), gone.end(), d) == gone.end()) loops.kept.push_back(d);
  return loops;
}

}  // namespace cornu::inline v0::backends::cpu
