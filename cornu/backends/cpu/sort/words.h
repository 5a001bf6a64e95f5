#pragma once

#include <cstdint>
#include <optional>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/sort/sort_order.h"

/// Sorting by keys as integers, each with a number that makes it unique: equal keys stay in their order.
namespace cornu::inline v0::backends::cpu {

/// A key of at most 32 bits in the upper half, the number in the lower one.
using Word = std::uint64_t;

/// A key of 64 bits with its number.
struct WideWord {
  std::uint64_t key = 0;
  std::uint32_t number = 0;
  bool operator<(const WideWord& other) const {
    return key < other.key || (key == other.key && number < other.number);
  }
};

/// A line in parts that the threads of a pool work on at the same time; no result depends on their number.
struct LineParts {
  static constexpr std::int64_t kMost = 32;
  static constexpr std::int64_t kBytes = 4096;  // working memory for each part, on a cache line boundary

  ThreadPool* pool = nullptr;  // null: one part, on the calling thread
  std::int64_t count = 1;
  std::uint32_t* memory = nullptr;  // kBytes for each part; unused if there is one

  /// f(part, begin, end) for all parts of a line.
  template <typename F>
  void for_each(std::int64_t extent, const F& f) const {
    if (count == 1) return f(std::int64_t{0}, std::int64_t{0}, extent);
    for_each_slice(*pool, count,
                   [&](std::int64_t part) { f(part, part * extent / count, (part + 1) * extent / count); });
  }
};

/// Sorts by all bits, with `other` as working memory of the same size; in `differing_bits` are all bits of the keys in
/// which not all keys are equal. Words have ascending numbers. Returns the location of the result.
Word* sort_words(Word* words, Word* other, std::int64_t count, std::uint64_t differing_bits,
                 const LineParts& parts = {});
WideWord* sort_words(WideWord* words, WideWord* other, std::int64_t count, std::uint64_t differing_bits,
                     const LineParts& parts = {});

/// The kinds of elements, by the order of their bits.
enum class KeyKind { kUnsigned, kSigned, kFloat };

/// The form of a key: how the bits of an element become an unsigned integer that is less if it comes earlier.
struct KeyForm {
  KeyKind kind = KeyKind::kUnsigned;
  bool is_descending = false;
  /// Floats: zeros are equal, and so are NaNs, which are above infinity. Otherwise in total order.
  bool has_one_zero_and_nan = false;
  /// Floats: the comparator puts NaN in no order, and keys have none for lines with NaN.
  bool excludes_nan = false;
  std::uint64_t infinity = 0;  // the bits of infinity
};

/// The form of a key of this dtype; nothing for an order that keys as integers do not have.
std::optional<KeyForm> key_form(ir::DType dtype, const SortOrder& order);

template <typename Bits>
bool is_nan_key(Bits bits, const KeyForm& form) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  return static_cast<Bits>(bits & static_cast<Bits>(~kSign)) > static_cast<Bits>(form.infinity);
}

template <typename Bits>
Bits ordered_key(Bits bits, const KeyForm& form) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  if (form.kind == KeyKind::kFloat) {
    if (form.has_one_zero_and_nan) {
      if (static_cast<Bits>(bits & static_cast<Bits>(~kSign)) == 0) bits = 0;
      if (is_nan_key(bits, form)) bits = static_cast<Bits>(~kSign);
    }
    bits = static_cast<Bits>((bits & kSign) != 0 ? ~bits : bits | kSign);
  } else if (form.kind == KeyKind::kSigned) {
    bits = static_cast<Bits>(bits ^ kSign);
  }
  return form.is_descending ? static_cast<Bits>(~bits) : bits;
}

/// True if an element's bits follow from its key.
inline bool is_invertible(const KeyForm& form) { return !form.has_one_zero_and_nan; }

/// The element of an invertible key.
template <typename Bits>
Bits element_of_key(Bits key, const KeyForm& form) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  if (form.is_descending) key = static_cast<Bits>(~key);
  if (form.kind == KeyKind::kUnsigned) return key;
  if (form.kind == KeyKind::kSigned || (key & kSign) != 0) return static_cast<Bits>(key ^ kSign);
  return static_cast<Bits>(~key);
}

}  // namespace cornu::inline v0::backends::cpu
