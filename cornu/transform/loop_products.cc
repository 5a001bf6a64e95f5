#include "cornu/transform/loop_products.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "cornu/ir/region_map.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/while/loop_analysis.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a carried sum of products, and slices of tensors by a loop's counter

using ir::Block;
using ir::Op;
using ir::Value;

constexpr std::int64_t kFewestElements = 4096;  // of a sum: smaller ones are cheap to carry
constexpr std::int64_t kMostContracted = 256;   // in one iteration: products that are efficient by themselves
constexpr std::size_t kMostStackedBytes = std::size_t{64} << 20;

using ops::Progression;

/// A carried value with a product added in each iteration: result = argument + product, perhaps transposed, reshaped or
/// padded with zeros.
struct CarriedSum {
  std::size_t carried = 0;
  const Op* product = nullptr;
  std::vector<const Op*> moves = {};  // from the product to what is added
};

/// An operand of a product in all iterations: element k of the first dimension of `whole` is the operand in the iteration
/// in which `index` is k.
struct Slice {
  Value whole;  // of the original function, outside the loop
  Value index;  // of the loop's body
  Progression progression;
};

class Loop {
 public:
  explicit Loop(const Op& op)
      : op_(op), analysis_(op), num_iterations_(analysis_.static_trip_count().value_or(0)) {
    const auto count = [&](std::span<const Value> values) {
      for (const Value& value : values) ++num_uses_[value];
    };
    for (const auto& inner : body().ops()) {
      count(inner->operands());
      if (!inner->regions().empty()) count(ir::captured_values(*inner));
    }
    count(body().results());
    for (const auto& inner : analysis_.condition().ops()) count(ir::captured_values(*inner));
  }

  const Op& op() const { return op_; }
  const Block& body() const { return analysis_.body(); }
  std::int64_t num_iterations() const { return num_iterations_; }

  std::vector<CarriedSum> sums() const {
    std::vector<CarriedSum> sums;
    const ops::CarriedSet tested = analysis_.condition_sources();
    for (std::size_t i = 0; i < analysis_.num_carried(); ++i)
      if (!tested.contains(i))
        if (std::optional<CarriedSum> sum = sum_of(i)) sums.push_back(std::move(*sum));
    return sums;
  }

  /// The tensor that an operand is a slice of; nothing if it is computed, or if iterations do not slice each element once.
  std::optional<Slice> slice_of(Value operand) const {
    const Op* const reshape = made_by(operand, "reshape");
    const Op* const slice = reshape == nullptr ? nullptr : made_by(reshape->operand(0), "dynamic_slice");
    if (slice == nullptr) return std::nullopt;
    const Value whole = slice->operand(0);
    ir::Dims dims = operand.dims();
    dims.insert(dims.begin(), 1);
    if (slice->result().dims() != dims) return std::nullopt;
    dims[0] = num_iterations_;
    if (whole.dims() != dims) return std::nullopt;
    for (std::size_t i = 2; i < slice->operands().size(); ++i)
      if (analysis_.progression_of(slice->operand(i)) != Progression()) return std::nullopt;
    const std::optional<Value> outer = outer_value(whole);
    const std::optional<Progression> progression = analysis_.progression_of(slice->operand(1));
    const Progression forward{0, 1}, backward{num_iterations_ - 1, -1};
    if (!outer || !progression || (*progression != forward && *progression != backward)) return std::nullopt;
    return Slice{*outer, slice->operand(1), *progression};
  }

  /// A carried number that is 0, 1, 2, ... in the iterations.
  std::optional<Slice> counter() const {
    for (const Value& argument : body().arguments())
      if (analysis_.progression_of(argument) == Progression{0, 1}) return Slice{{}, argument, {0, 1}};
    return std::nullopt;
  }

 private:
  std::size_t number_of(Value argument) const {
    const auto arguments = body().arguments();
    return static_cast<std::size_t>(std::find(arguments.begin(), arguments.end(), argument) -
                                    arguments.begin());
  }

  bool is_argument(Value value) const { return number_of(value) < body().arguments().size(); }

  /// A value that the loop does not change, outside.
  std::optional<Value> outer_value(Value value) const {
    if (value.block() != &body()) return value;
    if (!is_argument(value) || !analysis_.is_invariant(number_of(value))) return std::nullopt;
    return op_.operand(number_of(value));
  }

  bool is_used_once(Value value) const {
    const auto found = num_uses_.find(value);
    return found != num_uses_.end() && found->second == 1;
  }

