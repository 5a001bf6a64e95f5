#include "cornu/backends/cpu/kernels/bf16_tile_gemm.h"

#include <immintrin.h>

#include <algorithm>
#include <array>

#include "cornu/backends/cpu/kernels/amx_tiles.h"
#include "cornu/backends/cpu/kernels/bf16_panels.h"
#include "cornu/base/divide_up.h"

// Rows of a are copied once for all columns and stay in the second cache; panels of b meet all of these rows.
// Four tiles hold the sums of 32 rows and 32 columns, two have rows of a and two pairs of b, so that four
// products of 16 cycles each need four loads. One factor stays in the first cache, because the other one is
// loaded with a hint that it is not needed there: a panel, or the rows where the depth is small.
//
// No instruction waits for sums: tiles are stored between the first products of the next sums, and their rows
// are rounded, two a step, between the later ones.
namespace cornu::inline v0::backends::cpu::kernels {
namespace {

using bf16::Depth, bf16::Half, bf16::Pair, bf16::kLanes, bf16::kPanel;

#define CORNU_TARGET \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,amx-tile,amx-bf16")))
// Keeps the loops on tiles free of calls and their counters in registers.
#define CORNU_INLINE __attribute__((always_inline)) inline

constexpr std::int64_t kTileRows = 16, kTilePairs = 16;
constexpr std::int64_t kRows = kBf16TileRows;
static_assert(kRows == 2 * kTileRows);
// A step multiplies kTilePairs. A chain's are kChainSteps.
constexpr std::int64_t kChainSteps = bf16::kMaxPairs / kTilePairs;
constexpr std::int64_t kMaxDepth = 2 * kBf16Depth;  // of a block
constexpr std::int64_t kCopiedPairs = 264 * 1024;   // of a: 1 MiB, and a line for each row
constexpr std::int64_t kPackedPairs = 64 * 1024;    // of b: 256 KiB
constexpr std::int64_t kPackedDepth = 64;           // of a panel, that is packed at a time
constexpr std::int64_t kResidentSteps = 20;         // of a panel, that fit into the first cache: 40 KiB
constexpr std::int64_t kShallowSteps = 8;           // up to which rows of a are in the first cache instead
constexpr std::int64_t kLongLine = 1024;            // from which a page has two lines of b at most

std::int64_t whole_tiles(std::int64_t pairs) { return divide_up(pairs, kTilePairs) * kTilePairs; }

// The tiles, all whole: sums, rows of a, pairs of b. Intrinsics take their numbers as literals:
// 0 1   4
// 2 3   5   6 7
constexpr std::int64_t kSumsStride = kPanel * sizeof(float);
using Sums = std::array<float, kRows * kPanel>;

/// Copied rows of a, of some depth.
struct Block {
  Depth depth;
  std::int64_t row = 0, rows = 0;
  std::int64_t stride = 0;  // of copied rows

  std::int64_t steps() const { return divide_up(depth.pairs(), kTilePairs); }
  std::int64_t pairs() const { return steps() * kTilePairs; }
  std::int64_t num_chains() const { return divide_up(depth.size, kBf16Depth); }
};

/// Moves the sums of a chain from memory to c, rounded, or to where later chains find them.
struct Finish {
  const float* sums = nullptr;  // [rows][kPanel]
  std::int64_t rows = 0, columns = 0;
  Half* c = nullptr;
  std::int64_t c_stride = 0;
  bool adds = false, keeps = false;  // `added`; to `kept`, in place of rounding
  const float* added = nullptr;      // earlier chains
  float* kept = nullptr;             // for later chains
  std::int64_t added_stride = 0, kept_stride = 0;

