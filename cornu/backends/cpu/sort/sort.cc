#include "cornu/backends/cpu/sort/sort.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/backends/cpu/elements/scalar_function.h"
#include "cornu/backends/cpu/sort/sort_order.h"
#include "cornu/backends/cpu/sort/words.h"
#include "cornu/base/check.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using Position = std::uint32_t;  // in a line

/// Common part of all kernels: the lines to sort, and writing the results in the order that was found.
class SortKernel : public GroupKernel {
 public:
  SortKernel(const ir::Op& op, int num_threads) {
    const ir::Dims& dims = op.operand(0).dims();
    auto dimension = op.attributes().get<std::int64_t>("dimension");
    if (dimension < 0) dimension += op.operand(0).rank();
    extent_ = dims[static_cast<std::size_t>(dimension)];
    stride_ = ir::row_major_strides(dims)[static_cast<std::size_t>(dimension)];
    num_lines_ = extent_ == 0 ? 0 : op.operand(0).type().num_elements() / extent_;
    if (extent_ >= (std::int64_t{1} << 32))
      fail(ErrorCode::kUnimplemented, "[sort] a line of {} elements: at most 2^32 - 1 are supported",
           extent_);
    for (const ir::Value& operand : op.operands()) element_bytes_.push_back(ir::size_bytes(operand.dtype()));
    constexpr std::int64_t kElementsPerSlice = 4096;
    const std::int64_t least = kElementsPerSlice / std::max<std::int64_t>(extent_, 1) + 1;
    chunk_ = std::max(least, (num_lines_ + kMaxKernelSlices - 1) / kMaxKernelSlices);
    num_slices_ = (num_lines_ + chunk_ - 1) / chunk_;
    num_slots_ = num_slots(num_slices_, num_threads);
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    ScratchSlots slots(memory.scratch, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      auto* const order = reinterpret_cast<Position*>(lease.data());
      const std::int64_t end = std::min(num_lines_, (slice + 1) * chunk_);
      for (std::int64_t line = slice * chunk_; line < end; ++line) {
        const std::int64_t first = line / stride_ * stride_ * extent_ + line % stride_;
        find_order(memory, first, order,
                   lease.data() + whole_lines(static_cast<std::size_t>(extent_) * sizeof(Position)));
        for (std::size_t i = 0; i < element_bytes_.size(); ++i)
          permute(memory.operands[i], memory.results[i], i, first, order);
      }
    });
  }

 protected:
  /// Writes to order[i] the position of the i-th element in order, in the line at `first`.
  virtual void find_order(const KernelMemory& memory, std::int64_t first, Position* order,
                          std::byte* scratch) const = 0;

  /// Sets the scratch memory: `more` bytes for find_order, in addition to the order.
  void set_scratch(std::size_t more) {
    slot_bytes_ = whole_lines(static_cast<std::size_t>(extent_) * sizeof(Position)) + whole_lines(more);
    scratch_bytes_ = slot_bytes_ * static_cast<std::size_t>(num_slots_);
  }

  std::int64_t extent_ = 0, stride_ = 1;
  std::vector<std::size_t> element_bytes_;

 private:
  template <typename Bits>
  void permute_as(const std::byte* from, std::byte* to, std::int64_t first, const Position* order) const {
    const Bits* const source = reinterpret_cast<const Bits*>(from) + first;
    Bits* const target = reinterpret_cast<Bits*>(to) + first;
    for (std::int64_t i = 0; i < extent_; ++i)
      target[i * stride_] = source[static_cast<std::int64_t>(order[i]) * stride_];
  }

  void permute(const std::byte* from, std::byte* to, std::size_t operand, std::int64_t first,
               const Position* order) const {
    switch (element_bytes_[operand]) {
      case 1: return permute_as<std::uint8_t>(from, to, first, order);
      case 2: return permute_as<std::uint16_t>(from, to, first, order);
      case 4: return permute_as<std::uint32_t>(from, to, first, order);
      default: return permute_as<std::uint64_t>(from, to, first, order);
    }
  }

  std::int64_t num_lines_ = 0, chunk_ = 1, num_slots_ = 1;
  std::size_t slot_bytes_ = 0;
};

