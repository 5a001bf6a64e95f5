#include "cornu/tensor/remat.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "cornu/ir/clone.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/custom_gradient/custom_gradient.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/optimization_barrier/optimization_barrier.h"
#include "cornu/ops/redirect_gradient/redirect_gradient.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/transform/gradient.h"

namespace cornu::inline v0::detail {
namespace {

using ir::Value;
using SliceValues = std::unordered_set<Value, ir::ValueHash>;

/// The part of a block that some values are computed by.
struct OpSlice {
  std::vector<const ir::Op*> ops;  // in order
  std::vector<Value> captured;     // used by them, and made before
  SliceValues made;
};

/// A tape counts the value of such an op as a variable's, so it stays outside.
bool stays_outside(const ir::Op& op) { return ops::is_redirect_gradient(op); }

/// The ops from number `begin` on that `results` need.
OpSlice op_slice_of(const ir::Block& block, std::size_t begin, std::span<const Value> results) {
  const auto all = block.ops().subspan(begin);
  SliceValues needed(results.begin(), results.end());
  std::vector<bool> is_needed(all.size());
  const auto uses = [](const ir::Op& op) {
    std::vector<Value> used(op.operands().begin(), op.operands().end());
    if (op.regions().empty()) return used;
    const std::vector<Value> inside = ir::captured_values(op);
    used.insert(used.end(), inside.begin(), inside.end());
    return used;
  };
  for (std::size_t i = all.size(); i-- > 0;) {
    const ir::Op& op = *all[i];
    if (stays_outside(op)) continue;
    for (const Value& result : op.results()) is_needed[i] = is_needed[i] || needed.contains(result);
    if (!is_needed[i]) continue;
    for (const Value& used : uses(op)) needed.insert(used);
  }
  OpSlice slice;
  SliceValues seen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_needed[i]) continue;
    for (const Value& used : uses(*all[i]))
      if (seen.insert(used).second) slice.captured.push_back(used);
    for (const Value& result : all[i]->results()) {
      seen.insert(result);
      slice.made.insert(result);
    }
    slice.ops.push_back(all[i].get());
  }
  return slice;
}

/// The gradient of the slice's results, for custom_gradient.
struct SliceGradient {
  std::unique_ptr<ir::Block> block = std::make_unique<ir::Block>();
  std::vector<Value> inputs;  // that get a gradient
};

SliceGradient backward_of(const OpSlice& slice, std::span<const Value> results) {
  SliceGradient made;
  ir::Builder builder(*made.block);
  ir::ValueMap map;
  for (const Value& captured : slice.captured) map[captured] = made.block->add_argument(captured.type());
  std::vector<Value> seeds;
  for (const Value& result : results) seeds.push_back(made.block->add_argument(result.type()));
  // Simplification must not replace the copies by the values of the forward pass.
  for (const Value& captured : slice.captured)
    if (captured.op() == nullptr || !ops::is_constant(captured))
      map[captured] = ops::optimization_barrier(builder, {map[captured]})[0];
  std::vector<Value> wrt;
  for (const Value& captured : slice.captured) wrt.push_back(map[captured]);
  const std::size_t first = made.block->ops().size();
  for (const ir::Op* op : slice.ops) {
    const ir::LocationScope location(builder, op->location());
    ir::clone_op(builder, *op, map);
  }
  std::vector<ir::Op*> ops;
  for (const auto& op : made.block->ops().subspan(first)) ops.push_back(op.get());
  const std::vector<Value> outputs = ir::mapped(map, results);
  const std::vector<Value> gradients = transform::vector_jacobian_product(builder, outputs, seeds, wrt, ops);
  std::vector<Value> reached;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i]) continue;
    made.inputs.push_back(slice.captured[i]);
    reached.push_back(gradients[i]);
  }
  made.block->set_results(std::move(reached));
  return made;
}

}  // namespace

RematRegion::RematRegion() {
  Trace* const trace = Trace::current();
  if (trace == nullptr) return;
  trace_id_ = trace->id();
  block_ = &trace->builder().block();
  begin_ = trace->builder().block().ops().size();
}

std::vector<Tensor> RematRegion::close(std::span<const Tensor> results) const {
  std::vector<Tensor> kept(results.begin(), results.end());
  Trace* const trace = Trace::current();
  if (trace == nullptr || trace->id() != trace_id_ || &trace->builder().block() != block_) return kept;
  std::vector<Value> values;
  for (const Tensor& result : results)
    if (result.is_symbolic() && result.trace_id() == trace_id_ && ir::is_differentiable(result.dtype()))
      values.push_back(trace->value_of(result));
  const OpSlice slice = op_slice_of(trace->builder().block(), begin_, values);
  std::erase_if(values, [&](const Value& value) { return !slice.made.contains(value); });
  if (values.empty()) return kept;
  SliceGradient backward = backward_of(slice, values);
  if (backward.inputs.empty()) return kept;
  const std::vector<Value> same = ops::custom_gradient(trace->builder(), values, backward.inputs,
                                                       slice.captured, std::move(backward.block));
  for (Tensor& result : kept) {
    if (!result.is_symbolic() || result.trace_id() != trace_id_) continue;
    const auto found = std::find(values.begin(), values.end(), result.value());
    if (found == values.end()) continue;
    const Tensor replaced = trace->tensor(same[static_cast<std::size_t>(found - values.begin())]);
    result = result.mask() == nullptr ? replaced : replaced.with_mask(*result.mask());
  }
  return kept;
}

}  // namespace cornu::inline v0::detail