  CORNU_TARGET CORNU_INLINE void next_row() {
    __m512 row[2] = {_mm512_loadu_ps(sums), _mm512_loadu_ps(sums + kLanes)};
    if (adds) {
      add(row);
      added += added_stride;
    }
    if (keeps) {
      keep(row);
      kept += kept_stride;
    } else {
      bf16::store_rounded<2>(row, c, columns);
      c += c_stride;
    }
    sums += kPanel;
    --rows;
  }
  CORNU_TARGET CORNU_INLINE void remaining_rows() {
    if (!adds && !keeps && columns == kPanel) {  // the same with fewer instructions
      for (; rows > 0; --rows, sums += kPanel, c += c_stride) {
        const __m512 row[2] = {_mm512_loadu_ps(sums), _mm512_loadu_ps(sums + kLanes)};
        bf16::store_rounded<2>(row, c, kPanel);
      }
    }
    while (rows > 0) next_row();
  }

 private:
  CORNU_TARGET CORNU_INLINE void add(__m512 (&row)[2]) const {
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < 2; ++v) {
      const __mmask16 mask = bf16::first_16(columns - v * kLanes);
      row[v] = _mm512_add_ps(_mm512_maskz_loadu_ps(mask, added + v * kLanes), row[v]);
    }
  }
  CORNU_TARGET CORNU_INLINE void keep(const __m512 (&row)[2]) const {
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < 2; ++v)
      _mm512_mask_storeu_ps(kept + v * kLanes, bf16::first_16(columns - v * kLanes), row[v]);
  }
};

/// The sums that are not finished: in the tiles, or stored.
struct Pending {
  float* sums = nullptr;  // null: none
  std::int64_t row = 0, column = 0, chain = 0;
};

/// `kept`: [kRows][kPanel], for sums between the chains of a block.
CORNU_INLINE Finish finish_of(const Bf16Operands& p, const Block& block, const Pending& pending,
                              float* kept) {
  Finish out;
  if (pending.sums == nullptr) return out;
  const std::int64_t at = (block.row + pending.row) * p.ldc + pending.column;
  const bool is_first = pending.chain == 0, is_last = pending.chain + 1 == block.num_chains();
  float* const outside = p.sums == nullptr ? nullptr : p.sums + at;
  out.sums = pending.sums;
  out.rows = std::min(kRows, block.rows - pending.row);
  out.columns = std::min(kPanel, p.n - pending.column);
  out.c = p.c + at;
  out.c_stride = p.ldc;
  out.adds = !is_first || block.depth.first > 0;
  out.keeps = !is_last || !block.depth.is_last;
  out.added = is_first ? outside : kept;
  out.added_stride = is_first ? p.ldc : kPanel;
  out.kept = is_last ? outside : kept;
  out.kept_stride = is_last ? p.ldc : kPanel;
  return out;
}

/// The factor that is to stay in the first cache. Others are loaded with the hint not to.
enum class Resident { kNone, kA, kB };

/// Rows of a and a panel of b.
struct Factors {
  const Pair* a;  // [rows][stride]
  std::int64_t stride;
  const Pair* panel;  // [pairs][width]
  std::int64_t steps;
  std::int64_t resident_steps;  // of the panel; kRowsAreResident: the rows stay instead
};
constexpr std::int64_t kRowsAreResident = -1;

#define CORNU_LOAD(is_resident, tile, from, stride) \
  do {                                              \
    if constexpr (is_resident)                      \
      _tile_loadd(tile, from, stride);              \
    else                                            \
      _tile_stream_loadd(tile, from, stride);       \
  } while (false)
// Stores a tile of sums, unless `to` is null, and clears it.
#define CORNU_STORE(tile, to)                                                                        \
  do {                                                                                               \
    if ((to) != nullptr)                                                                             \
      _tile_stored(tile, (to) + (tile) / 2 * kTileRows * kPanel + (tile) % 2 * kLanes, kSumsStride); \
    _tile_zero(tile);                                                                                \
  } while (false)

