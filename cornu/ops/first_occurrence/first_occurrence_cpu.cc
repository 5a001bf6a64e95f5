#include <bit>
#include <cstring>

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu::first_occurrence_folder {
namespace {

/// A hash table of positions, at most half full, with linear probing.
template <typename Id>
class FirstOccurrenceKernel final : public GroupKernel {
 public:
  explicit FirstOccurrenceKernel(const ir::Op& op) : count_(op.operand(0).dims()[0]) {
    table_size_ = std::bit_ceil(static_cast<std::uint64_t>(count_) * 2 + 1);
    scratch_bytes_ = static_cast<std::size_t>(table_size_) * sizeof(std::int32_t);
  }

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const auto* const ids = reinterpret_cast<const Id*>(memory.operands[0]);
    auto* const result = reinterpret_cast<Id*>(memory.results[0]);
    auto* const table = reinterpret_cast<std::int32_t*>(memory.scratch);
    std::memset(table, 0xFF, scratch_bytes_);
    const int shift = 64 - std::countr_zero(table_size_);
    // Fibonacci hashing: neighbouring ids go to places far apart.
    const auto entry_of = [&](Id id) {
      return static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15U >> shift;
    };
    constexpr std::int64_t kAhead = 16;
    for (std::int64_t i = 0; i < count_; ++i) {
      if (i + kAhead < count_) __builtin_prefetch(table + entry_of(ids[i + kAhead]), 1);
      std::uint64_t at = entry_of(ids[i]);
      while (table[at] >= 0 && ids[table[at]] != ids[i]) at = (at + 1) & (table_size_ - 1);
      if (table[at] < 0) table[at] = static_cast<std::int32_t>(i);
      result[i] = static_cast<Id>(table[at]);
    }
  }

 private:
  std::int64_t count_;
  std::uint64_t table_size_ = 0;
};

std::unique_ptr<GroupKernel> make(const ir::Op& op, const Target&, int) {
  if (op.operand(0).dtype() == ir::DType::kI32)
    return std::make_unique<FirstOccurrenceKernel<std::int32_t>>(op);
  return std::make_unique<FirstOccurrenceKernel<std::int64_t>>(op);
}

bool serves(const ir::Op& op) { return op.operand(0).dims()[0] < std::int64_t{1} << 30; }

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.first_occurrence",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make, .serves = serves}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::first_occurrence_folder
