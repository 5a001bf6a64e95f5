#include "cornu/backends/cpu/kernels/f32_tile_gemm.h"

#include <immintrin.h>

#include <algorithm>
#include <array>

#include "cornu/backends/cpu/kernels/amx_tiles.h"
#include "cornu/backends/cpu/kernels/transpose_avx512.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"

// Operands are split when they are packed. Blocks of b are packed in panels of 32 columns, which stay in the
// second cache; 32 rows of a, packed, meet all panels of a block. Packing runs line by line between tile
// products, which the processor executes beside other instructions. Of three parts each, the small products
// are added first, for the whole depth: sums are then rounded as rarely as those of the high parts alone.
namespace cornu::inline v0::backends::cpu::kernels {
namespace {

#define CORNU_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,amx-tile,amx-bf16")))

constexpr std::int64_t kLanes = 16;
constexpr __mmask16 kAll = 0xffff;               // GCC 12 warns of its own headers where there is no mask
constexpr std::int64_t kPanel = 2 * kLanes;      // columns of b, and rows of a, that are packed together
constexpr std::int64_t kStepDepth = 2 * kLanes;  // of one tile product
static_assert(kF32TileRows == kPanel);
constexpr std::int64_t kSteps = kF32TileDepth / kStepDepth;
constexpr std::int64_t kPackedBytes = 768 * 1024;

/// A tile: of a, rows of 16 pairs; of b, 16 pairs of 16 columns each. Pair i of 32 products has those at i
/// and i + 16.
struct alignas(64) Tile {
  std::uint32_t pairs[kLanes][kLanes];
};
static_assert(sizeof(Tile) == 1024);

constexpr std::int64_t kTileStride = sizeof(Tile) / kLanes;

/// Two tiles of each part, of one depth of 32.
template <int kParts>
struct Step {
  Tile parts[kParts][2];
};

struct alignas(64) Sums {
  float rows[kPanel][kPanel];
};
constexpr std::int64_t kSumsStride = sizeof(Sums) / kPanel;

inline __mmask16 first_lanes(std::int64_t count) {
  return static_cast<__mmask16>((1U << std::clamp<std::int64_t>(count, 0, kLanes)) - 1);
}

/// Up to 16 lines of an operand as they are stored; others are zeros.
struct Lines {
  const float* data;
  std::int64_t stride, count;
  __mmask16 mask;  // of columns

  CORNU_TARGET __m512 load(std::int64_t line) const {
    return _mm512_maskz_loadu_ps(line < count ? mask : 0, data + line * stride);
  }
};

/// The numbers of `x` rounded to bf16, and the rest of each.
struct Rounded {
  __m512i high;
  __m512 rest;
};

CORNU_TARGET inline Rounded round(__m512 x) {
  const __m512i half = _mm512_set1_epi32(0x8000), upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  const __m512i high = _mm512_and_si512(_mm512_add_epi32(_mm512_castps_si512(x), half), upper);
  return {high, _mm512_sub_ps(x, _mm512_castsi512_ps(high))};
}

/// The same of any numbers: those that would be rounded to infinity are truncated, infinity and NaN have no
/// rest.
CORNU_TARGET __attribute__((noinline)) Rounded round_any(__m512 x) {
  const __m512i bits = _mm512_castps_si512(x), upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  const __m512i magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(0x7fffffff));
  const __m512i largest = _mm512_set1_epi32(0x7f7f8000), infinity = _mm512_set1_epi32(0x7f800000);
  Rounded r = round(x);
  r.high = _mm512_mask_and_epi32(r.high, _mm512_cmpge_epu32_mask(magnitude, largest), bits, upper);
  r.high = _mm512_mask_or_epi32(r.high, _mm512_cmpgt_epu32_mask(magnitude, infinity), r.high,
                                _mm512_set1_epi32(0x00400000));
  r.rest = _mm512_maskz_sub_ps(_mm512_cmplt_epu32_mask(magnitude, infinity), x, _mm512_castsi512_ps(r.high));
  return r;
}

CORNU_TARGET inline bool has_large(__m512 x0, __m512 x1) {
  const __m512i magnitude = _mm512_set1_epi32(0x7fffffff), largest = _mm512_set1_epi32(0x7f7f8000);
  const __m512i both = _mm512_maskz_max_epu32(kAll, _mm512_and_si512(_mm512_castps_si512(x0), magnitude),
                                              _mm512_and_si512(_mm512_castps_si512(x1), magnitude));
  return _mm512_cmpge_epu32_mask(both, largest) != 0;
}

CORNU_TARGET inline void store_pairs(__m512i first, __m512i second, Tile& tile, std::int64_t row) {
  _mm512_store_si512(tile.pairs[row], _mm512_or_si512(_mm512_maskz_srli_epi32(kAll, first, 16), second));
}

/// Splits the members of 16 pairs and stores them as a row of each part's tile.
template <int kParts>
CORNU_TARGET inline void split(__m512 x0, __m512 x1, Step<kParts>& step, std::int64_t tile,
                               std::int64_t row) {
  const bool any = has_large(x0, x1);
  Rounded r0 = round(x0), r1 = round(x1);
  if (__builtin_expect(any, 0)) {
    r0 = round_any(x0);
    r1 = round_any(x1);
  }
  store_pairs(r0.high, r1.high, step.parts[0][tile], row);
  if constexpr (kParts > 1) {
    r0 = round(r0.rest);
    r1 = round(r1.rest);
    store_pairs(r0.high, r1.high, step.parts[1][tile], row);
  }
  if constexpr (kParts > 2)
    store_pairs(_mm512_castps_si512(r0.rest), _mm512_castps_si512(r1.rest), step.parts[2][tile], row);
}

/// One operand: `along_depth` elements to the next product, `across` to the next row of a or column of b; one
/// of them is 1.
struct Operand {
  const float* data;
  std::int64_t along_depth, across;

