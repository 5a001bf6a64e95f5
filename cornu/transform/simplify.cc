#include "cornu/transform/simplify.h"

#include <algorithm>
#include <unordered_map>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/region_map.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/custom_call/host_call.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/run_reference.h"
#include "cornu/transform/replicate.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify_patterns.h"
#include "cornu/transform/simplify_regions.h"

namespace cornu::inline v0::transform {
namespace {

/// Values with the number of their uses.
using Uses = std::unordered_map<ir::Value, std::int64_t, ir::ValueHash>;

void count(std::span<const ir::Value> values, Uses& uses) {
  for (const ir::Value& value : values) ++uses[value];
}

/// Counts the values that `op` reads, also in its regions.
void add_uses(const ir::Op& op, Uses& used) {
  count(op.operands(), used);
  for (const auto& region : op.regions()) {
    count(region->results(), used);
    for (const auto& inner : region->ops()) add_uses(*inner, used);
  }
}

/// The ops of a block with used results, in order; also counts the uses of all values.
std::vector<const ir::Op*> live_ops(const ir::Block& block, Uses& used) {
  count(block.results(), used);
  std::vector<const ir::Op*> live;
  for (std::size_t i = block.ops().size(); i-- > 0;) {
    const ir::Op& op = *block.ops()[i];
    if (std::none_of(op.results().begin(), op.results().end(),
                     [&](ir::Value result) { return used.contains(result); }))
      continue;
    add_uses(op, used);
    live.push_back(&op);
  }
  std::reverse(live.begin(), live.end());
  return live;
}

/// The ops of a block so far, to find an equal one.
class EqualOps {
 public:
  const ir::Op* find(const ir::Op& op, std::span<const ir::Value> operands) const {
    const auto [first, last] = ops_.equal_range(hash(op, operands));
    for (auto at = first; at != last; ++at)
      if (is_equal(*at->second, op, operands)) return at->second;
    return nullptr;
  }
  void insert(const ir::Op& op) { ops_.emplace(hash(op, op.operands()), &op); }

 private:
  static bool is_equal(const ir::Op& a, const ir::Op& op, std::span<const ir::Value> operands) {
    return &a.def() == &op.def() &&
           std::equal(a.operands().begin(), a.operands().end(), operands.begin(), operands.end()) &&
           a.attributes() == op.attributes();
  }
  static std::size_t hash(const ir::Op& op, std::span<const ir::Value> operands) {
    std::size_t h = std::hash<const void*>()(&op.def());
    auto mix = [&h](std::size_t value) { h = h * 0x9e3779b97f4a7c15ull + value; };
    for (const ir::Value& operand : operands) mix(ir::ValueHash()(operand));
    for (const ir::Value& result : op.results())
      for (std::int64_t extent : result.dims()) mix(static_cast<std::size_t>(extent));
    if (const ir::Attribute* value = op.attributes().find("value");
        value != nullptr && std::holds_alternative<ir::Literal>(*value)) {
      const auto bytes = std::get<ir::Literal>(*value).bytes();
      for (std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), 64)))
        mix(std::to_integer<std::size_t>(byte));
    }
    return h;
  }

  std::unordered_multimap<std::size_t, const ir::Op*> ops_;
};

/// One pass over a function; repeated until nothing changes.
class Pass {
 public:
  explicit Pass(const SimplifyOptions& options) : options_(options) {}

  bool changed() const { return changed_; }

  std::vector<ir::Value> run(ir::Builder& builder, const ir::Block& block, ValueMap& map) {
    EqualOps equal_ops;
    Uses used;
    for (const ir::Op* op : live_ops(block, used)) {
      const ir::LocationScope location(builder, op->location());
      const std::vector<ir::Value> operands = mapped(map, op->operands());
      const bool owns_first = !operands.empty() && used.at(op->operand(0)) == 1 &&
                              op->operand(0).op() != nullptr && op->operand(0).block() == &block;
      if (const ir::Value value = replacement({builder, *op, operands, owns_first}, equal_ops)) {
        map[op->result()] = value;
        changed_ = true;
        continue;
      }
      if (!op->regions().empty() && rewrite_whole(builder, *op, operands, used, map)) continue;
      ir::Op& copy = builder.create(op->def(), operands, op->attributes(), simplified_regions(*op, map));
      for (std::size_t i = 0; i < op->results().size(); ++i) map[op->result(i)] = copy.result(i);
      if (copy.regions().empty()) equal_ops.insert(copy);
    }
    return mapped(map, block.results());
  }

 private:
  /// Replaces the op as simplify_regions.h computes; false if there is nothing to do.
  bool rewrite_whole(ir::Builder& builder, const ir::Op& op, const std::vector<ir::Value>& operands,
                     const Uses& used, ValueMap& map) {
    std::vector<bool> is_used;
    for (const ir::Value& result : op.results()) is_used.push_back(used.contains(result));
    const std::optional<std::vector<ir::Value>> results =
        rewritten_region_op({builder, op, operands, map, is_used});
    if (!results) return false;
    for (std::size_t i = 0; i < results->size(); ++i)
      if ((*results)[i]) map[op.result(i)] = (*results)[i];
    changed_ = true;
    return true;
  }

