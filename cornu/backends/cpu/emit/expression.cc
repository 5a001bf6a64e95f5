#include "cornu/backends/cpu/emit/expression.h"

#include <algorithm>
#include <cmath>

#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/base/check.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce/scalar_body.h"

namespace cornu::inline v0::backends::cpu {
namespace {

std::vector<std::int64_t> key_of(const IndexMap& map, bool compute) {
  std::vector<std::int64_t> key = {compute ? 1 : 0};
  for (const Index& index : map) {
    key.insert(key.end(), index.coefficients.begin(), index.coefficients.end());
    key.push_back(index.constant);
    for (const Index::Dynamic& d : index.dynamic) {
      key.push_back(reinterpret_cast<std::int64_t>(d.start.id()));
      key.push_back(d.max);
      const std::vector<std::int64_t> inner = key_of(d.map, false);
      key.push_back(static_cast<std::int64_t>(inner.size()));
      key.insert(key.end(), inner.begin(), inner.end());
    }
    key.push_back(-1);
  }
  return key;
}

}  // namespace

std::vector<bool> Expression::varies_along(std::span<const std::size_t> dimensions) const {
  std::vector<bool> varies;  // what a node uses stands before it
  for (const Node& node : nodes_) {
    const auto uses_one = [&](const std::vector<int>& used) {
      return std::any_of(used.begin(), used.end(),
                         [&](int n) { return varies[static_cast<std::size_t>(n)]; });
    };
    const auto walks = [&](std::size_t d) {
      const std::vector<std::int64_t>& coefficients = node.address.position.coefficients;
      return (d < coefficients.size() && coefficients[d] != 0) ||
             (d == 0 && node.kind == Node::Kind::kRowLoad);
    };
    varies.push_back(uses_one(node.operands) || uses_one(node.address.dynamic) ||
                     std::any_of(dimensions.begin(), dimensions.end(), walks));
  }
  return varies;
}

Address Expression::address(const PlanBuffer& buffer, const IndexMap& map) {
  Address out{{std::vector<std::int64_t>(group_.extents.size(), 0), 0}, {}};
  for (std::size_t d = 0; d < map.size(); ++d) {
    const std::int64_t stride = buffer.strides[d];
    for (std::size_t l = 0; l < map[d].coefficients.size(); ++l)
      out.position.coefficients[l] += stride * map[d].coefficients[l];
    out.position.constant += stride * map[d].constant;
    for (const Index::Dynamic& dynamic : map[d].dynamic)
      out.dynamic.push_back(add_offset(dynamic.start, dynamic.map, dynamic.max, stride));
  }
  return out;
}

int Expression::add_offset(ir::Value start, const IndexMap& map, std::int64_t max, std::int64_t stride) {
  Node node;
  node.kind = Node::Kind::kOffset;
  node.operands = {add(start, map, false)};
  node.value = start;
  node.max = max;
  node.stride = stride;
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

int Expression::add_load(ir::Value value, int buffer, Address address) {
  Node node;
  node.kind = Node::Kind::kLoad;
  node.value = value;
  node.buffer = buffer;
  node.address = std::move(address);
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

int Expression::add_node(Node::Kind kind, ir::Value value, std::vector<int> operands) {
  Node node;
  node.kind = kind;
  node.value = value;
  node.operands = std::move(operands);
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

/// The window's elements one after the other.
int Expression::add_reduce_window(const ir::Op& op, const IndexMap& map) {
  const ir::Value body = op.region(0).results()[0];
  const ir::Dims sizes = window_sizes(op);
  const ir::Op* const init = op.operand(1).op();
  const Combiner combiner = combiner_of_body(op.region(0));
  const ir::DType dtype = op.result().dtype();
  const bool is_extremum = combiner == Combiner::kMaximum || combiner == Combiner::kMinimum;
  const bool is_neutral =
      is_extremum && ops::is_constant(op.operand(1)) &&
      init->attributes().get<ir::Literal>("value") ==
          (combiner == Combiner::kMaximum ? ops::least_value(dtype) : ops::greatest_value(dtype));
  Windowed windowed{body, {}, ir::is_float(dtype) && is_extremum};
  for (const ir::Dims& tap : ops::all_indices(sizes)) windowed.maps.push_back(tap_map(map, sizes, tap));
  const int elements = add_windowed(windowed, op.operand(0));
  return is_neutral ? elements : add_node(Node::Kind::kOp, body, {add(op.operand(1), {}, false), elements});
}

/// Combines `value` at the window's positions. Functions that rise with their operand (x + b, max(x, c),
/// rounded or not), equal at all positions, are computed once, on the largest or smallest operand.
int Expression::add_windowed(Windowed windowed, ir::Value value) {
  const ir::Op* const op = value.op();
  const auto rising = {Combiner::kSum, Combiner::kMaximum, Combiner::kMinimum};
  if (windowed.rises && op != nullptr &&
      std::find(rising.begin(), rising.end(), combiner_of(*op)) != rising.end() && !plan_.in_memory(value)) {
    for (std::size_t side = 0; side < 2; ++side) {
      const int other = add(op->operand(1 - side), windowed.maps[0], false);
      if (!std::all_of(windowed.maps.begin(), windowed.maps.end(),
                       [&](const IndexMap& map) { return add(op->operand(1 - side), map, false) == other; }))
        continue;
      const Node& bound = nodes_[static_cast<std::size_t>(other)];
      if (combiner_of(*op) == Combiner::kMaximum && bound.kind == Node::Kind::kConstant) {
        const double c = bound.value.op()->attributes().get<ir::Literal>("value").at(0);
        windowed.hides_sign = windowed.hides_sign || (c >= 0 && !std::signbit(c));
      }
      const int inner = add_windowed(windowed, op->operand(side));
      return add_node(Node::Kind::kOp, value,
                      side == 0 ? std::vector<int>{inner, other} : std::vector<int>{other, inner});
    }
  }
  const bool is_larger = windowed.hides_sign && combiner_of(*windowed.body.op()) == Combiner::kMaximum;
  int result = add(value, windowed.maps[0], false);
  for (std::size_t i = 1; i < windowed.maps.size(); ++i)
    result = add_node(is_larger ? Node::Kind::kLarger : Node::Kind::kOp, windowed.body,
                      {result, add(value, windowed.maps[i], false)});
  return result;
}

/// For each position of a window: true if it is the choice among the positions up to it, and no later
/// position is preferred.
const std::vector<int>& Expression::add_choices(const ir::Op& op, const IndexMap& window) {
  const Key key(op.result().id(), key_of(window, true));
  if (const auto found = choices_.find(key); found != choices_.end()) return found->second;
  const ir::Dims sizes = window_sizes(op);
  int kept = -1;
  std::vector<int> stays;  // for each place but the first: whether what was kept before stays
  for (const ir::Dims& tap : ops::all_indices(sizes)) {
    const int next = add(op.operand(0), tap_map(window, sizes, tap), false);
    if (kept >= 0) {
      stays.push_back(add_node(Node::Kind::kOp, op.region(0).results()[0], {kept, next}));
      kept = add_node(Node::Kind::kSelect, op.operand(0), {stays.back(), kept, next});
    } else {
      kept = next;
    }
  }
  std::vector<int> chosen(stays.size() + 1, -1);
  int all_stay = -1;  // behind the place
  for (std::size_t i = stays.size(); i > 0; --i) {
    const int moves = add_node(Node::Kind::kNot, {}, {stays[i - 1]});
    chosen[i] = all_stay < 0 ? moves : add_node(Node::Kind::kAnd, {}, {moves, all_stay});
    all_stay = all_stay < 0 ? stays[i - 1] : add_node(Node::Kind::kAnd, {}, {stays[i - 1], all_stay});
  }
  chosen[0] = all_stay;
  return choices_.emplace(key, std::move(chosen)).first->second;
}

int Expression::add_select_and_scatter(const ir::Op& op, const IndexMap& map) {
  const int init = add(op.operand(2), {}, false);
  const std::optional<WindowPlace> place = window_place(op, map);
  if (!place) return init;
  const ir::Dims sizes = window_sizes(op);
  const std::vector<ir::Dims> taps = ops::all_indices(sizes);
  const auto tap = static_cast<std::size_t>(std::find(taps.begin(), taps.end(), place->tap) - taps.begin());
  const int chosen = add_choices(op, place->window)[tap];
  const int source = add(op.operand(1), place->window, false);
  const int sum = add_node(Node::Kind::kOp, op.region(1).results()[0], {init, source});
  return chosen < 0 ? sum : add_node(Node::Kind::kSelect, op.result(), {chosen, sum, init});
}

int Expression::add_row_load(ir::Value value, int row_argument, const IndexMap& map) {
  Node node;
  node.kind = Node::Kind::kRowLoad;
  node.value = value;
  node.buffer = row_argument;
  PlanBuffer plain{value.type(), ir::row_major_strides(value.dims()), MemorySpace::kArgument, 0, 0, true};
  plain.strides[0] = 0;  // the row comes from the step's indices
  node.address = address(plain, map);
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

/// True if this loop stores the value at `map`: it stays in registers.
bool Expression::is_made_here(ir::Value value, const IndexMap& map) const {
  if (!group_.is<LoopGroup>() || !plan_.in_memory(value)) return false;
  return std::any_of(group_.stores.begin(), group_.stores.end(), [&](const Store& store) {
    return store.value == value && plan_.buffer_of.at(value) == store.buffer &&
           (store.from ? same_map(*store.from, map) : is_identity(map, group_.extents));
  });
}

int Expression::add_iota(ir::Value value, const IndexMap& map) {
  const auto dimension = value.op()->attributes().get<std::int64_t>("iota_dimension");
  const Index& index = map[static_cast<std::size_t>(dimension)];
  CORNU_CHECK(index.dynamic.empty(), "iota behind a dynamic slice");
  const int id = add_node(Node::Kind::kIota, value, {});
  nodes_[static_cast<std::size_t>(id)].address.position = {index.coefficients, index.constant};
  return id;
}

int Expression::add_view(const ir::Op& view, const IndexMap& map) {
  if (const std::optional<IndexMap> inner = operand_map(view, map))
    return add(view.operand(0), *inner, false);
  const ir::Value value = view.result();
  const int buffer = plan_.buffer_of.at(view.operand(0));
  const PlanBuffer flat{{value.dtype(), {value.type().num_elements()}}, {1}, MemorySpace::kArena, 0, 0, true};
  const std::size_t num_loops = map.empty() ? 0 : map[0].coefficients.size();
  return add_load(view.operand(0), buffer, address(flat, {linear_index(value.dims(), map, num_loops)}));
}

int Expression::add_elementwise(const ir::Op& op, const IndexMap& map) {
  CORNU_CHECK(classify(op) == OpKind::kElementwise, "{} is not computable in a loop", op.name());
  std::vector<int> operands;
  for (const ir::Value& operand : op.operands())
    operands.push_back(add(operand, operand.rank() == 0 ? IndexMap{} : map, false));
  return add_node(Node::Kind::kOp, op.result(), std::move(operands));
}

/// The node of a value that is computed, not loaded.
int Expression::add_computed(ir::Value value, const IndexMap& map) {
  CORNU_CHECK(value.op() != nullptr, "an argument that is not in memory");
  const ir::Op& op = *value.op();
  const OpKind op_kind = classify(op);
  if (op_kind == OpKind::kLeaf && !ops::is_constant(value)) return add_iota(value, map);
  if (op_kind == OpKind::kView) return add_view(op, map);
  if (op_kind != OpKind::kWindow) return add_elementwise(op, map);
  return window_use(op) == WindowUse::kReduces ? add_reduce_window(op, map) : add_select_and_scatter(op, map);
}

int Expression::add(ir::Value value, const IndexMap& map, bool compute) {
  const bool is_scalar_constant = ops::is_constant(value) && value.type().num_elements() == 1;
  const bool load = !compute && !is_scalar_constant && plan_.in_memory(value) && !is_made_here(value, map);
  auto key = std::pair(value.id(), key_of(map, !load));
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  int id = 0;
  if (load)
    id = add_load(value, plan_.buffer_of.at(value),
                  address(PlanBuffer{value.type(), plan_.strides(value)}, map));
  else if (is_scalar_constant)
    id = add_node(Node::Kind::kConstant, value, {});
  else
    id = add_computed(value, map);
  known_.emplace(std::move(key), id);
  return id;
}

}  // namespace cornu::inline v0::backends::cpu
