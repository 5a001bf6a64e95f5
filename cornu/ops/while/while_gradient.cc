#include "cornu/ops/while/while_gradient.h"

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/dynamic_slice/dynamic_slice.h"
#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/while/loop_analysis.h"
#include "cornu/ops/while/while.h"

namespace cornu::inline v0::ops {
namespace while_folder {
namespace {

using Values = std::vector<ir::Value>;
using Carried = std::span<const ir::Value>;

ir::Value integer(ir::Builder& b, std::int64_t value) {
  return scalar(b, ir::DType::kI64, static_cast<double>(value));
}

/// A value of its own with the elements of another: gradients for it are not mixed up with those of the
/// other.
ir::Value as_leaf(ir::Builder& b, ir::Value value) { return reshape(b, value, value.dims()); }

Values joined(Values first, Carried second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// A stack of `count` values, all zero.
ir::Value zero_stack(ir::Builder& b, const ir::TensorType& type, std::int64_t count) {
  return full(b, {type.dtype, concatenated({count}, type.dims)}, 0);
}

Values stack_starts(ir::Builder& b, ir::Value at, std::int64_t rank) {
  Values starts(static_cast<std::size_t>(rank), integer(b, 0));
  starts.insert(starts.begin(), at);
  return starts;
}

ir::Value push(ir::Builder& b, ir::Value stack, ir::Value value, ir::Value at) {
  const ir::Value row = reshape(b, value, concatenated({1}, value.dims()));
  return dynamic_update_slice(b, stack, row, stack_starts(b, at, value.rank()));
}

ir::Value peek(ir::Builder& b, ir::Value stack, ir::Value at) {
  const ir::Dims dims(stack.dims().begin() + 1, stack.dims().end());
  const ir::Value row =
      dynamic_slice(b, stack, stack_starts(b, at, stack.rank() - 1), concatenated({1}, dims));
  return reshape(b, row, dims);
}

/// sum + flow. A flow that is a small part in a tensor of zeros (the gradient of a slice or a gather) is
/// added where it belongs: each iteration of a loop over a sequence would walk all of the sequence otherwise.
ir::Value add_flow(ir::Builder& b, ir::Value sum, ir::Value flow) {
  ir::Op* op = flow.op();
  if (op != nullptr && op->name() == "dynamic_update_slice" && is_zero(op->operand(0))) {
    const Values starts(op->operands().begin() + 2, op->operands().end());
    const ir::Value part = dynamic_slice(b, sum, starts, op->operand(1).dims());
    return dynamic_update_slice(b, sum, add(b, part, op->operand(1)), starts);
  }
  if (op != nullptr && op->name() == "scatter" && op->results().size() == 1 && is_zero(op->operand(0)) &&
      simple_body_kind(op->region(0)) == "add") {
    ir::ValueMap map = {{op->operand(0), sum}};
    return ir::clone_op(b, *op, map).result();
  }
  return add(b, sum, flow);
}

class WhileGradient {
 public:
  explicit WhileGradient(const ir::GradientContext& context)
      : context_(context),
        op_(context.op),
        loop_(context.op),
        captured_(context.captured.begin(), context.captured.end()) {
    find_differentiated();
    find_saved();
  }

  Values run() {
    Values gradients(op_.operands().size() + context_.captured.size());
    if (differentiated_.empty()) return gradients;
    ir::Builder& b = context_.builder;
    Values sums;
    for (const std::size_t i : differentiated_)
      sums.push_back(context_.result_gradients[i] ? context_.result_gradients[i]
                                                  : full(b, op_.operand(i).type(), 0));
    for (const ir::Value& value : captured_) sums.push_back(full(b, value.type(), 0));
    sums = sweep(b, sums);
    std::size_t next = 0;
    for (const std::size_t i : differentiated_) gradients[i] = sums[next++];
    for (std::size_t i = 0; i < context_.captured.size(); ++i)
      if (std::find(captured_.begin(), captured_.end(), context_.captured[i]) != captured_.end())
        gradients[op_.operands().size() + i] = sums[next++];
    return gradients;
  }

 private:
  /// The carried floats that depend on something active and that a result with a gradient depends on.
  void find_differentiated() {
    CarriedSet active, wanted;
    for (std::size_t i = 0; i < loop_.num_carried(); ++i) {
      if (context_.is_active(op_.operand(i)) || loop_.depends_on(i, captured_)) active.insert(i);
      if (context_.result_gradients[i]) wanted.insert(i);
    }
    wanted = loop_.closure(wanted);
    for (std::size_t before = 0; before != active.size();) {
      before = active.size();
      for (std::size_t i = 0; i < loop_.num_carried(); ++i) {
        const CarriedSet& sources = loop_.sources(i);
        if (std::any_of(sources.begin(), sources.end(),
                        [&](std::size_t source) { return active.contains(source); }))
          active.insert(i);
      }
    }
    for (const std::size_t i : active)
      if (wanted.contains(i) && ir::is_differentiable(op_.operand(i).dtype())) differentiated_.push_back(i);
  }

  /// Differentiates one iteration on trial to see what it looks at; finds saved_, advanced_, and the captured
  /// values that get a gradient.
  void find_saved() {
    if (differentiated_.empty()) return;
    ir::Block trial;
    Values state, sums;
    for (const ir::Value& argument : loop_.body().arguments())
      state.push_back(trial.add_argument(argument.type()));
    for (const std::size_t i : differentiated_) sums.push_back(trial.add_argument(op_.operand(i).type()));
    ir::Builder b(trial);
    const Values flows = iteration_flows(b, state, sums);
    Values used;
    for (std::size_t i = 0; i < flows.size(); ++i)
      if (flows[i]) used.push_back(flows[i]);
    Values reached;
    for (std::size_t i = 0; i < captured_.size(); ++i)
      if (flows[differentiated_.size() + i]) reached.push_back(captured_[i]);
    captured_ = reached;
    for (const std::size_t i : argument_sources(trial, used))
      if (i < loop_.num_carried() && is_carried_along(i)) saved_.insert(i);
    for (const std::size_t i : loop_.closure(saved_))
      if (is_carried_along(i)) advanced_.push_back(i);
  }

  /// False for values that need no saving: a counter follows from the number of the iteration, an unchanging
  /// value from outside.
  bool is_carried_along(std::size_t i) const {
    return !loop_.is_invariant(i) && !(loop_.counter() && loop_.counter()->index == i);
  }

  /// The gradients of the differentiated carried values, then of the captured ones, before one iteration;
  /// empty where none flows.
  Values iteration_flows(ir::Builder& b, const Values& state, Carried gradients) const {
    ir::ValueMap map;
    for (std::size_t i = 0; i < state.size(); ++i) map[loop_.body().arguments()[i]] = state[i];
    const std::size_t first_op = b.block().ops().size();
    Values results, wrt;
    for (const std::size_t i : differentiated_) {
      results.push_back(loop_.body().results()[i]);
      wrt.push_back(state[i]);
    }
    results = ir::clone_needed_ops(b, loop_.body(), results, map);
    return context_.differentiate(b, first_op, results, gradients, joined(std::move(wrt), captured_));
  }

  /// All carried values before iteration `number`, from those that are carried along; unused values are
  /// zero.
  Values state_at(ir::Builder& b, Carried advanced, ir::Value number) const {
    Values state(loop_.num_carried());
    for (std::size_t i = 0; i < advanced_.size(); ++i) state[advanced_[i]] = advanced[i];
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (state[i]) continue;
      const ir::TensorType& type = op_.operand(i).type();
      if (loop_.counter() && loop_.counter()->index == i) {
        const ir::Value steps =
            convert(b, multiply(b, number, integer(b, loop_.counter()->step)), type.dtype);
        state[i] = add(b, loop_.counter()->init, steps);
      } else {
        state[i] = as_leaf(b, loop_.is_invariant(i) ? op_.operand(i) : full(b, type, 0));
      }
    }
    return state;
  }

  /// sums before iteration `number`, given those after it.
  Values back_through(ir::Builder& b, Carried advanced, ir::Value number, Carried sums) const {
    const std::size_t count = differentiated_.size();
    const Values flows = iteration_flows(b, state_at(b, advanced, number), sums.first(count));
    Values before;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (i < count) {
        before.push_back(flows[i] ? flows[i] : full(b, sums[i].type(), 0));
      } else {
        before.push_back(flows[i] ? add_flow(b, sums[i], flows[i]) : sums[i]);
      }
    }
    return before;
  }

