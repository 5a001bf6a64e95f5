#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <unordered_map>

#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/base/check.h"
#include "cornu/ir/region_map.h"
#include "cornu/ops/all.h"
#include "cornu/ops/index_space.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::backends::cpu {
namespace {

// patterns: activations and their masks, computed from one tensor in memory

using ir::Block;
using ir::Builder;
using ir::Op;
using ir::Value;
using transform::ValueMap;

bool is_zero_float(Value v) {
  const std::optional<ir::Literal> splat = transform::splat_value(v);
  return splat && ir::is_float(splat->type().dtype) && splat->at(0) == 0;
}

/// Values of a block that must be in memory because something other than a loop reads them, and which of them
/// are maximum(x, 0).
class Activations {
 public:
  explicit Activations(const Block& block) {
    for (const auto& op : block.ops())
      for (const Value& operand : op->operands()) users_[operand].push_back(op.get());
    for (const auto& op : block.ops())
      if (op->name() == "maximum" && is_zero_float(op->operand(1)) && needs_memory(op->result()))
        of_[op->operand(0)] = op->result();
  }

  /// The operand that compare(x, 0, GT) should read: if max(x, 0) is in memory anyway, x need not be there as
  /// well. Exception: if x is computed by few operations from a tensor that is also read in the gradient of a
  /// normalization, the mask needs no extra read.
  Value positive_like(const Op& op) const {
    const bool is_mask = op.name() == "compare" && !ops::compares_total_order(op) &&
                         op.attributes().get<std::string>("comparison_direction") == "GT" &&
                         is_zero_float(op.operand(1));
    const auto found = is_mask ? of_.find(op.operand(0)) : of_.end();
    return found == of_.end() || is_read_beside(op.operand(0), op) ? op.operand(0) : found->second;
  }

 private:
  /// The only large tensor in memory from which v is computed, if it takes few elementwise ops; else empty.
  /// Tensors of a channel or a row are small.
  static Value source_of(Value v) {
    constexpr int kMostOps = 4;
    const std::int64_t num_elements = v.type().num_elements();
    Value source;
    int num_ops = 0;
    std::vector<Value> stack = {v};
    while (!stack.empty()) {
      const Value made = stack.back();
      stack.pop_back();
      if (made.op() != nullptr && classify(*made.op()) == OpKind::kView &&
          made.op()->operand(0).type().num_elements() * kSmallShare <= num_elements)
        continue;
      if (made == source || (made.op() != nullptr && classify(*made.op()) == OpKind::kLeaf)) continue;
      if (made.op() != nullptr && classify(*made.op()) == OpKind::kElementwise && made.dims() == v.dims()) {
        if (++num_ops > kMostOps) return {};
        stack.insert(stack.end(), made.op()->operands().begin(), made.op()->operands().end());
      } else if (!source) {
        source = made;
      } else {
        return {};
      }
    }
    return source == v ? Value() : source;
  }

  /// True if the masked value is multiplied by a tensor with the same source as x.
  bool is_read_beside(Value x, const Op& mask) const {
    const Value source = source_of(x);
    if (!source) return false;
    const auto users_of = [&](Value v) -> std::span<const Op* const> {
      const auto found = users_.find(v);
      return found == users_.end() ? std::span<const Op* const>() : found->second;
    };
    for (const Op* select : users_of(mask.result())) {
      if (select->name() != "select" || select->operand(0) != mask.result()) continue;
      for (const Op* product : users_of(select->result()))
        if (product->name() == "multiply")
          for (const Value& factor : product->operands())
            if (factor != select->result() && source_of(factor) == source) return true;
    }
    return false;
  }

  bool needs_memory(Value v) const {
    const auto users = users_.find(v);
    return users != users_.end() &&
           std::any_of(users->second.begin(), users->second.end(), [&](const Op* user) {
             const OpKind c = classify(*user);
             return c == OpKind::kDot || c == OpKind::kKernel || c == OpKind::kReference ||
                    (c == OpKind::kView && needs_memory(user->result()));
           });
  }

  std::unordered_map<Value, std::vector<const Op*>, ir::ValueHash> users_;
  std::unordered_map<Value, Value, ir::ValueHash> of_;
};

/// Appends an op that stores a value.
Value copied(Builder& builder, Value value) {
  return builder.create(*ops::convert_folder::op_defs()[0], {value}, {{"dtype", value.dtype()}}).result();
}

/// Copies a function and prepares its regions for planning.
class RegionPreparer {
 public:
  std::unique_ptr<ir::Function> run(const ir::Function& function) {
    auto copy = std::make_unique<ir::Function>();
    copy->name = function.name;
    ValueMap map;
    for (const Value& argument : function.body.arguments())
      map[argument] = copy->body.add_argument(argument.type());
    Builder builder(copy->body);
    copy->body.set_results(copy_ops(builder, function.body, map));
    return copy;
  }

