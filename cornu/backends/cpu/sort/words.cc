#include "cornu/backends/cpu/sort/words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kRun = 8;               // elements that a network sorts
constexpr std::int64_t kFewestByDigits = 512;  // shorter lines are sorted by merging

std::uint64_t digit_source(Word word) { return word >> 32; }
std::uint64_t digit_source(const WideWord& word) { return word.key; }

template <typename W>
void exchange(W& x, W& y) {
  const bool is_swapped = y < x;
  const W low = is_swapped ? y : x, high = is_swapped ? x : y;
  x = low;
  y = high;
}

/// Sorts eight elements by a network of 19 exchanges without branches.
template <typename W>
void sort_run(W* w) {
  constexpr std::array<std::pair<int, int>, 19> kExchanges = {{{0, 2},
                                                               {1, 3},
                                                               {4, 6},
                                                               {5, 7},
                                                               {0, 4},
                                                               {1, 5},
                                                               {2, 6},
                                                               {3, 7},
                                                               {0, 1},
                                                               {2, 3},
                                                               {4, 5},
                                                               {6, 7},
                                                               {2, 4},
                                                               {3, 5},
                                                               {1, 4},
                                                               {3, 6},
                                                               {1, 2},
                                                               {3, 4},
                                                               {5, 6}}};
  for (const auto& [i, j] : kExchanges) exchange(w[i], w[j]);
}

template <typename W>
void insertion_sort(W* w, std::int64_t count) {
  for (std::int64_t i = 1; i < count; ++i) {
    const W word = w[i];
    std::int64_t at = i;
    for (; at > 0 && word < w[at - 1]; --at) w[at] = w[at - 1];
    w[at] = word;
  }
}

/// Merges two runs of `width` elements from both ends at once: the two chains of comparisons do not wait for each
/// other, and neither can leave its run.
template <typename W>
void merge_equal(const W* from, W* to, std::int64_t width) {
  const W *left = from, *right = from + width;
  const W *left_last = right - 1, *right_last = right + width - 1;
  W *low = to, *high = to + 2 * width - 1;
  for (std::int64_t i = 0; i < width; ++i) {
    const bool takes_right = *right < *left;
    *low++ = takes_right ? *right : *left;
    right += takes_right ? 1 : 0;
    left += takes_right ? 0 : 1;
    const bool takes_left = *right_last < *left_last;
    *high-- = takes_left ? *left_last : *right_last;
    left_last -= takes_left ? 1 : 0;
    right_last -= takes_left ? 0 : 1;
  }
}

template <typename W>
W* merge_runs(W* from, W* to, std::int64_t count) {
  std::int64_t whole = count / kRun * kRun;
  for (std::int64_t i = 0; i < whole; i += kRun) sort_run(from + i);
  insertion_sort(from + whole, count - whole);
  for (std::int64_t width = kRun; width < count; width *= 2) {
    for (std::int64_t first = 0; first < count; first += 2 * width) {
      const std::int64_t middle = std::min(first + width, count), end = std::min(first + 2 * width, count);
      if (end - first == 2 * width)
        merge_equal(from + first, to + first, width);
      else
        std::merge(from + first, from + middle, from + middle, from + end, to + first);
    }
    std::swap(from, to);
  }
  return from;
}

/// The digits of a line's keys: they cover the bits from the lowest to the highest that differ, and are equal.
struct Digits {
  static constexpr int kMostBits = 10;
  static_assert((std::size_t{4} << kMostBits) <= LineParts::kBytes);

  explicit Digits(std::uint64_t differing) : lowest(std::countr_zero(differing)) {
    const int width = std::bit_width(differing) - lowest;
    number = (width + kMostBits - 1) / kMostBits;
    bits = (width + number - 1) / number;
  }
  std::int64_t num_places() const { return std::int64_t{1} << bits; }
  std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }

  int lowest, bits, number;
};

/// Moves words to their places by the digit at `shift`.
template <typename W>
void distribute(const W* from, std::int64_t count, int shift, std::uint64_t mask, std::uint32_t* places,
                W* to) {
  for (std::int64_t i = 0; i < count; ++i) to[places[digit_source(from[i]) >> shift & mask]++] = from[i];
}