/// Merges adjacent runs of 1, 2, 4, ... elements; the right run's element is taken only if it comes before.
/// Returns the location of the result.
template <typename Element, typename Before>
Element* merge_sort(Element* from, Element* to, std::int64_t count, const Before& before) {
  for (std::int64_t width = 1; width < count; width *= 2) {
    for (std::int64_t first = 0; first < count; first += 2 * width) {
      const std::int64_t middle = std::min(first + width, count), end = std::min(first + 2 * width, count);
      const Element *left = from + first, *right = from + middle;
      const Element *const left_end = right, *const right_end = from + end;
      Element* at = to + first;
      // Branch-free, since the comparison is unpredictable.
      while (left < left_end && right < right_end) {
        const auto take_right = static_cast<std::ptrdiff_t>(before(*right, *left));
        const Element* const taken = left + (right - left) * take_right;
        *at++ = *taken;
        right += take_right;
        left += 1 - take_right;
      }
      at = std::copy(left, left_end, at);
      std::copy(right, right_end, at);
    }
    std::swap(from, to);
  }
  return from;
}

/// Sorts by any comparator of elementwise ops, two elements at a time.
class ComparatorSort final : public SortKernel {
 public:
  ComparatorSort(const ir::Op& op, std::shared_ptr<const elements::ScalarFunction> comparator,
                 int num_threads)
      : SortKernel(op, num_threads), comparator_(std::move(comparator)) {
    set_scratch(static_cast<std::size_t>(extent_) * 2 * sizeof(Position));
  }

  void find_order(const KernelMemory& memory, std::int64_t first, Position* order,
                  std::byte* scratch) const override {
    auto* const line = reinterpret_cast<Position*>(scratch);
    for (std::int64_t i = 0; i < extent_; ++i) line[i] = static_cast<Position>(i);
    std::array<const std::byte*, 2 * kMaxKernelTensors> elements;
    const auto before = [&](Position x, Position y) {
      for (std::size_t i = 0; i < element_bytes_.size(); ++i) {
        const auto at = [&](Position p) {
          return memory.operands[i] +
                 static_cast<std::size_t>(first + static_cast<std::int64_t>(p) * stride_) * element_bytes_[i];
        };
        elements[2 * i] = at(x);
        elements[2 * i + 1] = at(y);
      }
      std::byte result{0};
      std::byte* const out = &result;
      comparator_->run(1, elements.data(), 1, &out);
      return result != std::byte{0};
    };
    std::copy_n(merge_sort(line, line + extent_, extent_, before), extent_, order);
  }

 private:
  std::shared_ptr<const elements::ScalarFunction> comparator_;
};

/// Reads `count` keys of elements `step` bytes apart, at the positions `order` if it is not null, as words with
/// ascending numbers. False if one of them is a NaN that has no key.
template <typename Bits, typename W>
bool read_keys(const std::byte* from, std::size_t step, std::int64_t count, const Position* order,
               const KeyForm& form, W* words) {
  bool has_nan = false;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = order == nullptr ? static_cast<std::size_t>(i) : order[i];
    const Bits bits = *reinterpret_cast<const Bits*>(from + at * step), key = ordered_key(bits, form);
    has_nan |= is_nan_key(bits, form);
    if constexpr (std::is_same_v<W, Word>)
      words[i] = Word{key} << 32 | static_cast<Word>(i);
    else
      words[i] = {key, static_cast<Position>(i)};
  }
  return !(has_nan && form.excludes_nan);
}

