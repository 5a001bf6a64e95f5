#include "cornu/backends/cpu/sort/sort.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/backends/cpu/elements/scalar_function.h"
#include "cornu/backends/cpu/sort/sort_order.h"
#include "cornu/backends/cpu/sort/words.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"
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
    chunk_ = std::max(least, divide_up(num_lines_, kMaxKernelSlices));
    num_slices_ = divide_up(num_lines_, chunk_);
    num_slots_ = num_slots(num_slices_, num_threads);
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    if (num_parts_ > 1) return run_in_parts(memory, pool);
    ScratchSlots slots(memory.scratch, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      auto* const order = reinterpret_cast<Position*>(lease.data());
      const std::int64_t end = std::min(num_lines_, (slice + 1) * chunk_);
      for (std::int64_t line = slice * chunk_; line < end; ++line)
        sort_line(memory, line, order, lease.data() + order_bytes(), {});
    });
  }

 protected:
  /// Writes to order[i] the position of the i-th element in order, in the line at `first`. Returns the operand whose
  /// result it has written, too, if any.
  virtual std::optional<std::size_t> find_order(const KernelMemory& memory, std::int64_t first,
                                                Position* order, std::byte* scratch,
                                                const LineParts& parts) const = 0;

  /// Sets the scratch memory: `more` bytes for find_order, in addition to the order.
  void set_scratch(std::size_t more) {
    slot_bytes_ = order_bytes() + whole_lines(more);
    scratch_bytes_ = slot_bytes_ * static_cast<std::size_t>(num_slots_) + parts_bytes();
  }

  /// Sorts long lines one after the other, each in parts, if there are too few of them for the threads.
  void sort_in_parts(int num_threads) {
    constexpr std::int64_t kElementsPerPart = 8192;
    if (num_threads < 2 || num_slices_ >= 2 * num_threads) return;
    num_parts_ = std::clamp<std::int64_t>(extent_ / kElementsPerPart, 1,
                                          std::min<std::int64_t>(2 * num_threads, LineParts::kMost));
    if (num_parts_ > 1) num_slots_ = 1;
  }

  std::int64_t extent_ = 0, stride_ = 1;
  std::vector<std::size_t> element_bytes_;

 private:
  std::size_t order_bytes() const {
    return whole_lines(static_cast<std::size_t>(extent_) * sizeof(Position));
  }
  std::size_t parts_bytes() const {
    return num_parts_ == 1 ? 0 : static_cast<std::size_t>(num_parts_ * LineParts::kBytes);
  }

  void run_in_parts(const KernelMemory& memory, ThreadPool& pool) const {
    auto* const order = reinterpret_cast<Position*>(memory.scratch + parts_bytes());
    const LineParts parts{&pool, num_parts_, reinterpret_cast<std::uint32_t*>(memory.scratch)};
    for (std::int64_t line = 0; line < num_lines_; ++line)
      sort_line(memory, line, order, memory.scratch + parts_bytes() + order_bytes(), parts);
  }

  void sort_line(const KernelMemory& memory, std::int64_t line, Position* order, std::byte* scratch,
                 const LineParts& parts) const {
    const std::int64_t first = line / stride_ * stride_ * extent_ + line % stride_;
    const std::optional<std::size_t> written = find_order(memory, first, order, scratch, parts);
    parts.for_each(extent_, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
      for (std::size_t i = 0; i < element_bytes_.size(); ++i)
        if (i != written) permute(memory.operands[i], memory.results[i], i, {first, begin, end}, order);
    });
  }

  /// Elements [begin, end) of the line at `first`.
  struct Range {
    std::int64_t first = 0, begin = 0, end = 0;
  };

  template <typename Bits>
  void permute_as(const std::byte* from, std::byte* to, const Range& range, const Position* order) const {
    const Bits* const source = reinterpret_cast<const Bits*>(from) + range.first;
    Bits* const target = reinterpret_cast<Bits*>(to) + range.first;
    for (std::int64_t i = range.begin; i < range.end; ++i)
      target[i * stride_] = source[static_cast<std::int64_t>(order[i]) * stride_];
  }

  void permute(const std::byte* from, std::byte* to, std::size_t operand, const Range& range,
               const Position* order) const {
    switch (element_bytes_[operand]) {
      case 1: return permute_as<std::uint8_t>(from, to, range, order);
      case 2: return permute_as<std::uint16_t>(from, to, range, order);
      case 4: return permute_as<std::uint32_t>(from, to, range, order);
      default: return permute_as<std::uint64_t>(from, to, range, order);
    }
  }

  std::int64_t num_lines_ = 0, chunk_ = 1, num_slots_ = 1, num_parts_ = 1;
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

  std::optional<std::size_t> find_order(const KernelMemory& memory, std::int64_t first, Position* order,
                                        std::byte* scratch, const LineParts&) const override {
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
    return std::nullopt;
  }

 private:
  std::shared_ptr<const elements::ScalarFunction> comparator_;
};

/// Properties of some keys of a line.
struct KeysRead {
  bool has_nan_without_key = false;
  std::uint64_t differing_bits = 0;  // from those of the line's first key
};