/// Sorts by bytes, the lowest first, which are all counted at once; a byte that all keys share takes no pass.
template <typename W>
W* sort_by_bytes(W* from, W* to, std::int64_t count, int number) {
  alignas(64) std::array<std::array<std::uint32_t, 256>, 8> counts;
  for (int byte = 0; byte < number; ++byte) counts[static_cast<std::size_t>(byte)].fill(0);
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t key = digit_source(from[i]);
    for (int byte = 0; byte < number; ++byte, key >>= 8) ++counts[static_cast<std::size_t>(byte)][key & 255];
  }
  for (int byte = 0; byte < number; ++byte) {
    std::array<std::uint32_t, 256>& places = counts[static_cast<std::size_t>(byte)];
    if (places[digit_source(from[0]) >> 8 * byte & 255] == static_cast<std::uint32_t>(count)) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& place : places) place = std::exchange(sum, sum + place);
    distribute(from, count, 8 * byte, 255, places.data(), to);
    std::swap(from, to);
  }
  return from;
}

/// Sorts a line in parts by digits. Each part counts a digit and, from the sums of these counts, moves its words to places of
/// its own.
template <typename W>
W* sort_in_parts(W* from, W* to, std::int64_t count, const Digits& digits, const LineParts& parts) {
  const auto places_of = [&](std::int64_t part) { return parts.memory + part * (LineParts::kBytes / 4); };
  for (int digit = 0; digit < digits.number; ++digit) {
    const int shift = digits.lowest + digit * digits.bits;
    parts.for_each(count, [&, from, shift, mask = digits.mask()](std::int64_t part, std::int64_t begin,
                                                                 std::int64_t end) {
      std::uint32_t* const counts = places_of(part);
      std::fill_n(counts, digits.num_places(), 0U);
      for (std::int64_t i = begin; i < end; ++i) ++counts[digit_source(from[i]) >> shift & mask];
    });
    std::uint32_t sum = 0;
    for (std::int64_t place = 0; place < digits.num_places(); ++place)
      for (std::int64_t part = 0; part < parts.count; ++part)
        places_of(part)[place] = std::exchange(sum, sum + places_of(part)[place]);
    parts.for_each(count, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
      distribute(from + begin, end - begin, shift, digits.mask(), places_of(part), to);
    });
    std::swap(from, to);
  }
  return from;
}

template <typename W>
W* sort(W* words, W* other, std::int64_t count, std::uint64_t differing_bits, const LineParts& parts) {
  // A pass of digits takes about as long as one of merging.
  if (count < kFewestByDigits) return merge_runs(words, other, count);
  if (differing_bits == 0) return words;
  if (parts.count > 1) return sort_in_parts(words, other, count, Digits(differing_bits), parts);
  return sort_by_bytes(words, other, count, (std::bit_width(differing_bits) + 7) / 8);
}

}  // namespace

std::optional<KeyForm> key_form(ir::DType dtype, const SortOrder& order) {
  using O = SortOrder;
  KeyForm form;
  form.is_descending = (order.before & O::kGreater) != 0;
  const auto is_strict = [&](int nan) {
    const int before = order.before & ~nan;
    return before == O::kLess || before == O::kGreater;
  };
  switch (dtype) {
    case ir::DType::kF16: form.infinity = 0x7c00; break;
    case ir::DType::kBF16: form.infinity = 0x7f80; break;
    case ir::DType::kF32: form.infinity = 0x7f800000; break;
    case ir::DType::kF64: form.infinity = 0x7ff0000000000000; break;
    default:
      if (ir::is_float(dtype) || ir::is_complex(dtype) ||
          !is_strict(O::kLeftNan | O::kRightNan | O::kBothNan))
        return std::nullopt;
      form.kind = ir::is_signed_integer(dtype) ? KeyKind::kSigned : KeyKind::kUnsigned;
      return form;
  }
  form.kind = KeyKind::kFloat;
  form.has_one_zero_and_nan = !order.is_total;
  form.excludes_nan = !order.is_total && is_strict(0);
  const int nan = order.is_total ? 0 : form.is_descending ? O::kLeftNan : O::kRightNan;
  return is_strict(nan) ? std::optional(form) : std::nullopt;
}

Word* sort_words(Word* words, Word* other, std::int64_t count, std::uint64_t differing_bits,
                 const LineParts& parts) {
  return sort(words, other, count, differing_bits, parts);
}
WideWord* sort_words(WideWord* words, WideWord* other, std::int64_t count, std::uint64_t differing_bits,
                     const LineParts& parts) {
  return sort(words, other, count, differing_bits, parts);
}

}  // namespace cornu::inline v0::backends::cpu
