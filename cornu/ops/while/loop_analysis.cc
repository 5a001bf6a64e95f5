#include "cornu/ops/while/loop_analysis.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cornu/base/divide_up.h"
#include "cornu/ir/clone.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::ops {
namespace while_folder {
namespace {

/// The value of an integer scalar constant; nothing for the largest and the smallest of int64, by which larger
/// ones of u64 are read, and which have no successor or no negative.
std::optional<std::int64_t> constant_integer(ir::Value value) {
  if (!is_constant(value) || value.rank() != 0 || !ir::is_integer(value.dtype())) return std::nullopt;
  const std::int64_t number = integer_at(value.op()->attributes().get<ir::Literal>("value"), 0);
  using Limits = std::numeric_limits<std::int64_t>;
  return number == Limits::max() || number == Limits::min() ? std::nullopt : std::optional(number);
}

/// The constant that the body adds to a carried value, if it adds one.
std::optional<std::int64_t> added_constant(const ir::Block& body, std::size_t carried) {
  const ir::Op* op = body.results()[carried].op();
  const ir::Value argument = body.arguments()[carried];
  if (op == nullptr || op->operands().size() != 2) return std::nullopt;
  const bool adds = op->name() == "add", subtracts = op->name() == "subtract";
  if (op->operand(0) == argument && (adds || subtracts)) {
    const std::optional<std::int64_t> step = constant_integer(op->operand(1));
    return step && subtracts ? std::optional(-*step) : step;
  }
  return adds && op->operand(1) == argument ? constant_integer(op->operand(0)) : std::nullopt;
}

/// True if the integer dtype has the number.
bool contains(ir::DType dtype, std::int64_t number) {
  const bool is_signed = ir::is_signed_integer(dtype);
  if (number < 0 && !is_signed) return false;
  const int digits = ir::bit_width(dtype) - (is_signed ? 1 : 0);
  return digits >= 63 || number >> digits == (number < 0 ? -1 : 0);
}

/// True if `count` numbers of the progression are numbers of the integer dtype: none wraps.
bool contains(ir::DType dtype, const Progression& numbers, std::int64_t count) {
  if (!contains(dtype, numbers.first)) return false;
  std::int64_t last = 0;
  return count <= 1 || (!__builtin_mul_overflow(numbers.step, count - 1, &last) &&
                        !__builtin_add_overflow(numbers.first, last, &last) && contains(dtype, last));
}

/// The sum or the difference of two progressions; nothing if it wraps in int64.
std::optional<Progression> sum_of(const Progression& a, const Progression& b, bool subtracts) {
  const auto add = [&](std::int64_t x, std::int64_t y, std::int64_t& sum) {
    return subtracts ? !__builtin_sub_overflow(x, y, &sum) : !__builtin_add_overflow(x, y, &sum);
  };
  Progression sum;
  return add(a.first, b.first, sum.first) && add(a.step, b.step, sum.step) ? std::optional(sum)
                                                                           : std::nullopt;
}

/// The number of iterations of a loop whose counter has a constant first number and bound; nothing if it wraps.
std::optional<std::int64_t> constant_trip_count(const LoopCounter& counter) {
  const std::optional<std::int64_t> init = constant_integer(counter.init),
                                    bound = constant_integer(counter.bound);
  const ir::DType dtype = counter.init.dtype();
  std::int64_t way = 0;
  if (!init || !bound || !contains(dtype, *init) || !contains(dtype, *bound) ||
      (counter.step > 0 ? __builtin_sub_overflow(*bound, *init, &way)
                        : __builtin_sub_overflow(*init, *bound, &way)))
    return std::nullopt;
  if (way < 0 || (way == 0 && !counter.inclusive)) return 0;
  const std::int64_t size = std::abs(counter.step),
                     count = counter.inclusive ? way / size + 1 : divide_up(way, size);
  // The number after the last iteration ends the loop.
  return contains(dtype, {*init, counter.step}, count + 1) ? std::optional(count) : std::nullopt;
}

ComparisonDirection mirrored(ComparisonDirection direction) {
  switch (direction) {
    case ComparisonDirection::kGe: return ComparisonDirection::kLe;
    case ComparisonDirection::kGt: return ComparisonDirection::kLt;
    case ComparisonDirection::kLe: return ComparisonDirection::kGe;
    case ComparisonDirection::kLt: return ComparisonDirection::kGt;
    default: return direction;
  }
}

/// A value of the condition as one from outside the loop: a constant, a captured value, or a carried one that
/// never changes.
ir::Value as_outside(const ir::Op& loop, ir::Value value) {
  const ir::Block& condition = loop.region(0);
  if (value.block() != &condition) return value;
  if (value.op() != nullptr) return is_constant(value) ? value : ir::Value();
  const auto index = static_cast<std::size_t>(value.index());
  return loop.region(1).results()[index] == loop.region(1).arguments()[index] ? loop.operand(index)
                                                                              : ir::Value();
}

/// True if a counter that the condition compares so reaches its bound; nothing if the step leads away from it.
std::optional<bool> includes_bound(ComparisonDirection direction, std::int64_t step) {
  const bool upwards = direction == ComparisonDirection::kLt || direction == ComparisonDirection::kLe;
  const bool downwards = direction == ComparisonDirection::kGt || direction == ComparisonDirection::kGe;
  if (!(step > 0 ? upwards : downwards)) return std::nullopt;
  return direction == ComparisonDirection::kLe || direction == ComparisonDirection::kGe;
}

std::optional<LoopCounter> find_counter(const ir::Op& loop) {
  const ir::Block& condition = loop.region(0);
  const ir::Op* compare = condition.results()[0].op();
  if (compare == nullptr || compare->name() != "compare" || compare->block() != &condition)
    return std::nullopt;
  for (const std::size_t side : {0, 1}) {
    const ir::Value counter = compare->operand(side);
    if (counter.op() != nullptr || counter.block() != &condition || !ir::is_integer(counter.dtype()))
      continue;
    const auto index = static_cast<std::size_t>(counter.index());
    const std::optional<std::int64_t> step = added_constant(loop.region(1), index);
    const ir::Value bound = as_outside(loop, compare->operand(1 - side));
    if (!step || *step == 0 || !bound) continue;
    auto direction =
        comparison_direction_from_name(compare->attributes().get<std::string>("comparison_direction"));
    if (side == 1) direction = mirrored(direction);
    const std::optional<bool> inclusive = includes_bound(direction, *step);
    if (!inclusive) continue;
    return LoopCounter{
        .index = index, .init = loop.operand(index), .bound = bound, .step = *step, .inclusive = *inclusive};
  }
  return std::nullopt;
}

}  // namespace
}  // namespace while_folder

