#include "cornu/tensor/trace/infeed.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/ir/clone.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dynamic_slice/dynamic_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/tensor/trace/trace_state.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/transform/evaluate.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::detail {

TensorType stack_type(TensorType row, std::int64_t capacity) {
  row.dims.insert(row.dims.begin(), capacity);
  return row;
}

TraceInfeeds::Entry* TraceInfeeds::find(const ElementSource& source) {
  for (Entry& entry : entries_)
    if (entry.infeed.source == &source) return &entry;
  return nullptr;
}

Infeed::Bound TraceInfeeds::bound_of(const Tensor& bound, const ir::Block& body) {
  if (!bound.is_symbolic()) return {.number = bound.item<std::int64_t>()};
  if (bound.value().block() != &body)
    invalid_argument({.argument = "iterator"},
                     "[next] elements are taken in a loop whose bound is computed inside another loop: how "
                     "many a call takes must be known before it runs, so compute bounds outside of loops");
  const auto found = std::find(computed_.begin(), computed_.end(), bound.value());
  const auto index = static_cast<std::size_t>(found - computed_.begin());
  if (found == computed_.end()) computed_.push_back(bound.value());
  return {.computed = index};
}

void TraceInfeeds::note_site(Entry& entry, std::span<TraceFrame* const> frames) {
  Infeed::Site site;
  for (const TraceFrame* frame : frames.subspan(1)) {
    if (!frame->bounds.are_known())
      fail(ErrorCode::kUnimplemented, {.argument = "iterator"},
           "[next] an element is taken inside {}: how many a call takes must be known before it runs. Take "
           "it outside, in the function or in a fori_loop, and use it there",
           frame->what);
    const ir::Block& body = *frames[0]->block();
    site.emplace_back(bound_of(frame->bounds.lower, body), bound_of(frame->bounds.upper, body));
  }
  entry.infeed.sites.push_back(std::move(site));
}

Infeeds TraceInfeeds::finish(const ir::Block& body, std::size_t num_parameters) const {
  Infeeds infeeds;
  std::size_t first_stack = num_parameters;
  for (const Entry& entry : entries_) {
    infeeds.all.push_back(entry.infeed);
    first_stack = std::min(first_stack, entry.infeed.first_parameter);
  }
  if (computed_.empty()) return infeeds;
  auto function = std::make_shared<ir::Function>();
  function->name = "bounds";
  ir::ValueMap map;
  const auto use = [&](const ir::Value& value) {
    if (value.op() != nullptr || map.contains(value)) return;
    const auto index = static_cast<std::size_t>(value.index());
    if (index >= first_stack)
      invalid_argument(
          {.argument = "iterator"},
          "[next] elements are taken in a loop whose bound depends on {}: how many a call takes must "
          "be known before it runs. Pass the bound to the function as a tensor",
          index < num_parameters ? "an element" : "a variable or a captured tensor");
    map[value] = function->body.add_argument(value.type());
    infeeds.bound_parameters.push_back(index);
  };
  for (const ir::Op* op : ir::needed_ops(body, computed_)) {
    for (const ir::Value& operand : op->operands()) use(operand);
    for (const ir::Value& captured : ir::captured_values(*op)) use(captured);
  }
  for (const ir::Value& value : computed_) use(value);
  ir::Builder builder(function->body);
  function->body.set_results(ir::clone_needed_ops(builder, body, computed_, map));
  infeeds.bounds = std::move(function);
  return infeeds;
}

std::vector<std::int64_t> Infeeds::counts(std::span<const Tensor* const> parameters) const {
  std::vector<std::int64_t> computed;
  if (bounds != nullptr) {
    std::vector<ir::Literal> arguments;
    arguments.reserve(bound_parameters.size());
    for (const std::size_t index : bound_parameters) arguments.push_back(parameters[index]->literal());
    for (const ir::Literal& result : transform::evaluate(*bounds, arguments))
      computed.push_back(Tensor(result).item<std::int64_t>());
  }
  const auto value_of = [&](const Infeed::Bound& bound) {
    return bound.computed.has_value() ? computed[*bound.computed] : bound.number;
  };
  std::vector<std::int64_t> counts;
  for (const Infeed& infeed : all) {
    CheckedSize count = 0;
    for (const Infeed::Site& site : infeed.sites) {
      CheckedSize here = 1;
      for (const auto& [lower, upper] : site) {
        const std::int64_t first = value_of(lower), last = value_of(upper);
        here = here * (last > first ? CheckedSize(last) - first : CheckedSize(0));
      }
      count = count + here;
    }
    counts.push_back(count.value("[next] the elements that a call takes"));
  }
  return counts;
}

}  // namespace cornu::inline v0::detail

