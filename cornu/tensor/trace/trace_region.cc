#include <algorithm>
#include <unordered_set>

#include "cornu/base/check.h"
#include "cornu/ops/if/if.h"
#include "cornu/ops/redirect_gradient/redirect_gradient.h"
#include "cornu/ops/while/while.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/trace_state.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/value/device.h"
#include "cornu/transform/evaluate.h"
#include "cornu/transform/replicate.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0 {
namespace {

using detail::TracedVariable;
using detail::TraceFrame;

/// Appends copies of the region's ops, with its arguments replaced by `arguments` and its variables by
/// value_of(variable).
template <typename ValueOf>
transform::ValueMap inline_region(ir::Builder& builder, const Trace::Region::State& region,
                                  std::span<const ir::Value> arguments, ValueOf value_of) {
  transform::ValueMap map;
  for (std::size_t i = 0; i < region.arguments.size(); ++i) map[region.arguments[i]] = arguments[i];
  for (const TracedVariable& traced : region.frame.variables) map[traced.initial] = value_of(traced.variable);
  transform::clone_ops(builder, *region.block, map);
  return map;
}

/// The value of a variable after an iteration of a loop, whose ops `map` maps to their copies. The next
/// iteration reads it.
ir::Value value_after(ir::Builder& builder, const TracedVariable& traced, const transform::ValueMap& map) {
  TracedVariable copy = traced;
  copy.initial = transform::mapped(map, traced.initial);
  copy.now = transform::mapped(map, traced.now);
  if (copy.is_as_assigned) copy.begin_anew(builder);
  return copy.now;
}

std::vector<Variable> assigned_in(std::initializer_list<const TraceFrame*> frames) {
  std::vector<Variable> assigned;
  for (const TraceFrame* frame : frames)
    for (const TracedVariable& traced : frame->variables)
      if (traced.assigned && std::find(assigned.begin(), assigned.end(), traced.variable) == assigned.end())
        assigned.push_back(traced.variable);
  return assigned;
}

void refuse_assignments(const TraceFrame& frame) {
  const std::vector<Variable> assigned = assigned_in({&frame});
  if (!assigned.empty())
    invalid_argument("[{}] variable \"{}\" is assigned, which is possible in loop bodies and branches only",
                     frame.what, assigned[0].path());
}

/// The outer values that a region uses, each once.
std::vector<ir::Value> captured_by(const ir::Block& block) {
  std::unordered_set<ir::Value, ir::ValueHash> seen(block.arguments().begin(), block.arguments().end());
  std::vector<ir::Value> captured;
  const auto use = [&](const ir::Value& value) {
    if (seen.insert(value).second) captured.push_back(value);
  };
  for (const auto& op : block.ops()) {
    for (const ir::Value& operand : op->operands()) use(operand);
    for (const ir::Value& value : transform::captured_values(*op)) use(value);
    seen.insert(op->results().begin(), op->results().end());
  }
  for (const ir::Value& result : block.results()) use(result);
  return captured;
}

[[noreturn]] void refuse_different_values(const TraceFrame& frame, const Variable& variable) {
  if (variable.aggregation() != VariableAggregation::kNone)
    invalid_argument({.argument = "aggregation"},
                     "[{}] replicas assign different values to variable \"{}\", to which they may only add "
                     "(assign_add, or assign of its value plus something): all_reduce the value",
                     frame.what, variable.path());
  invalid_argument(
      {.argument = "aggregation"},
      "[{}] replicas assign different values to variable \"{}\", which has no aggregation: make it with "
      ".aggregation = VariableAggregation::kSum, kMean or kOnlyFirstReplica, or all_reduce the value",
      frame.what, variable.path());
}

/// The value that all replicas assign to a variable.
ir::Value agreed_value(const TraceFrame& frame, const TracedVariable& traced,
                       std::span<const transform::ValueMap> maps) {
  const ir::Value value = transform::mapped(maps[0], traced.now);
  for (const transform::ValueMap& map : maps)
    if (transform::mapped(map, traced.now) != value) refuse_different_values(frame, traced.variable);
  return value;
}

void add_work(const runtime::ReplicaWork& more, runtime::ReplicaWork& work) {
  work.num_replicas = std::max(work.num_replicas, more.num_replicas);
  work.exchanged_bytes += more.exchanged_bytes;
  work.num_messages += more.num_messages;
}

/// Finds the variables with parts that the composites of a region look up and train.
class TableFinder {
 public:
  explicit TableFinder(const TraceFrame& frame) : frame_(frame) {}

