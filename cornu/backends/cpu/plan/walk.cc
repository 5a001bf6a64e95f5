#include "cornu/backends/cpu/plan/walk.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/base/check.h"
#include "cornu/ops/index_space.h"

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
  const VisitRead& visit;
  const VisitOp& visit_op;
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
    for (const ir::Dims& tap : ops::all_indices(sizes))
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

void walk_reads(const Plan& plan, ir::Value value, const IndexMap& map, const VisitRead& visit,
                const VisitOp& visit_op) {
  Walk{plan, visit, visit_op}.go(value, map, true);
}

void walk_loop_ops(const Plan& plan, const Group& loop, const VisitOp& visit_op) {
  const VisitRead ignore = [](const Read&) {};
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
  walk_group(plan, group, [](const Read&) {}, [&](const ir::Op& op) { found.insert(&op); });
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

}  // namespace cornu::inline v0::backends::cpu