 private:
  std::vector<Value> copy_ops(Builder& builder, const Block& block, ValueMap& map) {
    std::unordered_map<Value, Value, ir::ValueHash>
        local;  // of this block: outer views and leaves, computed again here
    auto local_values = [&](std::span<const Value> values) {
      std::vector<Value> out = transform::mapped(map, values);
      for (Value& value : out) value = localized(builder, value, local);
      return out;
    };
    const Activations activations(block);
    for (const auto& op : block.ops()) {
      const ir::LocationScope location(builder, op->location());
      if (num_loops_ > 0) {
        if (move_outside(*op, map)) continue;
        store_operands_outside(*op, map);
      }
      std::vector<Value> operands = local_values(op->operands());
      if (!operands.empty())
        if (const auto same = map.find(activations.positive_like(*op));
            same != map.end() && op->name() == "compare")
          operands[0] = localized(builder, same->second, local);
      std::vector<bool> keep(op->results().size(), true);
      if (is_loop(*op)) keep = carried_that_change(*op);
      std::vector<std::unique_ptr<Block>> regions;
      outer_.push_back(&builder);
      num_loops_ += is_loop(*op) ? 1 : 0;
      for (const auto& region : op->regions()) regions.push_back(copy_region(*region, map, keep, operands));
      num_loops_ -= is_loop(*op) ? 1 : 0;
      outer_.pop_back();
      if (is_loop(*op)) {
        create_loop(builder, *op, operands, keep, std::move(regions), map);
        continue;
      }
      ir::Attributes attributes = op->attributes();
      if (window_use(*op) == WindowUse::kReduces && !has_kernel_windows(*op))
        pad_windows(builder, *op, operands, attributes);
      if (has_few_taps(*op)) {
        map[op->result()] = combined_taps(builder, *op, operands);
        continue;
      }
      const Op& copy =
          builder.create(op->def(), std::move(operands), std::move(attributes), std::move(regions));
      for (std::size_t i = 0; i < op->results().size(); ++i) map[op->result(i)] = copy.result(i);
    }
    return local_values(block.results());
  }

  /// A loop that carries the kept values; the others are its operands.
  static void create_loop(Builder& builder, const Op& op, const std::vector<Value>& operands,
                          const std::vector<bool>& keep, std::vector<std::unique_ptr<Block>> regions,
                          ValueMap& map) {
    std::vector<Value> changing;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (keep[i]) changing.push_back(operands[i]);
    const Op& copy = builder.create(op.def(), std::move(changing), op.attributes(), std::move(regions));
    for (std::size_t i = 0, next = 0; i < operands.size(); ++i)
      map[op.result(i)] = keep[i] ? copy.result(next++) : operands[i];
  }

  /// Replaces windows over a padded or dilated input by windows over the result of a pad.
  static void pad_windows(Builder& builder, const Op& op, std::vector<Value>& operands,
                          ir::Attributes& attributes) {
    const ops::WindowOptions window = ops::window_options(op);
    const ir::Dims none(window.dimensions.size(), 0), one(window.dimensions.size(), 1);
    if (window.padding_low == none && window.padding_high == none && window.base_dilations == one) return;
    ir::Dims interior = window.base_dilations;
    for (std::int64_t& gap : interior) gap -= 1;
    const std::size_t count = op.results().size();
    for (std::size_t i = 0; i < count; ++i)
      operands[i] = ops::pad(builder, operands[i], operands[count + i], window.padding_low,
                             window.padding_high, interior);
    attributes = {{"window_dimensions", window.dimensions},
                  {"window_strides", window.strides},
                  {"base_dilations", one},
                  {"window_dilations", window.window_dilations},
                  {"padding_low", none},
                  {"padding_high", none}};
  }