  Values next_state(ir::Builder& b, Carried advanced, ir::Value number) const {
    ir::ValueMap map;
    const Values state = state_at(b, advanced, number);
    Values results;
    for (std::size_t i = 0; i < state.size(); ++i) map[loop_.body().arguments()[i]] = state[i];
    for (const std::size_t i : advanced_) results.push_back(loop_.body().results()[i]);
    return ir::clone_needed_ops(b, loop_.body(), results, map);
  }

  /// The state `count` iterations after number `first`.
  Values advance(ir::Builder& b, Carried advanced, ir::Value first, ir::Value count) const {
    Values carried = while_(
        b, joined({integer(b, 0)}, advanced),
        [&](ir::Builder& c, Carried v) { return compare(c, v[0], count, ComparisonDirection::kLt); },
        [&](ir::Builder& c, Carried v) {
          return joined({add(c, v[0], integer(c, 1))}, next_state(c, v.subspan(1), add(c, first, v[0])));
        });
    carried.erase(carried.begin());
    return carried;
  }

  Values sweep(ir::Builder& b, const Values& sums) const {
    Values start;
    for (const std::size_t i : advanced_) start.push_back(op_.operand(i));
    const std::optional<std::int64_t> known = loop_.static_trip_count();
    if (known == 0) return sums;
    if (known && fits_stacks(*known)) return sweep_stacked(b, start, *known, sums);
    const ir::Value count = known ? integer(b, *known) : trip_count(b);
    if (advanced_.empty()) return sweep_directly(b, {}, integer(b, 0), count, sums);
    Values inner = slots(b), outer = slots(b);
    Values result =
        sweep_by_checkpoints(b, start, integer(b, 0), count, joined(std::move(outer), inner), sums, 2);
    result.resize(sums.size());
    return result;
  }

