#include "cornu/transform/sharding_flow.h"

#include <algorithm>
#include <utility>

#include "cornu/ir/op_def.h"
#include "cornu/ops/index_space.h"
#include "cornu/transform/manual_computation.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: ops whose results are cut as one of their operands is

/// Copies the cut of one dimension to another one.
void take_dimension(TensorSharding& to, std::size_t d, const TensorSharding& from, std::int64_t dimension) {
  const auto source = static_cast<std::size_t>(dimension);
  to.num_parts[d] = from.num_parts[source];
  for (std::size_t device = 0; device < to.positions.size(); ++device)
    to.positions[device][d] = from.positions[device][source];
}

}  // namespace

void ShardingFlow::set(ir::Value value, TensorSharding sharding) {
  sharding.num_summands = 1;  // what follows from sums is no sum
  sharding.summands.assign(sharding.positions.size(), 0);
  if (!sharding.is_replicated()) shardings_[value] = std::move(sharding);
}

const TensorSharding* ShardingFlow::find(ir::Value value) const {
  const auto found = shardings_.find(value);
  return found == shardings_.end() ? nullptr : &found->second;
}

/// The dimensions of a product are the batch's, those of the left operand and those of the right one.
void ShardingFlow::add_product(const ir::Op& op) {
  TensorSharding sharding = replicated_sharding(op.result().rank(), num_devices_);
  const auto dims = [&](const char* name) { return op.attributes().get<ir::Dims>(name); };
  const ir::Dims batching = dims("lhs_batching_dimensions");
  const auto add_free = [&](std::size_t operand, std::size_t first, const ir::Dims& batch,
                            const ir::Dims& contracting) {
    const TensorSharding* const from = find(op.operand(operand));
    for (std::int64_t d = 0; d < op.operand(operand).rank(); ++d) {
      if (ops::contains(batch, d) || ops::contains(contracting, d)) continue;
      TensorSharding next = sharding;
      if (from != nullptr) take_dimension(next, first, *from, d);
      if (next.has_all_parts()) sharding = std::move(next);
      ++first;
    }
    return first;
  };
  if (const TensorSharding* const from = find(op.operand(0)))
    for (std::size_t i = 0; i < batching.size(); ++i) take_dimension(sharding, i, *from, batching[i]);
  const std::size_t right = add_free(0, batching.size(), batching, dims("lhs_contracting_dimensions"));
  add_free(1, right, dims("rhs_batching_dimensions"), dims("rhs_contracting_dimensions"));
  set(op.result(), std::move(sharding));
}

void ShardingFlow::add(const ir::Op& op) {
  if (is_sharding_constraint(op)) {
    set(op.result(), reader_.sharding(op.attributes().get<std::string>("sharding"), op.result().rank()));
  } else if (op.name() == "dot_general") {
    add_product(op);
  } else if (op.name() == "transpose") {
    const TensorSharding* const from = find(op.operand(0));
    if (from == nullptr) return;
    const auto& permutation = op.attributes().get<ir::Dims>("permutation");
    TensorSharding sharding = *from;
    for (std::size_t d = 0; d < permutation.size(); ++d) take_dimension(sharding, d, *from, permutation[d]);
    set(op.result(), std::move(sharding));
  } else if (op.name() == "while") {
    for (std::size_t i = 0; i < op.results().size(); ++i)
      if (const TensorSharding* const from = find(op.operand(i))) set(op.result(i), TensorSharding(*from));
  } else if (op.def().elementwise) {
    for (const ir::Value& operand : op.operands()) {
      const TensorSharding* const from = find(operand);
      if (from == nullptr || operand.dims() != op.result().dims()) continue;
      set(op.result(), TensorSharding(*from));
      return;
    }
  }
}

TensorSharding ShardingFlow::of_result(ir::Value value) const {
  const TensorSharding* const found = find(value);
  if (found != nullptr) {
    bool is_even = found->has_all_parts();
    for (std::size_t d = 0; d < value.dims().size(); ++d)
      is_even = is_even && value.dims()[d] % found->num_parts[d] == 0;
    if (is_even) return *found;
  }
  return replicated_sharding(value.rank(), num_devices_);
}

}  // namespace cornu::inline v0::transform