  /// The variable of a lookup, or of a gradient: that of a lookup of the same ids in a table of the same size.
  /// Undefined if it is unknown.
  Variable find(const ir::Op& composite) {
    const ir::Value ids = composite.operand(1);
    const auto num_rows = composite.attributes().get<std::int64_t>("num_rows");
    if (Variable table = variable_of(composite.operand(0)); table.defined()) {
      lookups_.push_back({table, ids, num_rows});
      return table;
    }
    const auto fits = [&](const Lookup& lookup) { return lookup.ids == ids && lookup.num_rows == num_rows; };
    auto found = std::ranges::find_if(
        lookups_, [&](const Lookup& lookup) { return fits(lookup) && !lookup.has_gradient; });
    if (found == lookups_.end()) found = std::ranges::find_if(lookups_, fits);
    if (found == lookups_.end()) return {};
    found->has_gradient = true;
    return found->table;
  }

 private:
  struct Lookup {
    Variable table;
    ir::Value ids;
    std::int64_t num_rows;
    bool has_gradient = false;
  };

  /// The variable of whose value `value` is a copy in another role or another dtype.
  Variable variable_of(ir::Value value) const {
    while (value.op() != nullptr &&
           (ops::is_redirect_gradient(*value.op()) || value.op()->name() == "convert"))
      value = value.op()->operand(0);
    for (const TracedVariable& traced : frame_.variables)
      if (traced.initial == value) return traced.variable;
    return {};
  }

  const TraceFrame& frame_;
  std::vector<Lookup> lookups_;
};

/// Throws if replicas would behave differently. Replicas on other processes or devices are not in the
/// program, so this checks a temporary program that contains all.
void check_replicas(const Trace::Region::State& region, std::int64_t num_replicas) {
  ir::Block all;
  std::vector<transform::ValueMap> maps(static_cast<std::size_t>(num_replicas));
  const auto has_parts = [](const TracedVariable& traced) {
    return detail::parts_of(traced.variable) != nullptr;
  };
  for (const TracedVariable& traced : region.frame.variables) {
    const ir::Value initial = all.add_argument(traced.initial.type());
    for (transform::ValueMap& map : maps)
      map[traced.initial] =
          has_parts(traced) && &map != &maps[0] ? all.add_argument(initial.type()) : initial;
  }
  for (const ir::Value& argument : region.arguments)
    for (transform::ValueMap& map : maps) map[argument] = all.add_argument(argument.type());
  ir::Builder builder(all);
  transform::inline_replicas(builder, *region.block, maps);
  for (const TracedVariable& traced : region.frame.variables)
    if (traced.assigned && !has_parts(traced)) agreed_value(region.frame, traced, maps);
}

}  // namespace

void Trace::State::copy_notes(const Region::State& region, const ir::ValueMap& copies) {
  const std::size_t num_counts = count_notes.size(), num_shapes = shape_notes.size();
  for (std::size_t i = region.first_count_note; i < num_counts; ++i) {
    if (!copies.contains(count_notes[i].value)) continue;
    CountNote note = count_notes[i];
    note.value = transform::mapped(copies, note.value);
    count_notes.push_back(std::move(note));
  }
  for (std::size_t i = region.first_shape_note; i < num_shapes; ++i) {
    const ShapeNote note = shape_notes[i];
    if (!copies.contains(note.value)) continue;
    shape_notes.push_back(
        {transform::mapped(copies, note.value), transform::mapped(copies, note.like), note.is_uniform});
  }
}

Trace::Region::Region(Trace& trace, std::string what) : trace_(trace), state_(std::make_unique<State>()) {
  state_->frame.what = std::move(what);
  state_->frame.builder.set_location(trace.builder().location());
  state_->first_count_note = trace.state_->count_notes.size();
  state_->first_shape_note = trace.state_->shape_notes.size();
  trace.state_->frames.push_back(&state_->frame);
}

Trace::Region::~Region() {
  Trace::State& trace = *trace_.state_;
  if (trace.frames.back() == &state_->frame) trace.frames.pop_back();  // f threw
  trace.closed.push_back(std::move(state_));
}

