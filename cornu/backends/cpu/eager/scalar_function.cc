#include "cornu/backends/cpu/eager/scalar_function.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::eager {
namespace {

constexpr std::size_t kMaxPlaces = 96;

}  // namespace

ElementwiseKernel find_elementwise_kernel(const ir::Op& op, const KernelSet& kernels) {
  if (op.results().size() != 1) return nullptr;
  const std::string_view name = op.name();
  if (name == "compare") return kernels.compare(op.attributes().get<std::string>("comparison_direction"), op.operand(0).dtype());
  if (name == "convert") return kernels.convert(op.operand(0).dtype(), op.result().dtype());
  if (name == "select") return kernels.select(op.result().dtype());
  if (name == "clamp") return kernels.clamp(op.result().dtype());
  if (!op.def().elementwise || op.operands().empty() || op.operands().size() > 2) return nullptr;
  return kernels.elementwise(name, op.operand(0).dtype());
}

std::shared_ptr<const ScalarFunction> ScalarFunction::make(const ir::Block& block, const KernelSet& kernels) {
  constexpr std::size_t kMaxOps = 64;
  if (block.ops().size() > kMaxOps) return nullptr;
  auto function = std::make_shared<ScalarFunction>();
  function->num_operands_ = block.arguments().size();
  function->num_results_ = block.results().size();
  std::unordered_map<ir::Value, Instructions::Operand, ir::ValueHash> where;
  const auto add_place = [&](const ir::TensorType& type, std::int64_t stride) {
    function->strides_.push_back(stride);
    function->element_bytes_.push_back(static_cast<std::int64_t>(ir::size_bytes(type.dtype)));
    return Instructions::Operand{false, static_cast<int>(function->strides_.size()) - 1};
  };
  for (const ir::Value& argument : block.arguments()) {
    if (argument.rank() != 0) return nullptr;
    where[argument] = add_place(argument.type(), 1);
  }
  for (const auto& op : block.ops()) {
    if (op->name() != "constant") continue;
    function->constants_.push_back(op->attributes().get<ir::Literal>("value"));
    where[op->result()] = add_place(op->result().type(), 0);
  }
  std::vector<Instructions::Instruction> list;
  int num_registers = 0;
  for (const auto& op : block.ops()) {
    if (op->name() == "constant") continue;
    Instructions::Instruction instruction{.kernel = find_elementwise_kernel(*op, kernels)};
    if (instruction.kernel == nullptr || op->result().rank() != 0) return nullptr;
    for (const ir::Value& operand : op->operands()) {
      const auto found = where.find(operand);
      if (found == where.end()) return nullptr;
      instruction.operands.push_back(found->second);
    }
    instruction.result = where[op->result()] = {true, num_registers++};
    list.push_back(std::move(instruction));
  }
  // Results are copied out of where they are: by bits, which is what `select` does.
  ir::Literal always(ir::TensorType{ir::DType::kI1, {}});
  always.mutable_data<bool>()[0] = true;
  function->constants_.push_back(always);
  const Instructions::Operand yes = add_place(always.type(), 0);
  for (const ir::Value& result : block.results()) {
    const auto found = where.find(result);
    if (found == where.end()) return nullptr;
    list.push_back(
        {.kernel = kernels.select(result.dtype()), .operands = {yes, found->second, found->second}, .result = add_place(result.type(), 1)});
  }
  if (function->strides_.size() > kMaxPlaces) return nullptr;
  function->instructions_ = Instructions(std::move(list), num_registers);
  return function;
}

void ScalarFunction::run(std::int64_t n, const std::byte* const* operands, std::int64_t stride, std::byte* const* results) const {
  const std::byte* bases[kMaxPlaces];
  std::int64_t strides[kMaxPlaces];
  std::copy(strides_.begin(), strides_.end(), strides);
  std::fill_n(strides, num_operands_, stride);
  std::size_t next = 0;
  for (std::size_t i = 0; i < num_operands_; ++i) bases[next++] = operands[i];
  for (const ir::Literal& constant : constants_) bases[next++] = constant.bytes().data();
  for (std::size_t i = 0; i < num_results_; ++i) bases[next++] = results[i];
  instructions_.run(n, bases, strides, element_bytes_.data());
}

void FoldingReduce::run(const Run& run) const {
  const std::size_t count = values.size();
  std::vector<std::byte*> now(count), other(count), out(count);
  std::vector<const std::byte*> operands(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    now[i] = run.slots[values[i]];
    other[i] = run.slots[scratch[i]];
  }
  const auto row_bytes = [&](std::size_t i) { return static_cast<std::int64_t>(element_bytes[i]) * num_kept; };
  std::int64_t left = num_reduced;
  while (left > 1) {
    // Neighbours, in order: the body need not be commutative.
    const std::int64_t half = left / 2;
    const bool all_at_once = num_kept == 1;
    for (std::int64_t pair = 0; pair < (all_at_once ? 1 : half); ++pair) {
      for (std::size_t i = 0; i < count; ++i) {
        operands[i] = now[i] + 2 * pair * row_bytes(i);
        operands[count + i] = operands[i] + row_bytes(i);
        out[i] = other[i] + pair * row_bytes(i);
      }
      body->run(all_at_once ? half : num_kept, operands.data(), all_at_once ? 2 : 1, out.data());
    }
    if (left % 2 != 0)
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(other[i] + half * row_bytes(i), now[i] + (left - 1) * row_bytes(i), static_cast<std::size_t>(row_bytes(i)));
    std::swap(now, other);
    left = half + left % 2;
  }
  // The initial values come first.
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = run.slots[results[i]];
    const std::byte* const init = run.slots[inits[i]] + init_offsets[i];
    std::byte* const to = left == 0 ? out[i] : other[i];
    for (std::int64_t k = 0; k < num_kept; ++k) std::memcpy(to + k * static_cast<std::int64_t>(element_bytes[i]), init, element_bytes[i]);
    operands[i] = other[i];
    operands[count + i] = now[i];
  }
  if (left > 0) body->run(num_kept, operands.data(), 1, out.data());
}

}  // namespace cornu::inline v0::backends::cpu::eager