  /// The replacement of a one-result op; empty if there is none.
  ir::Value replacement(const Candidate& candidate, const EqualOps& equal_ops) {
    const ir::Op& op = candidate.op;
    if (op.results().size() != 1) return {};
    for (const Pattern& pattern : simplify_patterns())
      if (pattern.op == op.name())
        if (const ir::Value value = pattern.rewrite(candidate)) return value;
    if (!op.regions().empty()) return {};
    if (const ir::Value value = folded(candidate.builder, op, candidate.operands)) return value;
    const ir::Op* equal = equal_ops.find(op, candidate.operands);
    return equal != nullptr ? equal->result() : ir::Value();
  }

  std::vector<std::unique_ptr<ir::Block>> simplified_regions(const ir::Op& op, const ValueMap& map) {
    std::vector<std::unique_ptr<ir::Block>> regions;
    for (const auto& region : op.regions()) {
      regions.push_back(std::make_unique<ir::Block>());
      ValueMap inner = ir::region_map(*region, map);
      for (const ir::Value& argument : region->arguments())
        inner[argument] = regions.back()->add_argument(argument.type());
      ir::Builder builder(*regions.back());
      regions.back()->set_results(run(builder, *region, inner));
    }
    return regions;
  }

  /// The result of an op on constants.
  ir::Value folded(ir::Builder& builder, const ir::Op& op, std::span<const ir::Value> operands) const {
    // pattern: a broadcast constant is the form that large splats have; it stays
    if (operands.empty() || op.def().reference == nullptr || op.name() == "broadcast_in_dim") return {};
    if (is_collective(op)) return {};      // the kernel has a single replica
    if (ops::is_host_call(op)) return {};  // runs when the program runs
    if (op.def().elementwise) {
      std::vector<ir::Literal> splats;
      for (const ir::Value& operand : operands)
        if (std::optional<ir::Literal> splat = splat_value(operand)) splats.push_back(*splat);
      if (splats.size() == operands.size()) {
        const std::optional<ir::Literal> value = evaluated(op, splats);
        return value ? ops::broadcast_scalar(builder, ops::constant(builder, *value), op.result().dims())
                     : ir::Value();
      }
    }
    if (!is_small_enough(op.result())) return {};
    std::vector<ir::Literal> literals;
    for (const ir::Value& operand : operands) {
      const std::optional<ir::Literal> literal = known_literal(operand);
      if (!literal) return {};
      literals.push_back(*literal);
    }
    const std::optional<ir::Literal> value = evaluated(op, literals);
    return value ? make_constant(builder, *value) : ir::Value();
  }

  bool is_small_enough(ir::Value value) const {
    const bool is_integer = ir::is_integer(value.dtype()) || value.dtype() == ir::DType::kI1;
    return value.type().num_elements() <=
           (is_integer ? options_.max_folded_integers : options_.max_folded_elements);
  }

  std::optional<ir::Literal> known_literal(ir::Value value) const {
    if (ops::is_constant(value)) return value.op()->attributes().get<ir::Literal>("value");
    const std::optional<ir::Literal> splat = splat_value(value);
    if (!splat || !is_small_enough(value)) return std::nullopt;
    ir::Literal literal(value.type());
    for (std::int64_t i = 0; i < value.type().num_elements(); ++i)
      ops::copy_element(literal.mutable_bytes(), i, splat->bytes(), 0, ir::size_bytes(value.dtype()));
    return literal;
  }

  /// The reference kernel's result; empty if it does not support these types.
  static std::optional<ir::Literal> evaluated(const ir::Op& op, const std::vector<ir::Literal>& literals) {
    ir::Block scratch;
    std::vector<ir::Value> operands;
    operands.reserve(literals.size());
    for (const ir::Literal& literal : literals) operands.push_back(scratch.add_argument(literal.type()));
    ir::Builder builder(scratch);
    const ir::Op& copy = builder.create(op.def(), operands, op.attributes());
    const ir::RegionEvaluator no_regions = [](const ir::Block&, std::span<const ir::Literal>) {
      return std::vector<ir::Literal>();
    };
    try {
      return ops::run_reference({copy, literals, no_regions})[0];
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUnimplemented) throw;
      return std::nullopt;
    }
  }

  const SimplifyOptions& options_;
  bool changed_ = false;
};

}  // namespace

std::unique_ptr<ir::Function> simplify(const ir::Function& function, SimplifyOptions options) {
  std::unique_ptr<ir::Function> current =
      options.inline_composites ? inline_composites(function, options.keep_composite) : nullptr;
  // Every change removes an op or makes one smaller, so this terminates; the limit guards against a faulty
  // pattern.
  constexpr int kMaxPasses = 50;
  for (int pass_number = 0; pass_number < kMaxPasses; ++pass_number) {
    Pass pass(options);
    auto next = std::make_unique<ir::Function>();
    const ir::Function& before = current ? *current : function;
    next->name = before.name;
    ValueMap map;
    for (const ir::Value& argument : before.body.arguments())
      map[argument] = next->body.add_argument(argument.type());
    ir::Builder builder(next->body);
    next->body.set_results(pass.run(builder, before.body, map));
    current = std::move(next);
    if (!pass.changed()) break;
  }
  return current;
}

}  // namespace cornu::inline v0::transform