/// Reads keys [begin, end) of elements `step` bytes apart, at the positions position(i), as words with ascending numbers.
template <typename Bits, typename W, typename GetPosition>
KeysRead read_keys(const std::byte* from, std::size_t step, std::int64_t begin, std::int64_t end,
                   const GetPosition& position, const KeyForm& form, W* words) {
  bool has_nan = false;
  Bits differing = 0;
  const auto at = [&](std::int64_t i) {
    return *reinterpret_cast<const Bits*>(from + static_cast<std::size_t>(position(i)) * step);
  };
  const Bits first = ordered_key(at(0), form);
  for (std::int64_t i = begin; i < end; ++i) {
    const Bits bits = at(i), key = ordered_key(bits, form);
    has_nan |= is_nan_key(bits, form);
    differing = static_cast<Bits>(differing | (key ^ first));
    if constexpr (std::is_same_v<W, Word>)
      words[i] = Word{key} << 32 | static_cast<Word>(i);
    else
      words[i] = {key, static_cast<Position>(i)};
  }
  return {has_nan && form.excludes_nan, differing};
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
    sort_in_parts(num_threads);
    set_scratch(2 * words_bytes_ + static_cast<std::size_t>(extent_) * sizeof(Position));
  }

 private:
  struct Key {
    std::size_t operand = 0;
    KeyForm form;
  };

  std::optional<std::size_t> find_order(const KernelMemory& memory, std::int64_t first, Position* order,
                                        std::byte* scratch, const LineParts& parts) const override {
    for (std::size_t k = keys_.size(); k > 0; --k) {
      const Key& key = keys_[k - 1];
      const auto offset = static_cast<std::size_t>(first) * element_bytes_[key.operand];
      const Line line{memory.operands[key.operand] + offset,
                      writes_elements() ? memory.results[key.operand] + offset : nullptr, k == keys_.size(),
                      parts};
      bool is_done = false;
      switch (element_bytes_[key.operand]) {
        case 1: is_done = order_by<std::uint8_t, Word>(line, key.form, order, scratch); break;
        case 2: is_done = order_by<std::uint16_t, Word>(line, key.form, order, scratch); break;
        case 4: is_done = order_by<std::uint32_t, Word>(line, key.form, order, scratch); break;
        default: is_done = order_by<std::uint64_t, WideWord>(line, key.form, order, scratch);
      }
      if (!is_done) return comparator_.find_order(memory, first, order, scratch, parts);
    }
    return writes_elements() ? std::optional(keys_[0].operand) : std::nullopt;
  }

  /// True if the words in order give the sorted elements.
  bool writes_elements() const { return keys_.size() == 1 && is_invertible(keys_[0].form); }

  /// One key's elements in a line.
  struct Line {
    const std::byte* from;
    std::byte* elements;  // in order; null: they are not written here
    bool is_first;        // of the keys that the line is sorted by
    const LineParts& parts;
  };

  /// Sorts the positions in `order`, or all, by one key; false if a NaN has none.
  template <typename Bits, typename W>
  bool order_by(const Line& line, const KeyForm& form, Position* order, std::byte* scratch) const {
    auto* const words = reinterpret_cast<W*>(scratch);
    auto* const other = reinterpret_cast<W*>(scratch + words_bytes_);
    auto* const earlier = reinterpret_cast<Position*>(scratch + 2 * words_bytes_);
    std::atomic<bool> has_keys{true};
    std::atomic<std::uint64_t> differing{0};
    line.parts.for_each(extent_, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
      const std::size_t step = static_cast<std::size_t>(stride_) * sizeof(Bits);
      const auto in_order = [order](std::int64_t i) { return order[i]; };
      const KeysRead read = line.is_first
                                ? read_keys<Bits>(line.from, step, begin, end, std::identity(), form, words)
                                : read_keys<Bits>(line.from, step, begin, end, in_order, form, words);
      if (read.has_nan_without_key) has_keys = false;
      differing |= read.differing_bits;
    });
    if (!has_keys) return false;
    const W* const sorted = sort_words(words, other, extent_, differing, line.parts);
    if (!line.is_first) std::copy_n(order, extent_, earlier);
    line.parts.for_each(extent_, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
      write_order(sorted, begin, end, line.is_first ? nullptr : earlier, order);
      if (line.elements != nullptr)
        write_elements(sorted, begin, end, form, reinterpret_cast<Bits*>(line.elements));
    });
    return true;
  }

  /// The positions of words [begin, end), or what `earlier` has there.
  template <typename W>
  static void write_order(const W* sorted, std::int64_t begin, std::int64_t end, const Position* earlier,
                          Position* order) {
    if (earlier == nullptr) {
      for (std::int64_t i = begin; i < end; ++i) order[i] = number_of(sorted[i]);
    } else {
      for (std::int64_t i = begin; i < end; ++i) order[i] = earlier[number_of(sorted[i])];
    }
  }

  template <typename Bits, typename W>
  void write_elements(const W* sorted, std::int64_t begin, std::int64_t end, const KeyForm& form,
                      Bits* elements) const {
    for (std::int64_t i = begin; i < end; ++i)
      elements[i * stride_] = element_of_key(static_cast<Bits>(key_of(sorted[i])), form);
  }

  static std::uint64_t key_of(Word word) { return word >> 32; }
  static std::uint64_t key_of(const WideWord& word) { return word.key; }
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
