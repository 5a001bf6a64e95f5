#include "cornu/transform/simplify_regions.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cornu/ir/complex.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/region_map.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reshape/reshape.h"
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

// patterns: elementwise ops of a loop on values that never change

constexpr std::int64_t kFewestHoisted = 256, kMostHoisted = 1 << 22;  // elements

/// Finds ops of a loop's body that compute the same in each iteration.
class InvariantOps {
 public:
  explicit InvariantOps(const ir::Block& body) : body_(body) {
    for (const auto& op : body.ops()) {
      const auto is_known = [&](ir::Value v) { return is_outer(v) || results_.contains(v); };
      if (!op->regions().empty() || op->results().size() != 1 ||
          !std::ranges::all_of(op->operands(), is_known) || !(op->def().elementwise || is_leaf_or_view(*op)))
        continue;
      results_.insert(op->result());
      if (op->def().elementwise && pays(*op)) hoisted_.push_back(op->result());
    }
  }

  const std::vector<ir::Value>& hoisted() const { return hoisted_; }

 private:
  static bool is_leaf_or_view(const ir::Op& op) {
    constexpr std::string_view kNames[] = {"constant", "iota",      "broadcast_in_dim",
                                           "reshape",  "transpose", "slice"};
    return std::find(std::begin(kNames), std::end(kNames), op.name()) != std::end(kNames);
  }
  bool is_outer(ir::Value v) const { return v.block() != &body_; }

  /// A loop computes masks and broadcasts faster than it reads them: an operand must be a whole tensor from outside, or
  /// one that is hoisted too.
  bool pays(const ir::Op& op) const {
    const std::int64_t count = op.result().type().num_elements();
    if (count < kFewestHoisted || count > kMostHoisted) return false;
    return std::ranges::any_of(op.operands(), [&](ir::Value v) {
      while (!is_outer(v) && v.op() != nullptr &&
             (v.op()->name() == "slice" || v.op()->name() == "reshape" || v.op()->name() == "transpose"))
        v = v.op()->operand(0);
      if (!is_outer(v)) return std::find(hoisted_.begin(), hoisted_.end(), v) != hoisted_.end();
      return v.type().num_elements() >= count && !splat_value(v);
    });
  }

  const ir::Block& body_;
  std::unordered_set<ir::Value, ir::ValueHash> results_;
  std::vector<ir::Value> hoisted_;
};

/// A loop whose body reads what it would compute in each iteration, computed before it.
std::optional<std::vector<ir::Value>> hoisted_loop(const RegionOp& c) {
  const ir::Block &condition = c.op.region(0), &body = c.op.region(1);
  const InvariantOps invariants(body);
  if (invariants.hoisted().empty()) return std::nullopt;
  ir::ValueMap map = ir::region_map(body, c.map), inner = map;
  for (const ir::Op* op : ir::needed_ops(body, invariants.hoisted())) ir::clone_op(c.builder, *op, map);
  for (const ir::Value& value : invariants.hoisted()) inner[value] = map.at(value);
  auto block = std::make_unique<ir::Block>();
  for (const ir::Value& argument : body.arguments()) inner[argument] = block->add_argument(argument.type());
  ir::Builder builder(*block);
  for (const auto& op : body.ops())
    if (op->results().size() != 1 || !inner.contains(op->result())) ir::clone_op(builder, *op, inner);
  block->set_results(ir::mapped(inner, body.results()));
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(ir::clone_block(condition, ir::region_map(condition, c.map)));
  regions.push_back(std::move(block));
  const ir::Op& loop = c.builder.create(c.op.def(), c.operands, c.op.attributes(), std::move(regions));
  return std::vector<ir::Value>(loop.results().begin(), loop.results().end());
}

// patterns: a reduction of tensors that were joined for it

constexpr std::int64_t kMostUnrolled = 8;

/// True if the body rounds, so that its results depend on the order of the elements.
bool rounds(const ir::Block& body) {
  return std::any_of(body.ops().begin(), body.ops().end(), [](const auto& op) {
    return (op->name() == "add" || op->name() == "multiply") && ir::is_differentiable(op->result().dtype());
  });
}

