#include "cornu/backends/cpu/eager/builder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "cornu/backends/cpu/elements/scalar_function.h"
#include "cornu/base/check.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu::eager {
namespace {

using Dims = ir::Dims;

View view_of(int slot, const ir::TensorType& type) {
  return {.slot = slot,
          .offset = 0,
          .dims = type.dims,
          .strides = ir::row_major_strides(type.dims),
          .element_bytes = ir::size_bytes(type.dtype)};
}

}  // namespace

void append_slots(const std::vector<View>& views, std::vector<int>& slots) {
  for (const View& view : views) slots.push_back(view.slot);
}

Builder::Builder(std::shared_ptr<const ir::Function> function, const KernelSet& kernels, const Target& target,
                 int num_threads)
    : kernels_(kernels), target_(target), num_threads_(num_threads) {
  parts_.function = std::move(function);
}

Parts Builder::build() {
  const ir::Block& body = parts_.function->body;
  count_uses(body);
  for (std::size_t i = 0; i < body.arguments().size(); ++i)
    views_[body.arguments()[i]] =
        view_of(add_slot({.kind = Slot::Kind::kInput, .index = i}), body.arguments()[i].type());
  choose_outputs(body);
  for (const auto& op : body.ops()) add_op(*op);
  flush();
  for (std::size_t i = 0; i < body.results().size(); ++i) {
    if (output_slots_[i] >= 0) continue;  // written in place
    const View to = view_of(add_slot({.kind = Slot::Kind::kOutput, .index = i}), body.results()[i].type());
    add_copy(views_.at(body.results()[i]), to);
  }
  place_temporaries();
  if (!needs_function_) parts_.function = nullptr;
  return std::move(parts_);
}

int Builder::add_slot(Slot slot) {
  parts_.slots.push_back(slot);
  return static_cast<int>(parts_.slots.size()) - 1;
}

View Builder::temporary(const ir::TensorType& type) {
  const int slot = add_slot({.kind = Slot::Kind::kTemporary});
  live_ranges_[slot] = {
      .size_bytes = type.size_bytes(), .first = std::numeric_limits<int>::max(), .last = -1};
  return view_of(slot, type);
}

void Builder::add_step(std::unique_ptr<Step> step, const std::vector<int>& slots) {
  const int number = static_cast<int>(parts_.steps.size());
  for (const int slot : slots) {
    const auto life = live_ranges_.find(slot);
    if (life == live_ranges_.end()) continue;
    life->second.first = std::min(life->second.first, number);
    life->second.last = number;
  }
  parts_.steps.push_back(std::move(step));
}

/// Temporaries that are not needed at the same time share memory.
void Builder::place_temporaries() {
  std::vector<int> slots;
  std::vector<LiveRange> live_ranges;
  for (const auto& [slot, life] : live_ranges_) {
    if (life.last < 0) continue;  // no step uses it
    slots.push_back(slot);
    live_ranges.push_back(life);
  }
  parts_.temporary_bytes = assign_buffers(live_ranges);
  for (std::size_t i = 0; i < slots.size(); ++i)
    parts_.slots[static_cast<std::size_t>(slots[i])].offset_bytes = live_ranges[i].offset;
}

View Builder::constant(ir::Literal literal) {
  parts_.constants.push_back(std::move(literal));
  return view_of(add_slot({.kind = Slot::Kind::kConstant, .index = parts_.constants.size() - 1}),
                 parts_.constants.back().type());
}

View& Builder::place(ir::Value value) {
  const auto found = output_of_.find(value);
  if (found == output_of_.end()) return views_[value] = temporary(value.type());
  const int slot = add_slot({.kind = Slot::Kind::kOutput, .index = found->second});
  output_slots_[found->second] = slot;
  return views_[value] = view_of(slot, value.type());
}

const View& Builder::view(ir::Value value) {
  if (in_group_.contains(value)) flush();
  return views_.at(value);
}

View Builder::row_major(ir::Value value) {
  const View& from = view(value);
  if (from.is_row_major()) return from;
  const View copy = temporary(value.type());
  add_copy(from, copy);
  return copy;
}

void Builder::count_uses(const ir::Block& block) {
  for (const auto& op : block.ops()) {
    for (const ir::Value& operand : op->operands()) ++num_uses_[operand];
    for (const ir::Value& value : transform::captured_values(*op)) ++num_uses_[value];
  }
  for (const ir::Value& result : block.results()) ++num_uses_[result];
}