CarriedSet argument_sources(const ir::Block& block, std::span<const ir::Value> wanted,
                            std::vector<ir::Value>* outside) {
  CarriedSet sources;
  auto use = [&](ir::Value value) {
    if (value.block() == &block) {
      if (value.op() == nullptr) sources.insert(static_cast<std::size_t>(value.index()));
    } else if (outside != nullptr) {
      outside->push_back(value);
    }
  };
  for (const ir::Value& value : wanted) use(value);
  for (const ir::Op* op : ir::needed_ops(block, wanted)) {
    for (const ir::Value& operand : op->operands()) use(operand);
    for (const ir::Value& value : ir::captured_values(*op)) use(value);
  }
  return sources;
}

LoopAnalysis::LoopAnalysis(const ir::Op& loop)
    : loop_(loop), counter_(while_folder::find_counter(loop)), outside_(loop.operands().size()) {
  for (std::size_t i = 0; i < num_carried(); ++i)
    sources_.push_back(argument_sources(body(), body().results().subspan(i, 1), &outside_[i]));
  if (counter_) trip_count_ = while_folder::constant_trip_count(*counter_);
  if (trip_count_) find_progressions();
}

void LoopAnalysis::find_progressions() {
  const auto insert = [&](ir::Value value, const std::optional<Progression>& numbers) {
    if (numbers && while_folder::contains(value.dtype(), *numbers, *trip_count_))
      progressions_.emplace(value, *numbers);
  };
  for (std::size_t i = 0; i < num_carried(); ++i) {
    const auto first = while_folder::constant_integer(loop_.operand(i)),
               step = while_folder::added_constant(body(), i);
    if (first && step) insert(body().arguments()[i], Progression{*first, *step});
  }
  for (const auto& op : body().ops()) {
    const bool is_sum = op->name() == "add" || op->name() == "subtract";
    if ((!is_sum && op->name() != "convert") || op->result().rank() != 0 ||
        !ir::is_integer(op->result().dtype()))
      continue;
    const auto left = progression_of(op->operand(0));
    if (!is_sum) {
      insert(op->result(), left);
      continue;
    }
    const auto right = progression_of(op->operand(1));
    if (left && right) insert(op->result(), while_folder::sum_of(*left, *right, op->name() == "subtract"));
  }
}

bool LoopAnalysis::depends_on(std::size_t carried, std::span<const ir::Value> values) const {
  return std::any_of(outside_[carried].begin(), outside_[carried].end(), [&](ir::Value value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  });
}

CarriedSet LoopAnalysis::closure(CarriedSet some) const {
  for (std::size_t before = 0; before != some.size();) {
    before = some.size();
    for (const std::size_t carried : CarriedSet(some))
      some.insert(sources_[carried].begin(), sources_[carried].end());
  }
  return some;
}

CarriedSet LoopAnalysis::condition_sources() const {
  return argument_sources(condition(), condition().results());
}

std::optional<Progression> LoopAnalysis::progression_of(ir::Value value) const {
  if (const auto number = while_folder::constant_integer(value)) return Progression{*number, 0};
  const auto found = progressions_.find(value);
  return found == progressions_.end() ? std::nullopt : std::optional(found->second);
}

bool LoopAnalysis::is_overwritten(std::size_t carried) const {
  const ir::Value tensor = body().arguments()[carried];
  const ir::Op* const update = body().results()[carried].op();
  if (update == nullptr || update->name() != "dynamic_update_slice" || update->block() != &body() ||
      tensor.rank() == 0 || update->operand(0) != tensor)
    return false;
  ir::Dims slice = tensor.dims();
  const std::int64_t count = std::exchange(slice[0], 1);
  const auto progression = progression_of(update->operand(2));
  const bool is_in_order = progression == Progression{0, 1} || progression == Progression{count - 1, -1};
  if (update->operand(1).dims() != slice || trip_count_ != count || !is_in_order) return false;
  for (std::size_t i = 3; i < update->operands().size(); ++i)
    if (while_folder::constant_integer(update->operand(i)) != 0) return false;
  std::int64_t num_uses = condition_sources().contains(carried) ? 1 : 0;
  const auto count_in = [&](std::span<const ir::Value> values) {
    num_uses += std::count(values.begin(), values.end(), tensor);
  };
  for (const auto& op : body().ops()) {
    count_in(op->operands());
    if (!op->regions().empty()) count_in(ir::captured_values(*op));
  }
  count_in(body().results());
  return num_uses == 1;
}

}  // namespace cornu::inline v0::ops