/// Adds 32 products to the sums in the tiles. The first step of a chain stores the sums before to `earlier`.
template <bool kTwoRows, bool kTwoColumns, Resident kResident, bool kIsFirst>
CORNU_TARGET CORNU_INLINE void multiply_step(Factors& f, float* earlier) {
  constexpr std::int64_t kWidth = kTwoColumns ? kPanel : kLanes, kStride = kWidth * sizeof(Pair);
  const std::int64_t a_stride = f.stride * static_cast<std::int64_t>(sizeof(Pair));
  CORNU_LOAD(kResident == Resident::kB, 6, f.panel, kStride);
  CORNU_LOAD(kResident == Resident::kA, 4, f.a, a_stride);
  if constexpr (kIsFirst) CORNU_STORE(0, earlier);
  _tile_dpbf16ps(0, 4, 6);
  if constexpr (kTwoColumns) {
    CORNU_LOAD(kResident == Resident::kB, 7, f.panel + kLanes, kStride);
    if constexpr (kIsFirst) CORNU_STORE(1, earlier);
    _tile_dpbf16ps(1, 4, 7);
  }
  if constexpr (kTwoRows) {
    CORNU_LOAD(kResident == Resident::kA, 5, f.a + kTileRows * f.stride, a_stride);
    if constexpr (kIsFirst) CORNU_STORE(2, earlier);
    _tile_dpbf16ps(2, 5, 6);
  }
  if constexpr (kTwoRows && kTwoColumns) {
    if constexpr (kIsFirst) CORNU_STORE(3, earlier);
    _tile_dpbf16ps(3, 5, 7);
  }
  f.a += kTilePairs;
  f.panel += kTilePairs * kWidth;
}

template <bool kTwoRows, bool kTwoColumns, Resident kResident>
CORNU_TARGET CORNU_INLINE void multiply_steps(Factors& f, std::int64_t steps, Finish& finish) {
  for (std::int64_t s = 0; s < steps; ++s) {
    multiply_step<kTwoRows, kTwoColumns, kResident, false>(f, nullptr);
    if (finish.rows > 0) finish.next_row();
    if (finish.rows > 0) finish.next_row();
  }
}

/// Computes a chain's sums in the tiles. The sums before are stored to `earlier`, if that is not null, and
/// `finish` runs meanwhile.
template <bool kTwoRows, bool kTwoColumns>
CORNU_TARGET CORNU_INLINE void multiply_tiles(Factors f, float* earlier, Finish finish) {
  if (f.resident_steps == kRowsAreResident) {
    multiply_step<kTwoRows, kTwoColumns, Resident::kA, true>(f, earlier);
    multiply_steps<kTwoRows, kTwoColumns, Resident::kA>(f, f.steps - 1, finish);
  } else {
    multiply_step<kTwoRows, kTwoColumns, Resident::kB, true>(f, earlier);
    const std::int64_t first = std::clamp<std::int64_t>(f.resident_steps, 1, f.steps) - 1;
    multiply_steps<kTwoRows, kTwoColumns, Resident::kB>(f, first, finish);
    multiply_steps<kTwoRows, kTwoColumns, Resident::kNone>(f, f.steps - 1 - first, finish);
  }
  finish.remaining_rows();
}

template <bool kTwoRows, bool kTwoColumns>
CORNU_TARGET void store_tiles(float* sums) {
  CORNU_STORE(0, sums);
  if constexpr (kTwoColumns) CORNU_STORE(1, sums);
  if constexpr (kTwoRows) CORNU_STORE(2, sums);
  if constexpr (kTwoRows && kTwoColumns) CORNU_STORE(3, sums);
}

/// Copies rows of a as [r][l]; pairs beyond the depth, up to a whole tile, are zeros.
CORNU_TARGET void copy_rows(const Bf16Operands& p, const Block& block, Pair* to) {
  const Half* a = p.a + block.row * p.lda + block.depth.first;
  for (std::int64_t r = 0; r < block.rows; ++r, a += p.lda, to += block.stride)
    for (std::int64_t l = 0; l < block.depth.size; l += 2 * kLanes)
      _mm512_storeu_si512(to + l / 2, _mm512_maskz_loadu_epi16(bf16::first_32(block.depth.size - l), a + l));
}