  /// True for windows of a few elements, combined by one op, that would be loops inside the loops over the result.
  static bool has_few_taps(const Op& op) {
    constexpr double kMostTaps = 12;
    if (window_use(op) != WindowUse::kReduces || classify(op) != OpKind::kReduce || op.results().size() != 1)
      return false;
    const Combiner combiner = combiner_of_body(op.region(0));
    const bool is_extremum = combiner == Combiner::kMaximum || combiner == Combiner::kMinimum;
    // f16 and bf16 are summed in f32, as in a reduction's loops.
    const ir::DType dtype = op.result().dtype();
    const bool is_half = dtype == ir::DType::kF16 || dtype == ir::DType::kBF16;
    if (combiner == Combiner::kNone || (!is_extremum && is_half)) return false;
    return num_elements(window_sizes(op)) <= kMostTaps && op.result().type().num_elements() > 0;
  }

  /// Element by element: the first elements of all windows, combined with the second ones, and so on. `operands` are
  /// padded.
  static Value combined_taps(Builder& builder, const Op& op, const std::vector<Value>& operands) {
    const ops::WindowOptions window = ops::window_options(op);
    const ir::Dims& counts = op.result().dims();
    const Op& body = *op.region(0).ops()[0];
    const Value init = ops::broadcast_in_dim(builder, operands[1], counts, {});
    Value result;
    for (const ir::Dims& tap : ops::all_indices(window.dimensions)) {
      ir::Dims first = tap, limit = tap;
      for (std::size_t d = 0; d < tap.size(); ++d) {
        first[d] = tap[d] * window.window_dilations[d];
        limit[d] = first[d] + (counts[d] - 1) * window.strides[d] + 1;
      }
      const Value elements = ops::slice(builder, operands[0], first, limit, window.strides);
      result = builder.create(body.def(), {result ? result : init, elements}, body.attributes()).result();
    }
    return result;
  }

  /// True for the carried values that a loop's body changes. The others are captured instead: they need no
  /// copy and are read in place.
  static std::vector<bool> carried_that_change(const Op& loop) {
    const Block& body = loop.region(1);
    std::vector<bool> keep;
    bool any = false;
    for (std::size_t i = 0; i < body.results().size(); ++i) {
      keep.push_back(body.results()[i] != body.arguments()[i]);
      any = any || keep.back();
    }
    if (!any) keep.assign(keep.size(), true);
    return keep;
  }

  /// `keep` and `operands` are for a loop's regions: an argument that is not kept is replaced by its operand.
  std::unique_ptr<Block> copy_region(const Block& region, const ValueMap& outer,
                                     const std::vector<bool>& keep, const std::vector<Value>& operands) {
    auto copy = std::make_unique<Block>();
    ValueMap map = ir::region_map(region, outer);
    const bool loop = region.parent() != nullptr && is_loop(*region.parent());
    for (std::size_t i = 0; i < region.arguments().size(); ++i) {
      const Value argument = region.arguments()[i];
      map[argument] = loop && !keep[i] ? operands[i] : copy->add_argument(argument.type());
    }
    Builder builder(*copy);
    std::vector<Value> results = copy_ops(builder, region, map);
    if (loop && &region == &region.parent()->region(1)) {
      std::vector<Value> changing;
      for (std::size_t i = 0; i < results.size(); ++i)
        if (keep[i]) changing.push_back(results[i]);
      results = std::move(changing);
    }
    copy->set_results(std::move(results));
    return copy;
  }

  /// Makes a view of outer values, or a tensor joined of them, in the block of these values, where its users in the loop
  /// find it.
  bool move_outside(const Op& op, ValueMap& map) {
    const CpuOp* const row = find_cpu_op(op);
    const bool is_view = classify(op) == OpKind::kView && !is_computed_view(op);
    const bool is_joined =
        classify(op) == OpKind::kUpdate && !row->update.changes_operands && row->update.places == nullptr;
    if (!is_view && !is_joined) return false;
    std::size_t depth = 0;  // of the innermost block that makes one
    std::vector<Value> operands = transform::mapped(map, op.operands());
    for (const Value& operand : operands) {
      const auto owner = std::find(outer_.begin(), outer_.end(), find_outer(operand));
      if (owner == outer_.end() || (operand.op() != nullptr && classify(*operand.op()) == OpKind::kLeaf))
        return false;
      depth = std::max(depth, static_cast<std::size_t>(owner - outer_.begin()));
    }
    std::unordered_map<Value, Value, ir::ValueHash> local;
    for (Value& operand : operands) operand = localized(*outer_[depth], operand, local);
    map[op.result()] = outer_[depth]->create(op.def(), std::move(operands), op.attributes()).result();
    return true;
  }