  Operand at(std::int64_t product, std::int64_t place) const {
    return {data + product * along_depth + place * across, along_depth, across};
  }
};

/// Packs 32 rows of a or columns of b, or `count` if these are fewer, a line of a tile at a time, so that
/// it can be done between products.
template <int kParts>
class Packer {
 public:
  Packer() = default;
  Packer(const Operand& from, bool is_a, std::int64_t depth, std::int64_t count, Step<kParts>* to)
      : from_(from), is_a_(is_a), depth_(depth), count_(count), step_(to) {
    left_ = divide_up(depth, kStepDepth) * divide_up(count, kLanes) * kLanes;
  }

  std::int64_t left() const { return left_; }  // lines

  CORNU_TARGET void advance(std::int64_t num_lines) {
    for (num_lines = std::min(num_lines, left_); num_lines > 0; --num_lines, --left_) {
      if (line_ == 0) begin_tile();
      split(lines_[0].load(line_), lines_[1].load(line_), *step_, tile_, line_);
      if (++line_ == kLanes) end_tile();
    }
  }

 private:
  /// Finds the tile's lines: its rows are rows of a or products of b.
  CORNU_TARGET void begin_tile() {
    const std::int64_t depth = depth_ - first_, count = count_ - tile_ * kLanes;
    const bool lines_are_depth = from_.across == 1;
    for (std::int64_t half = 0; half < 2; ++half) {
      const std::int64_t left = depth - half * kLanes;
      lines_[half] = {from_.at(first_ + half * kLanes, tile_ * kLanes).data,
                      lines_are_depth ? from_.along_depth : from_.across, lines_are_depth ? left : count,
                      first_lanes(lines_are_depth ? count : left)};
      if (lines_are_depth == is_a_) lines_[half] = transposed(lines_[half], kept_[half]);
    }
  }

  void end_tile() {
    line_ = 0;
    if (++tile_ * kLanes < count_) return;
    tile_ = 0;
    ++step_;
    first_ += kStepDepth;
  }

  CORNU_TARGET static Lines transposed(const Lines& lines, float (&to)[kLanes][kLanes]) {
    __m512 block[kLanes];
#pragma GCC unroll 16
    for (std::int64_t i = 0; i < kLanes; ++i) block[i] = lines.load(i);
    transpose_avx512(block);
#pragma GCC unroll 16
    for (std::int64_t i = 0; i < kLanes; ++i) _mm512_store_ps(to[i], block[i]);
    return {to[0], kLanes, kLanes, first_lanes(kLanes)};
  }