/// Results that a step may write in place: made by an op, returned once.
void Builder::choose_outputs(const ir::Block& body) {
  output_slots_.assign(body.results().size(), -1);
  for (std::size_t i = 0; i < body.results().size(); ++i) output_of_.try_emplace(body.results()[i], i);
}

void Builder::add_elementwise(const ir::Op& op, ElementwiseKernel kernel) {
  constexpr std::size_t kMaxGroup = 48;  // bounds registers and places
  const Dims& dims = op.result().dims();
  if (!group_.empty() && (group_[0].op->result().dims() != dims || group_.size() == kMaxGroup)) flush();
  for (const ir::Value& operand : op.operands())
    if (in_group_.contains(operand) && operand.dims() != dims) flush();  // a scalar predicate
  group_.push_back({&op, kernel});
  in_group_.insert(op.result());
}

/// Returns the inputs of the open group, each once; `input_of` gets their numbers.
std::vector<View> Builder::group_inputs(std::unordered_map<ir::Value, int, ir::ValueHash>& input_of) {
  const Dims& dims = group_[0].op->result().dims();
  std::vector<View> inputs;
  for (const Pending& pending : group_) {
    for (const ir::Value& operand : pending.op->operands()) {
      if (in_group_.contains(operand) ||
          !input_of.try_emplace(operand, static_cast<int>(inputs.size())).second)
        continue;
      View input = views_.at(operand);
      if (input.dims != dims) {  // a scalar beside tensors
        input.dims = dims;
        input.strides.assign(dims.size(), 0);
      }
      inputs.push_back(std::move(input));
    }
  }
  return inputs;
}

void Builder::flush() {
  if (group_.empty()) return;
  std::unordered_map<ir::Value, int, ir::ValueHash> uses_inside;
  for (const Pending& pending : group_)
    for (const ir::Value& operand : pending.op->operands())
      if (in_group_.contains(operand)) ++uses_inside[operand];
  std::unordered_map<ir::Value, int, ir::ValueHash> input_of, output_of, register_of;
  const std::vector<View> inputs = group_inputs(input_of);
  std::vector<View> outputs;
  int num_registers = 0;
  std::vector<int> free_registers;
  std::vector<Instructions::Instruction> list;
  for (const Pending& pending : group_) {
    Instructions::Instruction instruction{.kernel = pending.kernel};
    for (const ir::Value& operand : pending.op->operands()) {
      if (!in_group_.contains(operand))
        instruction.operands.push_back({false, input_of.at(operand)});
      else if (register_of.contains(operand))
        instruction.operands.push_back({true, register_of.at(operand)});
      else
        instruction.operands.push_back({false, static_cast<int>(inputs.size()) + output_of.at(operand)});
    }
    const ir::Value result = pending.op->result();
    if (num_uses_[result] == 0) num_uses_[result] = 1;
    if (uses_inside[result] < num_uses_[result]) {
      output_of[result] = static_cast<int>(outputs.size());
      instruction.result = {false, static_cast<int>(inputs.size() + outputs.size())};
      outputs.push_back(place(result));
    } else {
      int index = num_registers;
      if (free_registers.empty())
        ++num_registers;
      else
        index = free_registers.back(), free_registers.pop_back();
      register_of[result] = index;
      instruction.result = {true, index};
    }
    list.push_back(std::move(instruction));
    // After the result has its register: it may not be an operand's.
    for (const ir::Value& operand : pending.op->operands())
      if (register_of.contains(operand) && --uses_inside[operand] == 0)
        free_registers.push_back(register_of.at(operand));
  }
  std::vector<int> slots;
  append_slots(inputs, slots);
  append_slots(outputs, slots);
  add_step(make_elementwise_step(inputs, outputs, Instructions(std::move(list), num_registers)), slots);
  group_.clear();
  in_group_.clear();
}

