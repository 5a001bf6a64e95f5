#include "cornu/backends/cpu/elements/scalar_function.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu::elements {
namespace {

constexpr std::size_t kMaxPlaces = 96;

}  // namespace

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
    if (!ops::is_constant(op->result(0))) continue;
    function->constants_.push_back(op->attributes().get<ir::Literal>("value"));
    where[op->result()] = add_place(op->result().type(), 0);
  }
  std::vector<Instructions::Instruction> list;
  int num_registers = 0;
  for (const auto& op : block.ops()) {
    if (ops::is_constant(op->result(0))) continue;
    Instructions::Instruction instruction{.kernel = kernels.elementwise(*op)};
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
    list.push_back({.kernel = kernels.select(result.dtype()),
                    .operands = {yes, found->second, found->second},
                    .result = add_place(result.type(), 1)});
  }
  if (function->strides_.size() > kMaxPlaces) return nullptr;
  function->instructions_ = Instructions(std::move(list), num_registers);
  return function;
}

void ScalarFunction::run(std::int64_t n, const std::byte* const* operands, std::int64_t stride,
                         std::byte* const* results) const {
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

}  // namespace cornu::inline v0::backends::cpu::elements