  Operand from_ = {};
  bool is_a_ = false;
  std::int64_t depth_ = 0, count_ = 0, left_ = 0;
  std::int64_t first_ = 0, tile_ = 0, line_ = 0;  // the next line: of which product, tile and row
  Step<kParts>* step_ = nullptr;
  Lines lines_[2] = {};  // of the tile, for both halves of the depth
  alignas(64) float kept_[2][kLanes][kLanes];
};

// Tiles by number: sums, rows of a, columns of b. Intrinsics take their numbers as literals:
// 0 1   4
// 2 3   5   6 7
template <bool kTwoRows, bool kTwoColumns>
struct Tiles {
  CORNU_TARGET static void zero() {
    _tile_zero(0);
    if constexpr (kTwoColumns) _tile_zero(1);
    if constexpr (kTwoRows) _tile_zero(2);
    if constexpr (kTwoRows && kTwoColumns) _tile_zero(3);
  }
  CORNU_TARGET static void load_a(const Tile (&tiles)[2]) {
    _tile_loadd(4, &tiles[0], kTileStride);
    if constexpr (kTwoRows) _tile_loadd(5, &tiles[1], kTileStride);
  }
  CORNU_TARGET static void load_b(const Tile (&tiles)[2]) {
    _tile_loadd(6, &tiles[0], kTileStride);
    if constexpr (kTwoColumns) _tile_loadd(7, &tiles[1], kTileStride);
  }
  CORNU_TARGET static void multiply() {
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (kTwoColumns) _tile_dpbf16ps(1, 4, 7);
    if constexpr (kTwoRows) _tile_dpbf16ps(2, 5, 6);
    if constexpr (kTwoRows && kTwoColumns) _tile_dpbf16ps(3, 5, 7);
  }
  CORNU_TARGET static void store(Sums& sums) {
    _tile_stored(0, &sums.rows[0][0], kSumsStride);
    if constexpr (kTwoColumns) _tile_stored(1, &sums.rows[0][kLanes], kSumsStride);
    if constexpr (kTwoRows) _tile_stored(2, &sums.rows[kLanes][0], kSumsStride);
    if constexpr (kTwoRows && kTwoColumns) _tile_stored(3, &sums.rows[kLanes][kLanes], kSumsStride);
  }
};

/// A panel's product: both operands packed, its sums, and their place in c.
template <int kParts>
struct PanelProduct {
  const Step<kParts>*a = nullptr, *b = nullptr;
  std::int64_t num_steps = 0;
  float* c = nullptr;
  std::int64_t ldc = 0, rows = 0, columns = 0;
  bool adds = false;
  Sums sums;
};

/// 16 sums of a row of the high parts' products alone. These decide where an operand is not finite: a product
/// of infinity with a middle or low part that is 0 would be NaN.
template <int kParts>
CORNU_TARGET __attribute__((noinline)) __m512 sums_of_high_parts(const PanelProduct<kParts>& p,
                                                                 std::int64_t row, std::int64_t column) {
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  __m512 sum = _mm512_setzero_ps();
  for (std::int64_t i = 0; i < p.num_steps; ++i) {
    const Tile &a = p.a[i].parts[0][row / kLanes], &b = p.b[i].parts[0][column / kLanes];
    for (std::int64_t l = 0; l < kLanes; ++l) {
      const __m512i x = _mm512_set1_epi32(static_cast<int>(a.pairs[row % kLanes][l])),
                    y = _mm512_load_si512(b.pairs[l]);
      sum = _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_maskz_slli_epi32(kAll, x, 16)),
                            _mm512_castsi512_ps(_mm512_maskz_slli_epi32(kAll, y, 16)), sum);
      sum = _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_and_si512(x, upper)),
                            _mm512_castsi512_ps(_mm512_and_si512(y, upper)), sum);
    }
  }
  return sum;
}

/// c = or += sums.
template <int kParts, bool kWhole>
CORNU_TARGET void finish_columns(const PanelProduct<kParts>& p, std::int64_t column) {
  const __mmask16 mask = first_lanes(p.columns - column);
  float* c = p.c + column;
  for (std::int64_t r = 0; r < p.rows; ++r, c += p.ldc) {
    __m512 sum = _mm512_load_ps(p.sums.rows[r] + column);
    if constexpr (kParts > 1) {
      const __mmask16 is_nan = _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q);
      if (__builtin_expect(is_nan != 0, 0))
        sum = _mm512_mask_mov_ps(sum, is_nan, sums_of_high_parts(p, r, column));
    }
    if (p.adds) sum = _mm512_add_ps(kWhole ? _mm512_loadu_ps(c) : _mm512_maskz_loadu_ps(mask, c), sum);
    kWhole ? _mm512_storeu_ps(c, sum) : _mm512_mask_storeu_ps(c, mask, sum);
  }
}

template <int kParts>
CORNU_TARGET void finish(const PanelProduct<kParts>& p) {
  for (std::int64_t column = 0; column < p.columns; column += kLanes)
    p.columns - column >= kLanes ? finish_columns<kParts, true>(p, column)
                                 : finish_columns<kParts, false>(p, column);
}