  bool fits_stacks(std::int64_t count) const {
    std::int64_t slot_bytes = 0;
    for (const std::size_t i : saved_)
      slot_bytes += static_cast<std::int64_t>(op_.operand(i).type().size_bytes());
    return slot_bytes == 0 || count <= kMaxStackedBytes / slot_bytes;
  }

  Values slots(ir::Builder& b) const {
    Values stacks;
    for (const std::size_t i : advanced_)
      stacks.push_back(zero_stack(b, op_.operand(i).type(), kCheckpointSlots));
    return stacks;
  }

  /// A slot an iteration for the values that an iteration's gradient looks at.
  Values sweep_stacked(ir::Builder& b, const Values& start, std::int64_t count, const Values& sums) const {
    Values stacks;
    std::vector<std::size_t> stacked;  // their numbers in advanced_
    for (std::size_t i = 0; i < advanced_.size(); ++i) {
      if (!saved_.contains(advanced_[i])) continue;
      stacked.push_back(i);
      stacks.push_back(zero_stack(b, op_.operand(advanced_[i]).type(), count));
    }
    const std::size_t width = start.size();
    if (!stacks.empty()) {
      const Values done = while_(
          b, joined(joined({integer(b, 0)}, start), stacks),
          [&](ir::Builder& c, Carried v) {
            return compare(c, v[0], integer(c, count), ComparisonDirection::kLt);
          },
          [&](ir::Builder& c, Carried v) {
            Values pushed;
            for (std::size_t i = 0; i < stacked.size(); ++i)
              pushed.push_back(push(c, v[1 + width + i], v[1 + stacked[i]], v[0]));
            return joined(joined({add(c, v[0], integer(c, 1))}, next_state(c, v.subspan(1, width), v[0])),
                          pushed);
          });
      stacks.assign(done.begin() + 1 + static_cast<std::ptrdiff_t>(width), done.end());
    }
    Values carried = while_(
        b, joined({integer(b, count - 1)}, sums),
        [&](ir::Builder& c, Carried v) { return compare(c, v[0], integer(c, 0), ComparisonDirection::kGe); },
        [&](ir::Builder& c, Carried v) {
          Values state;
          for (const std::size_t i : advanced_)
            state.push_back(saved_.contains(i) ? ir::Value() : as_leaf(c, full(c, op_.operand(i).type(), 0)));
          for (std::size_t i = 0; i < stacked.size(); ++i) state[stacked[i]] = peek(c, stacks[i], v[0]);
          return joined({add(c, v[0], integer(c, -1))}, back_through(c, state, v[0], v.subspan(1)));
        });
    carried.erase(carried.begin());
    return carried;
  }

  /// Each iteration's state is computed again from `start`.
  Values sweep_directly(ir::Builder& b, Carried start, ir::Value first, ir::Value count, Carried sums) const {
    Values carried = while_(
        b, joined({subtract(b, count, integer(b, 1))}, sums),
        [&](ir::Builder& c, Carried v) { return compare(c, v[0], integer(c, 0), ComparisonDirection::kGe); },
        [&](ir::Builder& c, Carried v) {
          const Values state = start.empty() ? Values() : advance(c, start, first, v[0]);
          return joined({add(c, v[0], integer(c, -1))},
                        back_through(c, state, add(c, first, v[0]), v.subspan(1)));
        });
    carried.erase(carried.begin());
    return carried;
  }

