#include <algorithm>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Dims;
using ir::Value;

/// Collects the groups of an update: each a loop over a box of the result.
class Parts {
 public:
  Parts(const Plan& plan, const Group& update) : plan_(plan), update_(update) {}

  /// Writes `value` over a box: `from` and `at` map the box's indices to the value's and the result's; none: as they are.
  void write(Value value, Dims extents, std::optional<IndexMap> from, std::optional<IndexMap> at) {
    if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return;
    Group part;
    part.stores = {{value, update_.stores[0].buffer, std::move(at), std::move(from)}};
    part.extents = std::move(extents);
    groups.push_back(std::move(part));
  }

  /// The whole operand, unless the result already lies there.
  void copy(Value operand, const Store& result) {
    if (operand.type().num_elements() == 0 || (plan_.in_memory(operand) && plan_.buffer_of.at(operand) == result.buffer)) return;
    Group part;
    part.stores = {{operand, result.buffer}};
    part.extents = operand.dims();
    groups.push_back(std::move(part));
  }

  std::vector<Group> groups;

 private:
  const Plan& plan_;
  const Group& update_;
};

IndexMap shifted(const Dims& offsets) {
  IndexMap map = identity_map(offsets.size());
  for (std::size_t d = 0; d < offsets.size(); ++d) map[d].constant = offsets[d];
  return map;
}

void concatenate_parts(const ir::Op& op, Parts& parts) {
  const auto along = static_cast<std::size_t>(op.attributes().get<std::int64_t>("dimension"));
  Dims offset(op.result().dims().size(), 0);
  for (const Value& input : op.operands()) {
    parts.write(input, input.dims(), std::nullopt, shifted(offset));
    offset[along] += input.dims()[along];
  }
}

/// Only the rim around the operand: a slab below and one above in each dimension. With interior padding, everything.
void fill_padding(const ir::Op& op, const Dims& begin, const Dims& end, bool everything, Parts& parts) {
  const Dims& result = op.result().dims();
  Dims low(result.size(), 0), high = result;  // what is not filled yet
  if (everything) return parts.write(op.operand(1), result, std::nullopt, std::nullopt);
  auto slab = [&](std::size_t d, std::int64_t from, std::int64_t to) {
    Dims offset = low, extents = high;
    offset[d] = from;
    for (std::size_t i = 0; i < extents.size(); ++i) extents[i] -= low[i];
    extents[d] = to - from;
    parts.write(op.operand(1), extents, std::nullopt, shifted(offset));
  };
  for (std::size_t d = 0; d < result.size(); ++d) {
    slab(d, 0, begin[d]);
    slab(d, end[d], result[d]);
    low[d] = begin[d];
    high[d] = end[d];
  }
}

void pad_parts(const ir::Op& op, Parts& parts) {
  const auto& low = op.attributes().get<Dims>("edge_padding_low");
  const auto& interior = op.attributes().get<Dims>("interior_padding");
  const Dims& operand = op.operand(0).dims();
  const Dims& result = op.result().dims();
  const std::size_t rank = operand.size();
  // The operand's elements that the result has, and where.
  Dims extents(rank), first(rank), begin(rank), end(rank);
  IndexMap at = identity_map(rank);
  bool everything = false;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t step = interior[d] + 1;
    first[d] = low[d] >= 0 ? 0 : (-low[d] + step - 1) / step;
    const std::int64_t room = result[d] - low[d];  // elements i with low + i * step < result
    const std::int64_t last = std::min(operand[d], room <= 0 ? 0 : (room + step - 1) / step);
    extents[d] = std::max<std::int64_t>(0, last - first[d]);
    at[d].coefficients[d] = step;
    at[d].constant = low[d] + first[d] * step;
    begin[d] = std::clamp<std::int64_t>(at[d].constant, 0, result[d]);
    end[d] = std::clamp<std::int64_t>(begin[d] + extents[d], begin[d], result[d]);
    everything = everything || step != 1 || extents[d] == 0;
  }
  fill_padding(op, begin, end, everything, parts);
  parts.write(op.operand(0), extents, shifted(first), std::move(at));
}

void dynamic_update_slice_parts(const ir::Op& op, Parts& parts) {
  const Value update = op.operand(1);
  IndexMap at = identity_map(update.dims().size());
  for (std::size_t d = 0; d < at.size(); ++d) at[d].dynamic.push_back({op.operand(2 + d), op.operand(0).dims()[d] - update.dims()[d], {}});
  parts.write(update, update.dims(), std::nullopt, std::move(at));
}

/// The value of a scatter's input that is the same everywhere, if slices of the scatter are whole rows: then each writes its rows and adds
/// to them while they are in its core's cache.
std::optional<ir::Literal> value_to_fill(const Plan& plan, const ir::Op& scatter) {
  if (scatter.results().size() != 1 || plan.in_memory(scatter.operand(0)) || !can_share_scatter(scatter)) return std::nullopt;
  const ScatterShape shape = scatter_shape(scatter);
  if (shape.starts[*shape.shared].dimension != 0) return std::nullopt;
  return transform::splat_value(scatter.operand(0));
}

}  // namespace

std::vector<Group> update_parts(const Plan& plan, const Group& update) {
  const ir::Op& op = *update.op;
  Parts parts(plan, update);
  if (op.name() == "concatenate") concatenate_parts(op, parts);
  if (op.name() == "pad") pad_parts(op, parts);
  if (op.name() == "dynamic_update_slice") {
    parts.copy(op.operand(0), update.stores[0]);
    dynamic_update_slice_parts(op, parts);
  }
  if (op.name() == "scatter") {
    Group scatter;
    scatter.kind = GroupKind::kScatter;
    scatter.op = &op;
    scatter.stores = update.stores;
    scatter.extents = op.operand(op.results().size() + 1).dims();
    scatter.members = {&op};
    const bool has_updates = op.operand(op.results().size() + 1).type().num_elements() > 0 && op.result().type().num_elements() > 0;
    if (has_updates) scatter.fill = value_to_fill(plan, op);
    if (!scatter.fill)
      for (const Store& store : update.stores) parts.copy(op.operand(static_cast<std::size_t>(store.value.index())), store);
    if (has_updates) parts.groups.push_back(std::move(scatter));
  }
  return std::move(parts.groups);
}

}  // namespace cornu::inline v0::backends::cpu