namespace cornu::inline v0 {
namespace {

/// More than one row, so that a stack cannot be confused with its row.
constexpr std::int64_t kTracedCapacity = 2;

}  // namespace

void Trace::add_source(detail::ElementSource& source) {
  if (state_->infeeds.find(source) != nullptr) return;
  detail::TraceInfeeds::Entry entry{.infeed = {.source = &source,
                                               .first_parameter = state_->num_parameters,
                                               .types = source.spec().types,
                                               .capacity = kTracedCapacity}};
  for (const TensorType& type : entry.infeed.types)
    entry.stacks.push_back(add_parameter(detail::stack_type(type, kTracedCapacity)));
  state_->infeeds.add(std::move(entry));
}

std::vector<Tensor> Trace::next(const detail::ElementSource& source) {
  state_->check_open();
  detail::TraceInfeeds::Entry* const entry = state_->infeeds.find(source);
  if (entry == nullptr)
    fail(ErrorCode::kFailedPrecondition, {.argument = "iterator"},
         "[next] the iterator is not an argument of the function that is traced, whose program would hold "
         "this element for ever: pass the iterator to it, f(iterator)");
  state_->infeeds.note_site(*entry, state_->frames);
  detail::TraceFrame& root = state_->root;
  if (!entry->position.defined()) {
    const detail::VariableWatcherScope unwatched(nullptr);
    entry->position =
        Variable(ir::Literal(TensorType{DType::kI32, {}}), {.name = "position", .trainable = false});
    const ir::Value zero = ops::scalar(root.builder, DType::kI32, 0);
    root.index_of.emplace(entry->position.id(), root.variables.size());
    root.variables.push_back({entry->position, zero, zero});
  }
  const ir::Value position = state_->touch(entry->position).now;
  ir::Builder& here = builder();
  std::vector<Tensor> tensors;
  for (const Tensor& stack : entry->stacks) {
    Dims extents = stack.shape();
    extents[0] = 1;
    std::vector<ir::Value> starts(extents.size(), ops::scalar(here, DType::kI32, 0));
    starts[0] = position;
    const ir::Value row = ops::dynamic_slice(here, stack.value(), starts, extents);
    extents.erase(extents.begin());
    tensors.push_back(tensor(ops::reshape(here, row, extents)));
  }
  state_->set(entry->position, ops::add(here, position, ops::scalar(here, DType::kI32, 1)));
  return tensors;
}

void Trace::Region::set_bounds(const Tensor& lower, const Tensor& upper) {
  state_->frame.bounds = {lower, upper};
}

TracedProgram TracedProgram::with_capacities(std::span<const std::int64_t> capacities) const {
  TracedProgram copy;
  copy.arguments = arguments;
  copy.state = state;
  copy.fixed = fixed;
  copy.rows = rows;
  copy.outputs = outputs;
  copy.num_parameters = num_parameters;
  copy.infeeds = infeeds;
  copy.convolution_algorithm = convolution_algorithm;
  copy.precision = precision;
  copy.replica_work = replica_work;
  copy.reaches_all_devices = reaches_all_devices;
  copy.sharded = sharded;
  copy.device = device;
  copy.function = std::make_unique<ir::Function>();
  copy.function->name = function->name;
  std::vector<TensorType> types;
  for (const ir::Value& argument : function->body.arguments()) types.push_back(argument.type());
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    detail::Infeed& infeed = copy.infeeds.all[i];
    infeed.capacity = capacities[i];
    for (std::size_t k = 0; k < infeed.types.size(); ++k)
      types[infeed.first_parameter + k] = detail::stack_type(infeed.types[k], capacities[i]);
  }
  transform::ValueMap map;
  for (std::size_t i = 0; i < types.size(); ++i)
    map[function->body.arguments()[i]] = copy.function->body.add_argument(types[i]);
  ir::Builder builder(copy.function->body);
  copy.function->body.set_results(transform::clone_ops(builder, function->body, map));
  for (const auto& [tensor, value] : captured)
    copy.captured.emplace_back(tensor, transform::mapped(map, value));
  return copy;
}

}  // namespace cornu::inline v0