/// Tile products of a step for each pair of tiles of a and b.
constexpr std::int64_t num_products(int num_parts) { return num_parts * (num_parts + 1) / 2; }

/// Adds a step's products to the sums, of three parts each without those of both high ones; `beside()` runs
/// after each.
template <int kParts, typename T, typename F>
CORNU_TARGET inline void multiply_step(const Step<kParts>& a, const Step<kParts>& b, const F& beside) {
  const auto &x = a.parts, &y = b.parts;
  T::load_b(y[0]);
  if constexpr (kParts == 3) {
    T::load_a(x[2]);
    T::multiply();
    beside();
  }
  if constexpr (kParts > 1) {
    T::load_a(x[1]);
    T::multiply();
    beside();
  }
  if constexpr (kParts < 3) {
    T::load_a(x[0]);
    T::multiply();
    beside();
  }
  if constexpr (kParts > 1) {
    T::load_b(y[1]);
    if constexpr (kParts == 3) {
      T::multiply();
      beside();
      T::load_a(x[0]);
    }
    T::multiply();
    beside();
  }
  if constexpr (kParts == 3) {
    T::load_b(y[2]);
    T::multiply();
    beside();
  }
}

/// Work beside a panel's product.
template <int kParts>
struct Beside {
  const PanelProduct<kParts>& previous;  // is finished
  Packer<kParts>& packer;
  std::int64_t lines_a_product;  // that are packed
  bool must_end;                 // true: all lines are packed
};

template <int kParts, bool kTwoRows, bool kTwoColumns>
CORNU_TARGET void multiply_panel(PanelProduct<kParts>& p, const Beside<kParts>& beside) {
  using T = Tiles<kTwoRows, kTwoColumns>;
  const auto pack = [&]() CORNU_TARGET { beside.packer.advance(beside.lines_a_product); };
  T::zero();
  // Before anything is packed over its operands.
  multiply_step<kParts, T>(p.a[0], p.b[0], [] {});
  finish(beside.previous);
  for (std::int64_t i = 1; i < p.num_steps; ++i) multiply_step<kParts, T>(p.a[i], p.b[i], pack);
  for (std::int64_t i = 0; kParts == 3 && i < p.num_steps; ++i) {
    T::load_a(p.a[i].parts[0]);
    T::load_b(p.b[i].parts[0]);
    T::multiply();
    pack();
  }
  T::store(p.sums);
  if (beside.must_end) beside.packer.advance(beside.packer.left());
}

template <int kParts>
CORNU_TARGET void multiply_panel(PanelProduct<kParts>& p, const Beside<kParts>& beside) {
  if (p.rows > kLanes)
    p.columns > kLanes ? multiply_panel<kParts, true, true>(p, beside)
                       : multiply_panel<kParts, true, false>(p, beside);
  else
    p.columns > kLanes ? multiply_panel<kParts, false, true>(p, beside)
                       : multiply_panel<kParts, false, false>(p, beside);
}

template <int kParts>
std::int64_t columns_of_block(std::int64_t depth) {
  const auto step_bytes = static_cast<std::int64_t>(sizeof(Step<kParts>));
  return kPackedBytes / (divide_up(depth, kStepDepth) * step_bytes) * kPanel;
}

/// A depth and columns of c, whose b fits its memory when it is packed.
struct Block {
  std::int64_t first, depth, begin, end;

  std::int64_t num_steps() const { return divide_up(depth, kStepDepth); }
  std::int64_t num_panels() const { return divide_up(end - begin, kPanel); }
};

template <int kParts>
struct Packed {
  Step<kParts> a[2][kSteps];  // of these rows and of the next ones
  Step<kParts> b[kPackedBytes / sizeof(Step<kParts>)];
};

template <int kParts>
class BlockProduct {
 public:
  BlockProduct(const GemmOperands& p, const Block& block, Packed<kParts>& packed)
      : p_(p), block_(block), packed_(packed) {}

  CORNU_TARGET void run() {
    Packer<kParts> packer = pack_a(0);
    packer.advance(packer.left());
    packer = pack_b(0);
    packer.advance(packer.left());
    const std::int64_t num_panels = block_.num_panels();
    PanelProduct<kParts> panels[2];
    std::int64_t turn = 0;
    for (std::int64_t row = 0; row < p_.m; row += kPanel) {
      for (std::int64_t i = 0; i < num_panels; ++i, turn ^= 1) {
        // Panels of b are packed beside the first rows' products, rows of a beside those of the rows before.
        const bool packs_b = row == 0 && i + 1 < num_panels;
        if (packs_b)
          packer = pack_b(i + 1);
        else if (i == 0 || row == 0)
          packer = pack_a(row + kPanel);
        const std::int64_t panels_left = packs_b ? 1 : num_panels - i;
        const std::int64_t products =
            std::max<std::int64_t>(1, block_.num_steps() - 1) * num_products(kParts);
        place(panels[turn], row, i);
        multiply_panel<kParts>(
            panels[turn],
            {panels[turn ^ 1], packer, divide_up(packer.left(), panels_left * products), panels_left == 1});
      }
    }
    finish(panels[turn ^ 1]);
  }

