#include "cornu/backends/cpu/eager/folding_reduce.h"

#include <cstring>
#include <utility>

namespace cornu::inline v0::backends::cpu::eager {

void FoldingReduce::run(const Run& run) const {
  const std::size_t count = values.size();
  std::vector<std::byte*> now(count), other(count), out(count);
  std::vector<const std::byte*> operands(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    now[i] = run.slots[values[i]];
    other[i] = run.slots[scratch[i]];
  }
  const auto row_bytes = [&](std::size_t i) {
    return static_cast<std::int64_t>(element_bytes[i]) * num_kept;
  };
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
        std::memcpy(other[i] + half * row_bytes(i), now[i] + (left - 1) * row_bytes(i),
                    static_cast<std::size_t>(row_bytes(i)));
    std::swap(now, other);
    left = half + left % 2;
  }
  // The initial values come first.
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = run.slots[results[i]];
    const std::byte* const init = run.slots[inits[i]] + init_offsets[i];
    std::byte* const to = left == 0 ? out[i] : other[i];
    for (std::int64_t k = 0; k < num_kept; ++k)
      std::memcpy(to + k * static_cast<std::int64_t>(element_bytes[i]), init, element_bytes[i]);
    operands[i] = other[i];
    operands[count + i] = now[i];
  }
  if (left > 0) body->run(num_kept, operands.data(), 1, out.data());
}

}  // namespace cornu::inline v0::backends::cpu::eager