  /// True for an op that is the same for a sum as for its terms.
  static bool moves_product(const Op& op) {
    if (op.name() == "transpose" || op.name() == "reshape") return true;
    if (op.name() != "pad") return false;
    const std::optional<ir::Literal> padding = splat_value(op.operand(1));
    return padding && padding->at(0) == 0;
  }

  /// True for a product of matrices that contracts few elements, of this dtype.
  static bool is_shallow(const Op& product, ir::DType dtype) {
    const ops::DotDimensions dims = ops::dot_dimensions(product);
    std::int64_t contracted = 1;
    for (const std::int64_t d : dims.lhs_contracting)
      contracted *= product.operand(0).dims()[static_cast<std::size_t>(d)];
    return dims.lhs_batching.empty() && contracted <= kMostContracted && product.operand(0).dtype() == dtype;
  }

  std::optional<CarriedSum> sum_of(std::size_t i) const {
    const Value argument = body().arguments()[i], result = body().results()[i];
    const Op* const add = made_by(result, "add");
    const bool is_wide_enough = result.dtype() == ir::DType::kF32 || result.dtype() == ir::DType::kF64;
    if (add == nullptr || !is_wide_enough || result.type().num_elements() < kFewestElements ||
        !is_used_once(argument) || !is_used_once(result))
      return std::nullopt;
    CarriedSum sum{.carried = i};
    Value added = add->operand(0) == argument ? add->operand(1) : add->operand(0);
    if (added == argument || (add->operand(0) != argument && add->operand(1) != argument))
      return std::nullopt;
    for (; added.op() != nullptr && added.block() == &body() && moves_product(*added.op());
         added = added.op()->operand(0))
      sum.moves.insert(sum.moves.begin(), added.op());
    sum.product = made_by(added, "dot_general");
    if (sum.product == nullptr || added.block() != &body() || added.dtype() != result.dtype())
      return std::nullopt;
    if (!is_shallow(*sum.product, result.dtype())) return std::nullopt;
    return sum;
  }

  const Op& op_;
  ops::LoopAnalysis analysis_;
  std::int64_t num_iterations_ = 0;
  std::unordered_map<Value, int, ir::ValueHash> num_uses_;
};

/// A value of the loop's body that is kept for all iterations.
struct Stacked {
  Value value, index;
  Progression progression;
};

/// Copies a loop that also keeps operands of products, and makes the products after it.
class LoopCopy {
 public:
  LoopCopy(const Loop& loop, std::vector<CarriedSum> sums) : loop_(loop), sums_(std::move(sums)) {
    for (const CarriedSum& sum : sums_) products_.push_back(sources_of(*sum.product));
  }

  bool is_small_enough() const {
    std::size_t bytes = 0;
    for (const Stacked& stacked : stacked_)
      bytes += stacked.value.type().size_bytes() * static_cast<std::size_t>(loop_.num_iterations());
    return bytes <= kMostStackedBytes &&
           std::find(products_.begin(), products_.end(), std::nullopt) == products_.end();
  }