  /// Keeps kCheckpointSlots states in `stacks` (this level's, then those of the levels below), and sweeps
  /// over the segments between them. Returns the sums, then the stacks.
  Values sweep_by_checkpoints(ir::Builder& b, Carried start, ir::Value first, ir::Value count, Values stacks,
                              Carried sums, int level) const {
    if (level == 0) return sweep_directly(b, start, first, count, sums);
    const std::size_t width = start.size(), num_sums = sums.size();
    const ir::Value one = integer(b, 1);
    const ir::Value rounded_up =
        divide(b, add(b, count, integer(b, kCheckpointSlots - 1)), integer(b, kCheckpointSlots));
    const ir::Value stride = maximum(b, rounded_up, one);
    const ir::Value segments = divide(b, add(b, count, subtract(b, stride, one)), stride);
    const auto length = [&](ir::Builder& c, ir::Value segment) {
      return minimum(c, stride, subtract(c, count, multiply(c, segment, stride)));
    };
    Values done = while_(
        b, joined(joined({integer(b, 0)}, start), Carried(stacks).first(width)),
        [&](ir::Builder& c, Carried v) { return compare(c, v[0], segments, ComparisonDirection::kLt); },
        [&](ir::Builder& c, Carried v) {
          Values kept;
          for (std::size_t i = 0; i < width; ++i) kept.push_back(push(c, v[1 + width + i], v[1 + i], v[0]));
          const ir::Value at = add(c, first, multiply(c, v[0], stride));
          return joined(
              joined({add(c, v[0], integer(c, 1))}, advance(c, v.subspan(1, width), at, length(c, v[0]))),
              kept);
        });
    const Values kept(done.begin() + 1 + static_cast<std::ptrdiff_t>(width), done.end());
    // The stacks below are carried along, so that they are made once and not once a segment.
    const Values below(stacks.begin() + static_cast<std::ptrdiff_t>(width), stacks.end());
    Values carried = while_(
        b, joined(joined({subtract(b, segments, one)}, sums), below),
        [&](ir::Builder& c, Carried v) { return compare(c, v[0], integer(c, 0), ComparisonDirection::kGe); },
        [&](ir::Builder& c, Carried v) {
          Values state;
          for (const ir::Value& stack : kept) state.push_back(peek(c, stack, v[0]));
          const ir::Value at = add(c, first, multiply(c, v[0], stride));
          const Carried stacks_below = v.subspan(1 + num_sums);
          return joined(
              {add(c, v[0], integer(c, -1))},
              sweep_by_checkpoints(c, state, at, length(c, v[0]), {stacks_below.begin(), stacks_below.end()},
                                   v.subspan(1, num_sums), level - 1));
        });
    carried.erase(carried.begin());
    return joined(std::move(carried), kept);
  }

  /// The number of iterations: from the counter and its bound, else by running what the condition needs.
  ir::Value trip_count(ir::Builder& b) const {
    if (loop_.counter()) return counted(b, *loop_.counter());
    std::vector<std::size_t> watched;
    for (const std::size_t i : loop_.closure(loop_.condition_sources())) watched.push_back(i);
    Values start = {integer(b, 0)};
    for (const std::size_t i : watched) start.push_back(op_.operand(i));
    const auto mapped_arguments = [&](const ir::Block& block, Carried v) {
      ir::ValueMap map;
      for (std::size_t i = 0; i < watched.size(); ++i) map[block.arguments()[watched[i]]] = v[1 + i];
      return map;
    };
    return while_(
        b, start,
        [&](ir::Builder& c, Carried v) {
          ir::ValueMap map = mapped_arguments(loop_.condition(), v);
          return ir::clone_needed_ops(c, loop_.condition(), loop_.condition().results(), map)[0];
        },
        [&](ir::Builder& c, Carried v) {
          ir::ValueMap map = mapped_arguments(loop_.body(), v);
          Values results;
          for (const std::size_t i : watched) results.push_back(loop_.body().results()[i]);
          return joined({add(c, v[0], integer(c, 1))}, ir::clone_needed_ops(c, loop_.body(), results, map));
        })[0];
  }

  static ir::Value counted(ir::Builder& b, const LoopCounter& counter) {
    // A bound inside the condition is a constant: it is made again here.
    const bool is_inner = is_constant(counter.bound);
    const ir::Value given =
        is_inner ? constant(b, counter.bound.op()->attributes().get<ir::Literal>("value")) : counter.bound;
    const ir::Value init = convert(b, counter.init, ir::DType::kI64),
                    bound = convert(b, given, ir::DType::kI64);
    const ir::Value way = counter.step > 0 ? subtract(b, bound, init) : subtract(b, init, bound);
    const std::int64_t size = std::abs(counter.step);
    // Steps that end at the bound or, when it is counted too, pass it.
    const ir::Value reach = add(b, way, integer(b, counter.inclusive ? size : size - 1));
    return divide(b, maximum(b, reach, integer(b, 0)), integer(b, size));
  }

  const ir::GradientContext& context_;
  const ir::Op& op_;
  LoopAnalysis loop_;
  std::vector<std::size_t> differentiated_;  // ascending
  CarriedSet saved_;                         // what an iteration's gradient looks at
  std::vector<std::size_t> advanced_;        // these, and what their next values need
  Values captured_;                          // that get a gradient
};

}  // namespace
}  // namespace while_folder

std::vector<ir::Value> while_gradient(const ir::GradientContext& context) {
  return while_folder::WhileGradient(context).run();
}

}  // namespace cornu::inline v0::ops