/// True if the reduction's body on tensors is the same ops, element by element.
bool has_tensor_body(const ir::Block& body) {
  constexpr std::string_view kOps[] = {"add", "and", "compare",  "constant", "maximum", "minimum",
                                       "not", "or",  "multiply", "select",   "xor"};
  return std::all_of(body.ops().begin(), body.ops().end(), [&](const auto& op) {
    const auto is_own = [&](ir::Value operand) { return operand.block() == &body; };
    return std::find(std::begin(kOps), std::end(kOps), op->name()) != std::end(kOps) &&
           std::all_of(op->operands().begin(), op->operands().end(), is_own);
  });
}

/// Element k of a reduced dimension of a tensor that consists of single slices, numbers or one number, with the extents
/// `dims` of the others; empty for other tensors.
ir::Value unrolled_element(ir::Builder& b, ir::Value x, std::int64_t dimension, std::int64_t k,
                           const ir::Dims& dims) {
  const ir::Op* const op = x.op();
  if (const std::optional<ir::Literal> number = splat_value(x))
    return ops::broadcast_in_dim(b, ops::constant(b, *number), dims, {});
  if (op == nullptr) return {};
  if (op->name() == "iota" && op->attributes().get<std::int64_t>("iota_dimension") == dimension)
    return ops::full(b, {x.dtype(), dims}, static_cast<double>(k));
  std::int64_t num_elements = 1;
  for (const std::int64_t n : dims) num_elements *= n;
  const auto extent = static_cast<std::size_t>(x.dims()[static_cast<std::size_t>(dimension)]);
  if (op->name() != "concatenate" || op->attributes().get<std::int64_t>("dimension") != dimension ||
      op->operands().size() != extent)
    return {};
  const ir::Value part = op->operand(static_cast<std::size_t>(k));
  return part.type().num_elements() == num_elements ? ops::reshape(b, part, dims) : ir::Value();
}

/// A reduction over a few tensors that were joined for it, as of jnp.select: element by element, without the joined
/// tensor. Sums of floats stay: the engine has an order of its own for their elements.
std::optional<std::vector<ir::Value>> unrolled_reduce(const RegionOp& c) {
  const auto& dimensions = c.op.attributes().get<ir::Dims>("dimensions");
  const std::size_t n = c.operands.size() / 2;
  const ir::Block& body = c.op.region(0);
  const bool is_joined =
      std::any_of(c.operands.begin(), c.operands.begin() + static_cast<std::ptrdiff_t>(n),
                  [](ir::Value x) { return x.op() != nullptr && x.op()->name() == "concatenate"; });
  if (dimensions.size() != 1 || !is_joined || !has_tensor_body(body) || rounds(body)) return std::nullopt;
  const ir::Dims& dims = c.op.result(0).dims();
  const std::int64_t extent = c.operands[0].dims()[static_cast<std::size_t>(dimensions[0])];
  if (extent > kMostUnrolled || c.op.result(0).type().num_elements() == 0) return std::nullopt;
  std::vector<ir::Value> results;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::int64_t k = 0; k < extent; ++k)
      if (!unrolled_element(c.builder, c.operands[i], dimensions[0], k, dims)) return std::nullopt;
    results.push_back(ops::broadcast_in_dim(c.builder, c.operands[n + i], dims, {}));
  }
  for (std::int64_t k = 0; k < extent; ++k) {
    ir::ValueMap map;
    for (std::size_t i = 0; i < n; ++i) {
      map[body.arguments()[i]] = results[i];
      map[body.arguments()[n + i]] = unrolled_element(c.builder, c.operands[i], dimensions[0], k, dims);
    }
    for (const auto& op : body.ops()) {
      if (op->name() == "constant")
        map[op->result()] = ops::broadcast_in_dim(
            c.builder, ops::constant(c.builder, op->attributes().get<ir::Literal>("value")), dims, {});
      else
        map[op->result()] =
            c.builder.create(op->def(), ir::mapped(map, op->operands()), op->attributes()).result();
    }
    results = ir::mapped(map, body.results());
  }
  return results;
}

}  // namespace

std::optional<std::vector<ir::Value>> rewritten_region_op(const RegionOp& c) {
  if (c.op.name() == "reduce") return unrolled_reduce(c);  // pattern: a reduction of tensors joined for it
  if (c.op.name() == "while") {  // pattern: a loop that carries or computes what never changes
    if (auto trimmed = trimmed_loop(c)) return trimmed;
    return hoisted_loop(c);
  }
  const ir::Block* branch = known_branch(c);
  if (branch == nullptr) return std::nullopt;
  ir::ValueMap map = ir::region_map(*branch, c.map);
  return ir::clone_ops(c.builder, *branch, map);
}

}  // namespace cornu::inline v0::transform