  /// Appends the copy, and maps the results of the loop.
  void run(ir::Builder& b, ir::ValueMap& map) const {
    const Op& op = loop_.op();
    std::vector<Value> operands = mapped(map, op.operands());
    for (const Stacked& stacked : stacked_) operands.push_back(ops::full(b, stack_type(stacked.value), 0));
    std::vector<std::unique_ptr<Block>> regions;
    for (const auto& region : op.regions()) regions.push_back(copied_region(*region, map));
    const Op& copy = b.create(op.def(), std::move(operands), op.attributes(), std::move(regions));
    for (std::size_t i = 0; i < op.results().size(); ++i) map[op.result(i)] = copy.result(i);
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      const CarriedSum& sum = sums_[s];
      Value product = whole_product(b, *sum.product, *products_[s], copy, map);
      for (const Op* move : sum.moves) {
        std::vector<Value> moved = {product};
        if (move->operands().size() == 2) moved.push_back(ops::full(b, move->operand(1).type(), 0));
        product = b.create(move->def(), std::move(moved), move->attributes()).result();
      }
      map[op.result(sum.carried)] = ops::add(b, mapped(map, op.operand(sum.carried)), product);
    }
  }

 private:
  /// The tensor of all iterations: one outside the loop, or the result of something stacked.
  struct Source {
    Value whole;
    std::size_t stacked = 0;
    bool operator==(const Source&) const = default;
  };
  using Sources = std::array<Source, 2>;

  ir::TensorType stack_type(Value value) const {
    ir::TensorType type = value.type();
    type.dims.insert(type.dims.begin(), loop_.num_iterations());
    return type;
  }

  std::optional<Sources> sources_of(const Op& product) {
    std::optional<Slice> slices[2] = {loop_.slice_of(product.operand(0)), loop_.slice_of(product.operand(1))};
    if (slices[0] && slices[1] && slices[0]->progression != slices[1]->progression) slices[1].reset();
    const std::optional<Slice> order = slices[0] ? slices[0] : slices[1] ? slices[1] : loop_.counter();
    if (!order) return std::nullopt;
    Sources sources;
    for (std::size_t i = 0; i < 2; ++i)
      sources[i] = slices[i] ? Source{.whole = slices[i]->whole}
                             : Source{.stacked = stack(product.operand(i), *order)};
    return sources;
  }

  std::size_t stack(Value value, const Slice& order) {
    for (std::size_t i = 0; i < stacked_.size(); ++i)
      if (stacked_[i].value == value && stacked_[i].progression == order.progression) return i;
    stacked_.push_back({value, order.index, order.progression});
    return stacked_.size() - 1;
  }

  std::unique_ptr<Block> copied_region(const Block& region, const ir::ValueMap& outer) const {
    auto copy = std::make_unique<Block>();
    ir::ValueMap map = ir::region_map(region, outer);
    for (const Value& argument : region.arguments()) map[argument] = copy->add_argument(argument.type());
    std::vector<Value> stacks;
    for (const Stacked& stacked : stacked_) stacks.push_back(copy->add_argument(stack_type(stacked.value)));
    ir::Builder b(*copy);
    std::vector<Value> results = ir::clone_ops(b, region, map);
    if (&region == &loop_.body())
      for (std::size_t i = 0; i < stacked_.size(); ++i)
        results.push_back(stored(b, stacked_[i], stacks[i], map));
    copy->set_results(std::move(results));
    return copy;
  }

  static Value stored(ir::Builder& b, const Stacked& stacked, Value stack, const ir::ValueMap& map) {
    const Value value = mapped(map, stacked.value), index = mapped(map, stacked.index);
    ir::Dims dims = value.dims();
    dims.insert(dims.begin(), 1);
    std::vector<Value> starts(dims.size(), ops::full(b, index.type(), 0));
    starts[0] = index;
    return ops::dynamic_update_slice(b, stack, ops::reshape(b, value, dims), starts);
  }

  /// The product summed over all iterations.
  Value whole_product(ir::Builder& b, const Op& product, const Sources& sources, const Op& copy,
                      const ir::ValueMap& map) const {
    const auto whole = [&](const Source& source) {
      if (source.whole) return mapped(map, source.whole);
      return copy.result(loop_.op().results().size() + source.stacked);
    };
    ops::DotDimensions dims = ops::dot_dimensions(product);
    for (ir::Dims* contracting : {&dims.lhs_contracting, &dims.rhs_contracting}) {
      for (std::int64_t& d : *contracting) ++d;
      contracting->insert(contracting->begin(), 0);
    }
    return ops::dot_general(b, whole(sources[0]), whole(sources[1]), dims);
  }

  const Loop& loop_;
  std::vector<CarriedSum> sums_;
  std::vector<std::optional<Sources>> products_;  // by sum
  std::vector<Stacked> stacked_;
};

}  // namespace

std::unique_ptr<ir::Function> take_products_out_of_loops(const ir::Function& function) {
  const auto is_loop = [](const auto& op) { return op->name() == "while"; };
  if (std::none_of(function.body.ops().begin(), function.body.ops().end(), is_loop)) return nullptr;
  auto copy = std::make_unique<ir::Function>();
  copy->name = function.name;
  ir::ValueMap map;
  for (const Value& argument : function.body.arguments())
    map[argument] = copy->body.add_argument(argument.type());
  ir::Builder b(copy->body);
  bool has_changed = false;
  for (const auto& op : function.body.ops()) {
    const ir::LocationScope location(b, op->location());
    if (is_loop(op)) {
      const Loop loop(*op);
      std::vector<CarriedSum> sums = loop.num_iterations() > 1 ? loop.sums() : std::vector<CarriedSum>();
      const LoopCopy changed(loop, sums);
      if (!sums.empty() && changed.is_small_enough()) {
        changed.run(b, map);
        has_changed = true;
        continue;
      }
    }
    ir::clone_op(b, *op, map);
  }
  copy->body.set_results(mapped(map, function.body.results()));
  return has_changed ? std::move(copy) : nullptr;
}

}  // namespace cornu::inline v0::transform