Tensor Trace::Region::add_argument(const TensorType& type) {
  state_->arguments.push_back(state_->block->add_argument(type));
  return trace_.tensor(state_->arguments.back());
}

void Trace::Region::close(std::span<const Tensor> results) {
  CORNU_CHECK(trace_.state_->frames.back() == &state_->frame, "regions are closed from the innermost out");
  std::vector<ir::Value> values;
  for (const Tensor& result : results) values.push_back(trace_.value_of(result));
  state_->block->set_results(std::move(values));
  trace_.state_->frames.pop_back();
}

std::vector<Tensor> Trace::while_op(const Region& condition, const Region& body,
                                    std::span<const Tensor> initial) {
  refuse_assignments(condition.state_->frame);
  const std::vector<Variable> carried = assigned_in({&body.state_->frame});
  std::vector<ir::Value> operands;
  for (const Tensor& tensor : initial) operands.push_back(value_of(tensor));
  for (const Variable& variable : carried) operands.push_back(state_->touch(variable).now);

  const auto inline_here = [&](ir::Builder& inner, const Region& region, std::span<const ir::Value> values) {
    transform::ValueMap map = inline_region(inner, *region.state_, values, [&](const Variable& variable) {
      const auto found = std::find(carried.begin(), carried.end(), variable);
      if (found == carried.end()) return state_->touch(variable).now;
      return values[initial.size() + static_cast<std::size_t>(found - carried.begin())];
    });
    state_->copy_notes(*region.state_, map);
    return map;
  };
  const std::vector<ir::Value> results = ops::while_(
      builder(), operands,
      [&](ir::Builder& inner, std::span<const ir::Value> values) {
        return transform::mapped(inline_here(inner, condition, values),
                                 condition.state_->block->results()[0]);
      },
      [&](ir::Builder& inner, std::span<const ir::Value> values) {
        const transform::ValueMap map = inline_here(inner, body, values);
        std::vector<ir::Value> next = transform::mapped(map, body.state_->block->results());
        for (std::size_t i = 0; i < carried.size(); ++i)
          next.push_back(value_after(inner, *body.state_->frame.find(carried[i]), map));
        return next;
      });
  for (std::size_t i = 0; i < carried.size(); ++i) state_->set(carried[i], results[initial.size() + i]);
  std::vector<Tensor> tensors;
  tensors.reserve(initial.size());
  for (std::size_t i = 0; i < initial.size(); ++i) tensors.push_back(tensor(results[i]));
  return tensors;
}

std::vector<Tensor> Trace::if_op(const Tensor& predicate, const Region& on_true, const Region& on_false) {
  const std::vector<Variable> assigned = assigned_in({&on_true.state_->frame, &on_false.state_->frame});
  const auto branch = [&](const Region& region) {
    return [&](ir::Builder& inner) {
      const transform::ValueMap map = inline_region(
          inner, *region.state_, {}, [&](const Variable& variable) { return state_->touch(variable).now; });
      state_->copy_notes(*region.state_, map);
      std::vector<ir::Value> results = transform::mapped(map, region.state_->block->results());
      for (const Variable& variable : assigned) {
        const TracedVariable* traced = region.state_->frame.find(variable);
        results.push_back(traced == nullptr ? state_->touch(variable).now
                                            : transform::mapped(map, traced->now));
      }
      return results;
    };
  };
  const std::vector<ir::Value> results =
      ops::if_(builder(), value_of(predicate), branch(on_true), branch(on_false));
  const std::size_t num_results = results.size() - assigned.size();
  for (std::size_t i = 0; i < assigned.size(); ++i) state_->set(assigned[i], results[num_results + i]);
  std::vector<Tensor> tensors;
  tensors.reserve(num_results);
  for (std::size_t i = 0; i < num_results; ++i) tensors.push_back(tensor(results[i]));
  return tensors;
}

void Trace::State::set_device(int needed) {
  if (device.has_value() && *device != needed)
    invalid_argument("[trace] a program runs on one device; its parts are for {} and {}",
                     detail::short_device_name(*device), detail::short_device_name(needed));
  device = needed;
}

void Trace::set_device(int device) { state_->set_device(device); }

