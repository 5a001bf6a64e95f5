#include "cornu/backends/cpu/elements/instructions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu::elements {
namespace {

constexpr std::size_t kRegisterBytes = 32 * 1024;  // all registers together
constexpr std::int64_t kMaxBlock = 512;

}  // namespace

Instructions::Instructions(std::vector<Instruction> list, int num_registers) : list_(std::move(list)) {
  if (num_registers == 0 && list_.size() == 1) return;
  constexpr std::int64_t kUnit = 8;  // elements; keeps registers aligned
  const auto fits = static_cast<std::int64_t>(kRegisterBytes / sizeof(double)) / std::max(num_registers, 1);
  block_ = std::min(kMaxBlock, fits / kUnit * kUnit);
  CORNU_CHECK(block_ > 0, "{} registers", num_registers);
}

void Instructions::run(std::int64_t n, const std::byte* const* bases, const std::int64_t* strides,
                       const std::int64_t* element_bytes) const {
  constexpr std::size_t kMaxOperands = 3;
  const std::byte* in[kMaxOperands];
  std::int64_t in_strides[kMaxOperands];
  if (block_ == 0) {
    const Instruction& only = list_[0];
    for (std::size_t k = 0; k < only.operands.size(); ++k) {
      const auto place = static_cast<std::size_t>(only.operands[k].index);
      in[k] = bases[place];
      in_strides[k] = strides[place];
    }
    only.kernel(n, in, in_strides, const_cast<std::byte*>(bases[only.result.index]));
    return;
  }
  alignas(64) std::array<std::byte, kRegisterBytes> registers;
  const auto register_address = [&](int index) {
    return registers.data() + static_cast<std::int64_t>(sizeof(double)) * block_ * index;
  };
  for (std::int64_t begin = 0; begin < n; begin += block_) {
    const std::int64_t count = std::min(block_, n - begin);
    const auto address = [&](int place) {
      const auto p = static_cast<std::size_t>(place);
      return bases[p] + begin * strides[p] * element_bytes[p];
    };
    for (const Instruction& instruction : list_) {
      for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
        const Operand& operand = instruction.operands[k];
        in[k] = operand.is_register ? register_address(operand.index) : address(operand.index);
        in_strides[k] = operand.is_register ? 1 : strides[operand.index];
      }
      const Operand& result = instruction.result;
      instruction.kernel(count, in, in_strides,
                         result.is_register ? register_address(result.index)
                                            : const_cast<std::byte*>(address(result.index)));
    }
  }
}

}  // namespace cornu::inline v0::backends::cpu::elements