 private:
  Packer<kParts> pack_a(std::int64_t row) const {
    if (row >= p_.m) return {};
    const Operand a{p_.a, p_.transpose_a ? p_.lda : 1, p_.transpose_a ? 1 : p_.lda};
    return {a.at(block_.first, row), true, block_.depth, std::min(kPanel, p_.m - row),
            packed_.a[row / kPanel % 2]};
  }

  Packer<kParts> pack_b(std::int64_t panel) const {
    const Operand b{p_.b, p_.transpose_b ? 1 : p_.ldb, p_.transpose_b ? p_.ldb : 1};
    const std::int64_t column = block_.begin + panel * kPanel;
    return {b.at(block_.first, column), false, block_.depth, std::min(kPanel, block_.end - column),
            packed_.b + panel * block_.num_steps()};
  }

  void place(PanelProduct<kParts>& panel, std::int64_t row, std::int64_t index) const {
    const std::int64_t column = block_.begin + index * kPanel;
    panel.a = packed_.a[row / kPanel % 2];
    panel.b = packed_.b + index * block_.num_steps();
    panel.num_steps = block_.num_steps();
    panel.c = p_.c + row * p_.ldc + column;
    panel.ldc = p_.ldc;
    panel.rows = std::min(kPanel, p_.m - row);
    panel.columns = std::min(kPanel, block_.end - column);
    panel.adds = block_.first > 0;
  }

  const GemmOperands& p_;
  Block block_;
  Packed<kParts>& packed_;
};

template <int kParts>
CORNU_TARGET void multiply(const GemmOperands& p) {
  Packed<kParts> packed;
  configure_whole_tiles();
  for (std::int64_t first = 0; first < p.k; first += kF32TileDepth) {
    const std::int64_t depth = std::min(kF32TileDepth, p.k - first);
    const std::int64_t columns = columns_of_block<kParts>(depth);
    for (std::int64_t begin = 0; begin < p.n; begin += columns)
      BlockProduct<kParts>(p, {first, depth, begin, std::min(p.n, begin + columns)}, packed).run();
  }
  _tile_release();
}

#undef CORNU_TARGET

}  // namespace

std::int64_t f32_tile_block_columns(F32Products method, std::int64_t k) {
  const std::int64_t depth = std::clamp<std::int64_t>(k, 1, kF32TileDepth);
  switch (method) {
    case F32Products::kBf16x1: return columns_of_block<1>(depth);
    case F32Products::kBf16x3: return columns_of_block<2>(depth);
    case F32Products::kBf16x6:
    case F32Products::kVectors: break;
  }
  return columns_of_block<3>(depth);
}

bool f32_tiles_pay(F32Products method, std::int64_t m, std::int64_t n, std::int64_t k) {
  if (method == F32Products::kVectors) return false;
  const bool is_six = method == F32Products::kBf16x6;
  const std::int64_t least_extent = is_six ? 128 : 64;
  const double least_products = is_six ? 256 * 256 * 128 : 128 * 128 * 128;
  return std::min({m, n, k}) >= least_extent &&
         static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) >= least_products;
}

void f32_tile_gemm(F32Products method, const GemmOperands& p) {
  CORNU_CHECK(p.m >= 0 && p.n >= 0 && p.k >= 0, "m = {}, n = {}, k = {}", p.m, p.n, p.k);
  CORNU_CHECK(!p.accumulate && !p.add && method != F32Products::kVectors);
  if (p.m == 0 || p.n == 0) return;
  if (p.k == 0)
    for (std::int64_t i = 0; i < p.m; ++i) std::fill_n(p.c + i * p.ldc, p.n, 0.0F);
  switch (method) {
    case F32Products::kVectors: return;
    case F32Products::kBf16x1: return multiply<1>(p);
    case F32Products::kBf16x3: return multiply<2>(p);
    case F32Products::kBf16x6: return multiply<3>(p);
  }
}

}  // namespace cornu::inline v0::backends::cpu::kernels