std::vector<Variable> Trace::variables_of(const Region& region) const {
  std::vector<Variable> variables;
  for (const TracedVariable& traced : region.state_->frame.variables) variables.push_back(traced.variable);
  return variables;
}

std::vector<std::vector<Tensor>> Trace::replicate_op(const Region& region,
                                                     std::span<const std::vector<Tensor>> arguments) {
  const ir::Block& block = *region.state_->block;
  std::vector<transform::ValueMap> maps(arguments.size());
  for (std::size_t replica = 0; replica < maps.size(); ++replica) {
    transform::ValueMap& map = maps[replica];
    CORNU_CHECK(arguments[replica].size() == region.state_->arguments.size(), "{} arguments for {}",
                arguments[replica].size(), region.state_->arguments.size());
    for (std::size_t i = 0; i < arguments[replica].size(); ++i)
      map[region.state_->arguments[i]] = value_of(arguments[replica][i]);
    for (const TracedVariable& traced : region.state_->frame.variables)
      map[traced.initial] = detail::parts_of(traced.variable) != nullptr
                                ? state_->part_of_replica(traced.variable, replica, maps.size())
                                : state_->touch(traced.variable).now;
  }
  const std::int64_t num_processes = detail::num_program_replicas();
  const std::int64_t num_replicas = static_cast<std::int64_t>(arguments.size()) * num_processes;
  if (num_processes > 1) check_replicas(*region.state_, num_replicas);
  transform::inline_replicas(builder(), block, maps, num_processes);
  for (const transform::ValueMap& map : maps) state_->copy_notes(*region.state_, map);
  for (const TracedVariable& traced : region.state_->frame.variables)
    if (traced.assigned && detail::parts_of(traced.variable) != nullptr)
      state_->assign_parts(traced, maps);
    else if (traced.assigned)
      state_->set(traced.variable, agreed_value(region.state_->frame, traced, maps));
  add_work(transform::replica_work(block, num_replicas), state_->replica_work);
  state_->add_sharded(region.state_->frame, block, num_replicas);
  std::vector<std::vector<Tensor>> results(arguments.size());
  for (std::size_t replica = 0; replica < maps.size(); ++replica)
    for (const ir::Value& value : transform::mapped(maps[replica], block.results()))
      results[replica].push_back(tensor(value));
  return results;
}

void Trace::State::add_sharded(const detail::TraceFrame& frame, const ir::Block& block,
                               std::int64_t num_replicas) {
  const auto entry_of = [&](const Variable& variable) -> ShardedTable& {
    const auto found = std::ranges::find(sharded, variable, &ShardedTable::table);
    return found == sharded.end() ? sharded.emplace_back(ShardedTable{variable, {}}) : *found;
  };
  for (const TracedVariable& traced : frame.variables)
    if (detail::parts_of(traced.variable) != nullptr) entry_of(traced.variable);
  TableFinder finder(frame);
  for (const transform::CompositeWork& composite : transform::sharded_work(block, num_replicas))
    if (const Variable table = finder.find(*composite.op); table.defined())
      add_work(composite.work, entry_of(table).work);
}

void Trace::begin_replica(std::int64_t num_replicas) { state_->top().num_replicas = num_replicas; }

std::int64_t Trace::num_replicas_with_parts() const {
  return state_->num_replicas_at(state_->frames.size() - 1);
}

Trace::ClosedBlock Trace::closed_block(const Region& region) {
  refuse_assignments(region.state_->frame);
  const ir::Block& block = *region.state_->block;
  ClosedBlock closed{std::make_unique<ir::Block>(), {}};
  transform::ValueMap map;
  // Variables are replaced by their values in the enclosing block.
  for (const TracedVariable& traced : region.state_->frame.variables) {
    closed.captured.push_back(state_->touch(traced.variable).now);
    map[traced.initial] = closed.block->add_argument(traced.initial.type());
  }
  for (const ir::Value& value : captured_by(block)) {
    closed.captured.push_back(value);
    map[value] = closed.block->add_argument(value.type());
  }
  for (const ir::Value& argument : region.state_->arguments)
    map[argument] = closed.block->add_argument(argument.type());
  ir::Builder inner(*closed.block);
  closed.block->set_results(transform::clone_ops(inner, block, map));
  return closed;
}

}  // namespace cornu::inline v0