void Builder::add_group_kernel(const ir::Op& op) {
  std::vector<View> operands;
  for (const ir::Value& operand : op.operands()) operands.push_back(row_major(operand));
  std::vector<int> results;
  for (const ir::Value& result : op.results()) results.push_back(place(result).slot);
  constexpr std::size_t kKernelBytes = 64 * 1024;  // a library's generated code
  const std::shared_ptr<GroupKernel> kernel = make_group_kernel(op, target_, num_threads_);
  kernel->build();
  parts_.kernel_bytes += kKernelBytes;
  needs_function_ = true;
  const int scratch = temporary({ir::DType::kU8, {static_cast<std::int64_t>(kernel->scratch_bytes())}}).slot;
  auto step = make_step([=](const Run& run) {
    const std::byte* from[kMaxKernelTensors];
    std::byte* to[kMaxKernelTensors];
    for (std::size_t i = 0; i < operands.size(); ++i)
      from[i] = run.slots[operands[i].slot] +
                operands[i].offset * static_cast<std::int64_t>(operands[i].element_bytes);
    for (std::size_t i = 0; i < results.size(); ++i) to[i] = run.slots[results[i]];
    kernel->run({{from, operands.size()}, {to, results.size()}, run.slots[scratch]}, *run.pool);
  });
  std::vector<int> used = results;
  used.push_back(scratch);
  append_slots(operands, used);
  add_step(std::move(step), used);
}

void Builder::add_reference(const ir::Op& op) {
  ++parts_.num_reference_ops;
  needs_function_ = true;
  struct Source {
    ir::Value value;
    View view;
  };
  std::vector<Source> operands, captured;
  for (const ir::Value& operand : op.operands()) operands.push_back({operand, row_major(operand)});
  for (const ir::Value& value : transform::captured_values(op)) captured.push_back({value, row_major(value)});
  std::vector<int> slots;
  for (const ir::Value& result : op.results()) slots.push_back(place(result).slot);
  auto step = make_step([=, &op, keep = parts_.function](const Run& run) {
    const auto read = [&](const Source& source) {
      ir::Literal literal(source.value.type());
      const std::byte* const from = run.slots[source.view.slot] +
                                    source.view.offset * static_cast<std::int64_t>(source.view.element_bytes);
      if (!literal.bytes().empty()) std::memcpy(literal.mutable_bytes().data(), from, literal.bytes().size());
      return literal;
    };
    std::vector<ir::Literal> arguments;
    arguments.reserve(operands.size());
    for (const Source& source : operands) arguments.push_back(read(source));
    transform::Environment environment;
    for (const Source& source : captured) environment.emplace(source.value, read(source));
    const std::vector<ir::Literal> results = transform::evaluate_op(op, arguments, environment);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!results[i].bytes().empty())
        std::memcpy(run.slots[slots[i]], results[i].bytes().data(), results[i].bytes().size());
  });
  std::vector<int> used = slots;
  for (const std::vector<Source>* sources : {&operands, &captured})
    for (const Source& source : *sources) used.push_back(source.view.slot);
  add_step(std::move(step), used);
}

View Builder::as_int64(ir::Value value) {
  View x = row_major(value);
  if (value.dtype() == ir::DType::kI64) return x;
  const View wide = temporary({ir::DType::kI64, value.dims()});
  if (value.dtype() != ir::DType::kU64) {
    add_kernel(kernels_.convert(value.dtype(), ir::DType::kI64), {x}, wide);
    return wide;
  }
  add_step(make_step([x, wide](const Run& run) {
             const std::byte* const from = run.slots[x.slot] + x.offset * 8;
             for (std::int64_t i = 0; i < x.num_elements(); ++i) {
               std::uint64_t number = 0;
               std::memcpy(&number, from + i * 8, 8);
               number = std::min<std::uint64_t>(number, INT64_MAX);  // beyond i64 is large, not negative
               std::memcpy(run.slots[wide.slot] + i * 8, &number, 8);
             }
           }),
           {x.slot, wide.slot});
  return wide;
}

void Builder::add_kernel(ElementwiseKernel kernel, const std::vector<View>& inputs, const View& output) {
  Instructions::Instruction instruction{.kernel = kernel, .result = {false, static_cast<int>(inputs.size())}};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    instruction.operands.push_back({false, static_cast<int>(i)});
  std::vector<int> slots = {output.slot};
  append_slots(inputs, slots);
  add_step(make_elementwise_step(inputs, {output}, Instructions({std::move(instruction)}, 0)), slots);
}

void Builder::add_op(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  if (row == nullptr) return add_reference(op);
  if (row->eager != nullptr && row->eager(*this, op)) return;
  if (const ElementwiseKernel kernel = kernels_.elementwise(op)) {
    for (const ir::Value& operand : op.operands())
      if (operand.dims() != op.result().dims() && in_group_.contains(operand)) flush();
    return add_elementwise(op, kernel);
  }
  if (has_group_kernel(op)) return add_group_kernel(op);
  add_reference(op);
}

}  // namespace cornu::inline v0::backends::cpu::eager