/// The same of a transposed a: pairs of its lines, 16 x 16 of them transposed at a time.
CORNU_TARGET void copy_transposed(const Bf16Operands& p, const Block& block, Pair* to) {
  const Depth& depth = block.depth;
  for (std::int64_t r = 0; r < block.rows; r += kLanes) {
    const Half* a = p.a + depth.first * p.lda + block.row + r;
    const __mmask16 mask = bf16::first_16(block.rows - r);
    for (std::int64_t l = 0; l < depth.size; l += 2 * kLanes) {
      __m512 pairs[kLanes];
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kLanes; ++i, a += 2 * p.lda) {
        const std::int64_t line = l + 2 * i;
        pairs[i] = _mm512_castsi512_ps(
            bf16::pair_of_lines(a, p.lda, line < depth.size ? mask : 0, line + 1 < depth.size));
      }
      transpose_avx512(pairs);
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kLanes; ++i)
        _mm512_storeu_ps(to + (r + i) * block.stride + l / 2, pairs[i]);
    }
  }
}

/// Packs some depth of a panel; pairs beyond it, up to a whole tile, are zeros.
CORNU_TARGET void pack(const Bf16Operands& p, const Depth& depth, std::int64_t column, std::int64_t columns,
                       Pair* to) {
  const std::int64_t width = bf16::panel_width(columns), pairs = depth.pairs();
  p.transpose_b ? bf16::pack_transposed(p, depth, column, columns, to)
                : bf16::pack_lines(p, depth, column, columns, to);
  std::fill(to + pairs * width, to + whole_tiles(pairs) * width, Pair{0});
}

/// A range of rows or panels.
struct Range {
  std::int64_t begin = 0, end = 0;
};

class Product {
 public:
  explicit Product(const Bf16Operands& operands) : p_(operands) {}

  /// The product of some depth.
  CORNU_TARGET void multiply(const Depth& depth) {
    Block block{.depth = depth};
    block.stride = (block.steps() | 1) * kTilePairs;  // odd: rows are in other sets of the caches
    const std::int64_t most = kCopiedPairs / block.stride / kRows * kRows,
                       rows = divide_up(divide_up(p_.m, divide_up(p_.m, most)), kRows) * kRows;
    for (; block.row < p_.m; block.row += rows) {
      block.rows = std::min(rows, p_.m - block.row);
      p_.transpose_a ? copy_transposed(p_, block, copied_.data()) : copy_rows(p_, block, copied_.data());
      multiply_block(block);
    }
  }

 private:
  CORNU_TARGET void multiply_block(const Block& block) {
    const bool is_shallow = block.steps() <= kShallowSteps;
    // Several panels at once where that makes use of more of each page of b, and of c.
    const bool is_wide = is_shallow || (!p_.transpose_b && p_.ldb >= kLongLine);
    const std::int64_t width = is_wide ? kPackedPairs / (block.pairs() * kPanel) * kPanel : kPanel;
    for (std::int64_t column = 0; column < p_.n; column += width) {
      const std::int64_t columns = std::min(width, p_.n - column);
      pack_panels(block, column, columns);
      // Up to 16 columns that are left are half a panel, as up to 16 rows are half of kRows.
      const std::int64_t whole = (columns + kLanes - 1) / kPanel, all = divide_up(columns, kPanel);
      for (std::int64_t j = 0, next; j < whole; j = next) {
        next = is_shallow ? whole : j + 1;
        multiply_panels<true>(block, column, {j, next});
      }
      multiply_panels<false>(block, column, {whole, all});
    }
    finish_of(p_, block, pending_, kept_.data()).remaining_rows();
    pending_.sums = nullptr;
  }