/// Sorts by keys, as integers: by the last one first. Lines with NaN that the comparator puts in no order are sorted by
/// the comparator.
class WordSort final : public SortKernel {
 public:
  WordSort(const ir::Op& op, std::span<const SortOrder> orders, const Target& target, int num_threads)
      : SortKernel(op, num_threads),
        comparator_(op, elements::ScalarFunction::make(op.region(0), elements::kernel_set(target.isa)),
                    num_threads) {
    bool is_wide = false;
    for (const SortOrder& order : orders) {
      keys_.push_back({order.key, *key_form(op.operand(order.key).dtype(), order)});
      is_wide = is_wide || element_bytes_[order.key] == 8;
    }
    words_bytes_ =
        whole_lines(static_cast<std::size_t>(extent_) * (is_wide ? sizeof(WideWord) : sizeof(Word)));
    set_scratch(2 * words_bytes_ + static_cast<std::size_t>(extent_) * sizeof(Position));
  }

 private:
  struct Key {
    std::size_t operand = 0;
    KeyForm form;
  };

  void find_order(const KernelMemory& memory, std::int64_t first, Position* order,
                  std::byte* scratch) const override {
    for (std::size_t k = keys_.size(); k > 0; --k) {
      const Key& key = keys_[k - 1];
      const std::size_t size = element_bytes_[key.operand];
      const std::byte* const from = memory.operands[key.operand] + static_cast<std::size_t>(first) * size;
      const bool is_first = k == keys_.size();
      bool is_done = false;
      switch (size) {
        case 1: is_done = order_by<std::uint8_t, Word>(from, key.form, is_first, order, scratch); break;
        case 2: is_done = order_by<std::uint16_t, Word>(from, key.form, is_first, order, scratch); break;
        case 4: is_done = order_by<std::uint32_t, Word>(from, key.form, is_first, order, scratch); break;
        default: is_done = order_by<std::uint64_t, WideWord>(from, key.form, is_first, order, scratch);
      }
      if (!is_done) return comparator_.find_order(memory, first, order, scratch);
    }
  }

  /// Sorts the positions in `order`, or all, by one key; false if a NaN has none.
  template <typename Bits, typename W>
  bool order_by(const std::byte* from, const KeyForm& form, bool is_first, Position* order,
                std::byte* scratch) const {
    auto* const words = reinterpret_cast<W*>(scratch);
    auto* const other = reinterpret_cast<W*>(scratch + words_bytes_);
    auto* const earlier = reinterpret_cast<Position*>(scratch + 2 * words_bytes_);
    if (!read_keys<Bits>(from, static_cast<std::size_t>(stride_) * sizeof(Bits), extent_,
                         is_first ? nullptr : order, form, words))
      return false;
    const W* const sorted = sort_words(words, other, extent_, sizeof(Bits));
    if (!is_first) std::copy_n(order, extent_, earlier);
    for (std::int64_t i = 0; i < extent_; ++i) {
      const Position number = number_of(sorted[i]);
      order[i] = is_first ? number : earlier[number];
    }
    return true;
  }

  static Position number_of(Word word) { return static_cast<Position>(word); }
  static Position number_of(const WideWord& word) { return word.number; }

  ComparatorSort comparator_;
  std::vector<Key> keys_;
  std::size_t words_bytes_ = 0;
};

/// True if the keys are sorted as integers.
bool has_word_order(const ir::Op& op, std::span<const SortOrder> orders) {
  return !orders.empty() && std::all_of(orders.begin(), orders.end(), [&](const SortOrder& order) {
    return key_form(op.operand(order.key).dtype(), order).has_value();
  });
}

}  // namespace

bool has_sort_kernel(const ir::Op& op) {
  if (has_word_order(op, sort_orders(op.region(0)))) return true;
  return transform::captured_values(op).empty() &&
         elements::ScalarFunction::make(op.region(0), elements::kernel_set(IsaLevel::kSse2)) != nullptr;
}

std::unique_ptr<GroupKernel> make_sort_kernel(const ir::Op& op, const Target& target, int num_threads) {
  const std::vector<SortOrder> orders = sort_orders(op.region(0));
  if (has_word_order(op, orders)) return std::make_unique<WordSort>(op, orders, target, num_threads);
  return std::make_unique<ComparatorSort>(
      op, elements::ScalarFunction::make(op.region(0), elements::kernel_set(target.isa)), num_threads);
}

}  // namespace cornu::inline v0::backends::cpu
