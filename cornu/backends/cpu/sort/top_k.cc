#include <algorithm>
#include <cstring>
#include <vector>

#include "cornu/backends/cpu/sort/sort.h"
#include "cornu/backends/cpu/sort/words.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// The order of chlo.top_k: descending, floats in total order.
SortOrder descending() { return {.key = 0, .before = SortOrder::kGreater, .is_total = true}; }

/// The first k elements of each line in descending order, and their positions.
class TopKKernel final : public GroupKernel {
 public:
  TopKKernel(const ir::Op& op, int num_threads)
      : form_(*key_form(op.operand(0).dtype(), descending())),
        extent_(op.operand(0).dims().back()),
        k_(op.result(0).dims().back()),
        element_bytes_(ir::size_bytes(op.operand(0).dtype())) {
    constexpr std::int64_t kElementsPerSlice = 8192;
    num_lines_ = k_ == 0 ? 0 : op.result(0).type().num_elements() / k_;
    num_slices_ = std::clamp<std::int64_t>(num_lines_ * extent_ / kElementsPerSlice, 1,
                                           std::min(kMaxKernelSlices, std::max<std::int64_t>(num_lines_, 1)));
    const std::size_t word = element_bytes_ == 8 ? sizeof(WideWord) : sizeof(Word);
    slot_bytes_ = whole_lines(2 * static_cast<std::size_t>(extent_) * word);
    scratch_bytes_ = slot_bytes_ * static_cast<std::size_t>(num_slots(num_slices_, num_threads));
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    ScratchSlots slots(memory.scratch, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t end = (slice + 1) * num_lines_ / num_slices_;
      for (std::int64_t line = slice * num_lines_ / num_slices_; line < end; ++line) switch (element_bytes_) {
          case 1: find<std::uint8_t, Word>(memory, line, lease.data()); break;
          case 2: find<std::uint16_t, Word>(memory, line, lease.data()); break;
          case 4: find<std::uint32_t, Word>(memory, line, lease.data()); break;
          default: find<std::uint64_t, WideWord>(memory, line, lease.data());
        }
    });
  }

 private:
  static Word word_of(std::uint64_t key, std::int64_t i, Word) { return key << 32 | static_cast<Word>(i); }
  static WideWord word_of(std::uint64_t key, std::int64_t i, WideWord) {
    return {key, static_cast<std::uint32_t>(i)};
  }
  static std::int64_t number_of(Word word) { return static_cast<std::int64_t>(word & 0xffffffff); }
  static std::int64_t number_of(const WideWord& word) { return word.number; }

  template <typename Bits, typename W>
  void find(const KernelMemory& memory, std::int64_t line, std::byte* scratch) const {
    constexpr std::int64_t kFew = 32;
    const Bits* const from = reinterpret_cast<const Bits*>(memory.operands[0]) + line * extent_;
    auto* const words = reinterpret_cast<W*>(scratch);
    const W* best = words;
    if (k_ <= kFew)
      insert_best<Bits>(from, words);
    else
      best = select_best<Bits>(from, words);
    Bits* const values = reinterpret_cast<Bits*>(memory.results[0]) + line * k_;
    auto* const positions = reinterpret_cast<std::int32_t*>(memory.results[1]) + line * k_;
    for (std::int64_t i = 0; i < k_; ++i) {
      const std::int64_t at = number_of(best[i]);
      values[i] = from[at];
      positions[i] = static_cast<std::int32_t>(at);
    }
  }

  /// Few elements: keeps the best so far in order. Most elements are not among them.
  template <typename Bits, typename W>
  void insert_best(const Bits* from, W* best) const {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < extent_; ++i) {
      const W word = word_of(ordered_key(from[i], form_), i, W());
      if (count == k_ && !(word < best[k_ - 1])) continue;
      std::int64_t at = count < k_ ? count++ : k_ - 1;
      for (; at > 0 && word < best[at - 1]; --at) best[at] = best[at - 1];
      best[at] = word;
    }
  }

  template <typename Bits, typename W>
  const W* select_best(const Bits* from, W* words) const {
    for (std::int64_t i = 0; i < extent_; ++i) words[i] = word_of(ordered_key(from[i], form_), i, W());
    if (k_ < extent_) std::nth_element(words, words + k_, words + extent_);
    std::sort(words, words + k_);
    return words;
  }

  KeyForm form_;
  std::int64_t extent_ = 0, k_ = 0, num_lines_ = 0;
  std::size_t element_bytes_ = 0, slot_bytes_ = 0;
};

}  // namespace

bool has_top_k_kernel(const ir::Op& op) {
  return op.operand(0).dims().back() < (std::int64_t{1} << 31) &&
         key_form(op.operand(0).dtype(), descending());
}

std::unique_ptr<GroupKernel> make_top_k_kernel(const ir::Op& op, const Target&, int num_threads) {
  return std::make_unique<TopKKernel>(op, num_threads);
}

}  // namespace cornu::inline v0::backends::cpu
