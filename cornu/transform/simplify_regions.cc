#include "cornu/transform/simplify_regions.h"

#include <algorithm>

#include "cornu/ir/op_def.h"
#include "cornu/ir/region_map.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/while/loop_analysis.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {
namespace {

/// The branch selected by a constant predicate or index; null if unknown.
const ir::Block* known_branch(const RegionOp& c) {
  // pattern: a choice of branches by a constant
  const bool is_if = c.op.name() == "if";
  if (!is_if && c.op.name() != "case") return nullptr;
  const std::optional<ir::Literal> value = splat_value(c.operands[0]);
  if (!value) return nullptr;
  if (is_if) return &c.op.region(value->data<bool>()[0] ? 0 : 1);
  const std::int64_t index = ops::integer_at(*value, 0),
                     last = static_cast<std::int64_t>(c.op.regions().size()) - 1;
  return &c.op.region(static_cast<std::size_t>(index < 0 ? last : std::min(index, last)));
}

/// A region of the loop with arguments for the carried values in `kept`; values that never change are
/// replaced by their operands.
std::unique_ptr<ir::Block> trimmed_region(const RegionOp& c, const ops::LoopAnalysis& loop,
                                          const ir::Block& region, const std::vector<std::size_t>& kept,
                                          std::span<const ir::Value> wanted) {
  auto block = std::make_unique<ir::Block>();
  ir::ValueMap map = ir::region_map(region, c.map);
  for (const std::size_t i : kept)
    map[region.arguments()[i]] = block->add_argument(region.arguments()[i].type());
  for (std::size_t i = 0; i < loop.num_carried(); ++i)
    if (loop.is_invariant(i)) map[region.arguments()[i]] = c.operands[i];
  ir::Builder builder(*block);
  block->set_results(ir::clone_needed_ops(builder, region, wanted, map));
  return block;
}

std::optional<std::vector<ir::Value>> trimmed_loop(const RegionOp& c) {
  const ops::LoopAnalysis loop(c.op);
  ops::CarriedSet needed = loop.condition_sources();
  for (std::size_t i = 0; i < loop.num_carried(); ++i)
    if (c.is_used[i]) needed.insert(i);
  std::vector<std::size_t> kept;
  for (const std::size_t i : loop.closure(needed))
    if (!loop.is_invariant(i)) kept.push_back(i);
  // A loop without carried values never runs or never ends; it is kept.
  if (kept.size() == loop.num_carried() || kept.empty()) return std::nullopt;
  std::vector<ir::Value> operands, wanted;
  for (const std::size_t i : kept) {
    operands.push_back(c.operands[i]);
    wanted.push_back(loop.body().results()[i]);
  }
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(trimmed_region(c, loop, loop.condition(), kept, loop.condition().results()));
  regions.push_back(trimmed_region(c, loop, loop.body(), kept, wanted));
  const ir::Op& trimmed =
      c.builder.create(c.op.def(), std::move(operands), c.op.attributes(), std::move(regions));
  std::vector<ir::Value> results(loop.num_carried());
  for (std::size_t i = 0; i < loop.num_carried(); ++i)
    if (loop.is_invariant(i)) results[i] = c.operands[i];
  for (std::size_t i = 0; i < kept.size(); ++i) results[kept[i]] = trimmed.result(i);
  return results;
}

}  // namespace

std::optional<std::vector<ir::Value>> rewritten_region_op(const RegionOp& c) {
  if (c.op.name() == "while") return trimmed_loop(c);  // pattern: a loop that carries what never changes
  const ir::Block* branch = known_branch(c);
  if (branch == nullptr) return std::nullopt;
  ir::ValueMap map = ir::region_map(*branch, c.map);
  return ir::clone_ops(c.builder, *branch, map);
}

}  // namespace cornu::inline v0::transform