  /// Products read transposes in place; for other views of outer values, each iteration would make a copy.
  void store_operands_outside(const Op& op, ValueMap& map) {
    const OpKind kind = classify(op);
    if (is_computed_view(op)) return store_outside(map, op.operand(0), {"reshape"});
    if (kind == OpKind::kDot)
      for (const Value& operand : op.operands()) store_outside(map, operand, {"reshape", "transpose"});
    if (kind == OpKind::kKernel)
      for (const Value& operand : op.operands()) store_outside(map, operand, {"reshape"});
  }

  /// The builder of the outer block that makes the value; null: this block does.
  Builder* find_outer(Value value) const {
    const auto owner = std::find_if(outer_.begin(), outer_.end(), [&](const Builder* builder) {
      return &builder->block() == value.block();
    });
    return owner == outer_.end() ? nullptr : *owner;
  }

  /// A loop that reads a part of an outer transpose (or another view that moves elements) would compute the whole
  /// view in each iteration: stores it once, before the loop, and maps `value` to the copy.
  /// Views named in `read_in_place` are not copied for their own sake.
  void store_outside(ValueMap& map, Value value, std::initializer_list<std::string_view> read_in_place) {
    const Value view = ir::mapped(map, value);
    Builder* const owner = find_outer(view);
    bool moves_elements = false;
    for (const Op* op = view.op(); op != nullptr && classify(*op) == OpKind::kView && !is_computed_view(*op);
         op = op->operand(0).op())
      moves_elements = moves_elements || std::find(read_in_place.begin(), read_in_place.end(), op->name()) ==
                                             read_in_place.end();
    if (!moves_elements || owner == nullptr) return;
    Value& stored = stored_[view];
    if (!stored) stored = copied(*owner, view);
    map[value] = stored;
  }

  std::vector<Builder*> outer_;  // of the blocks around the one that is copied
  int num_loops_ = 0;            // around it
  std::unordered_map<Value, Value, ir::ValueHash> stored_;

  /// Copies an outer view or leaf into this block, so that only values in memory are captured.
  Value localized(Builder& builder, Value value, std::unordered_map<Value, Value, ir::ValueHash>& local) {
    const Op* op = value.op();
    if (op == nullptr || value.block() == &builder.block()) return value;
    const OpKind c = classify(*op);
    const bool large_constant = ops::is_constant(value) && value.type().num_elements() != 1;
    if ((c != OpKind::kView && c != OpKind::kLeaf) || large_constant || is_computed_view(*op)) return value;
    if (const auto found = local.find(value); found != local.end()) return found->second;
    std::vector<Value> operands;
    for (const Value& operand : op->operands()) operands.push_back(localized(builder, operand, local));
    return local[value] = builder.create(op->def(), std::move(operands), op->attributes()).result();
  }
};

bool has_regions_or_masks(const ir::Function& function) {
  for (const auto& op : function.body.ops())
    if (!op->regions().empty() || op->name() == "compare") return true;
  return false;
}

void own_block_results(Block& block, std::span<const Value> currents) {
  Builder builder(block);
  std::vector<Value> results(block.results().begin(), block.results().end());
  std::set<const void*> taken;
  for (std::size_t i = 0; i < results.size(); ++i) {
    Value& result = results[i];
    if (i < currents.size() && result == currents[i]) continue;
    const bool is_tensor_constant = ops::is_constant(result) && result.type().num_elements() != 1;
    if (result.op() == nullptr || result.block() != &block || is_tensor_constant ||
        !taken.insert(result.id()).second)
      result = copied(builder, result);
  }
  block.set_results(std::move(results));
}

void own_region_results(const Block& block) {
  for (const auto& op : block.ops()) {
    if (classify(*op) != OpKind::kControl) continue;
    for (const auto& region : op->regions()) {
      const bool body = is_loop(*op) && region.get() == &op->region(1);
      own_block_results(*region, body ? region->arguments() : std::span<const Value>());
      own_region_results(*region);
    }
  }
}

}  // namespace

void prepare_regions(Plan& plan) {
  if (has_regions_or_masks(*plan.step)) plan.step = RegionPreparer().run(*plan.step);
}

void insert_copies(Plan& plan) {
  ir::Block& body = plan.step->body;
  std::vector<Value> currents;
  for (std::size_t i = 0; i < plan.arguments.size(); ++i)
    if (plan.arguments[i] == runtime::ArgumentKind::kState) currents.push_back(body.arguments()[i]);
  own_block_results(body, currents);
  own_region_results(body);
}

}  // namespace cornu::inline v0::backends::cpu