  /// Packs panels, some of the depth of all of them at a time.
  CORNU_TARGET void pack_panels(const Block& block, std::int64_t column, std::int64_t columns) {
    const Depth& depth = block.depth;
    for (std::int64_t l = 0; l < depth.size; l += kPackedDepth)
      for (std::int64_t j = 0; j < columns; j += kPanel)
        pack(p_, {depth.first + l, std::min(kPackedDepth, depth.size - l)}, column + j,
             std::min(kPanel, columns - j),
             packed_.data() + j * block.pairs() + l / 2 * bf16::panel_width(columns - j));
  }

  template <bool kTwoColumns>
  CORNU_TARGET void multiply_panels(const Block& block, std::int64_t column, Range panels) {
    const std::int64_t rest = block.rows % kRows, whole = block.rows - (rest <= kTileRows ? rest : 0);
    multiply_panels<true, kTwoColumns>(block, column, panels, {0, whole});
    multiply_panels<false, kTwoColumns>(block, column, panels, {whole, block.rows});
  }

  /// The product of copied rows and packed panels. The last sums are stored, and finished later.
  template <bool kTwoRows, bool kTwoColumns>
  CORNU_TARGET void multiply_panels(const Block& block, std::int64_t column, Range panels, Range rows) {
    constexpr std::int64_t kWidth = kTwoColumns ? kPanel : kLanes;
    bool is_in_tiles = false;
    for (std::int64_t row = rows.begin; row < rows.end; row += kRows)
      for (std::int64_t j = panels.begin; j < panels.end; ++j)
        for (std::int64_t chain = 0; chain < block.num_chains(); ++chain) {
          const std::int64_t done = chain * kChainSteps, pairs_done = done * kTilePairs;
          multiply_tiles<kTwoRows, kTwoColumns>(
              {.a = copied_.data() + row * block.stride + pairs_done,
               .stride = block.stride,
               .panel = packed_.data() + j * kPanel * block.pairs() + pairs_done * kWidth,
               .steps = std::min(kChainSteps, block.steps() - done),
               .resident_steps = block.steps() <= kShallowSteps
                                     ? kRowsAreResident
                                     : std::max<std::int64_t>(kResidentSteps - done, 0)},
              is_in_tiles ? pending_.sums : nullptr, finish_of(p_, block, pending_, kept_.data()));
          is_in_tiles = true;
          next_sums_ ^= 1;
          pending_ = {sums_[next_sums_].data(), row, column + j * kPanel, chain};
        }
    if (is_in_tiles) store_tiles<kTwoRows, kTwoColumns>(pending_.sums);
  }

  const Bf16Operands& p_;
  Pending pending_;
  std::size_t next_sums_ = 0;
  alignas(64) std::array<Sums, 2> sums_;
  alignas(64) Sums kept_;
  alignas(64) std::array<Pair, kPackedPairs> packed_;  // [panels][pairs][kPanel or, of the last, its width]
  alignas(64) std::array<Pair, kCopiedPairs> copied_;  // [rows][stride]
};

CORNU_TARGET void multiply(const Bf16Operands& p) {
  Product product(p);
  configure_whole_tiles();
  // Of a block of two chains the sums between them stay in the first cache, but it has half the rows.
  const bool is_low = p.m * (kMaxDepth / 2 + kTilePairs) <= kCopiedPairs;
  const std::int64_t depth = is_low ? kMaxDepth : kBf16Depth;
  for (std::int64_t first = 0; first < p.k; first += depth) {
    const std::int64_t size = std::min(depth, p.k - first);
    product.multiply({first, size, first + size == p.k});
  }
  _tile_release();
}

#undef CORNU_STORE
#undef CORNU_LOAD
#undef CORNU_INLINE
#undef CORNU_TARGET

}  // namespace

void bf16_tile_gemm(const Bf16Operands& p) {
  if (bf16::begin_product(p)) multiply(p);
}

}  // namespace cornu::inline v0::backends::cpu::kernels
