#include "cornu/backends/cpu/kernels/matrix_dot.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cornu/backends/cpu/kernels/bf16_gemm.h"
#include "cornu/backends/cpu/kernels/bf16_tile_gemm.h"
#include "cornu/backends/cpu/kernels/f32_tile_gemm.h"
#include "cornu/backends/cpu/kernels/flush_denormals.h"
#include "cornu/backends/cpu/kernels/gemm.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kVeryLongSum = 8192;  // is added up in parts, or its rounding shows
// A gradient of weights over as many rows is bound by the reading of its operands, which parts read once.
constexpr std::int64_t kLongGradient = 2048;
constexpr std::int64_t kChain = 512;  // products that kernels add up before c is read again
// The most parts of a long sum, if c is small enough to be written for each and the product is worth the sum
// of parts. No part is shorter than a chain.
constexpr std::int64_t kDepthParts = 8;
constexpr std::int64_t kMostPartialElements = std::int64_t{1} << 18;
constexpr double kLeastFlopsInParts = 4e7;
// More rows than these are worth an exchange of the operands: b is packed once for all of them.
constexpr std::int64_t kFewRows = 64;
// Several, so that a thread which others keep busy delays the rest little.
constexpr std::int64_t kSlicesPerThread = 4;
constexpr std::int64_t kMaxSlices = 64;

/// Costs that decide how slices are cut.
struct SliceCosts {
  double flops_per_slice = 3e5;  // at least; some microseconds
  std::int64_t row_unit = 16, block_columns = 0;
  // What it costs to bring an element of b into the kernel's order, and to read one of a, in multiply-adds of
  // that element.
  double pack_b = 10, read_a = 6;
  bool may_be_fewer = false;  // half of kSlicesPerThread, if that saves packing
};

/// Costs of products by tiles. Packing takes about the same time for one to three parts; fewer products take
/// less.
SliceCosts tile_costs(F32Products f32, const MatrixProduct& product) {
  SliceCosts costs{.flops_per_slice = 4e6,
                   .row_unit = kernels::kF32TileRows,
                   .block_columns = kernels::f32_tile_block_columns(f32, product.k),
                   .pack_b = 40,
                   .read_a = 25,
                   .may_be_fewer = true};
  const double products = f32 == F32Products::kBf16x6 ? 1 : f32 == F32Products::kBf16x3 ? 0.6 : 0.3;
  costs.flops_per_slice /= products;
  costs.pack_b /= products;
  costs.read_a /= products;
  return costs;
}

SliceCosts slice_costs(const MatrixKernel& kernel, F32Products f32, const MatrixProduct& product) {
  if (f32 != F32Products::kVectors) return tile_costs(f32, product);
  if (kernel.bf16 != Bf16Level::kTiles) {
    SliceCosts costs{.block_columns = kernels::gemm_block_columns(kernel.isa)};
    if (!product.transpose_a || kernel.bf16 != Bf16Level::kNone) return costs;
    // A gradient of weights, as a rule: each slice reads a part of every line of both operands, which are
    // long in memory. Wide parts of b's lines cost less than narrow ones.
    costs.pack_b = 4;
    costs.read_a = 12;
    costs.may_be_fewer = true;
    return costs;
  }
  return {.flops_per_slice = 2.4e6,
          .row_unit = kernels::kBf16TileRows,
          .block_columns = product.n,
          .pack_b = 90,
          .read_a = 110,
          .may_be_fewer = true};
}

/// Vectors where the product is too small for tiles, by its whole shape: bits do not depend on slices.
F32Products f32_products(const MatrixKernel& kernel, const MatrixProduct& p) {
  return kernels::f32_tiles_pay(kernel.f32, p.m, p.n, p.k) ? kernel.f32 : F32Products::kVectors;
}

std::int64_t power_of_two_at_most(double x) {
  std::int64_t n = 1;
  while (static_cast<double>(2 * n) <= x) n *= 2;
  return n;
}

/// The extent of one of `parts` pieces: multiples of `unit`.
std::int64_t piece(std::int64_t extent, std::int64_t parts, std::int64_t unit) {
  return divide_up(divide_up(extent, parts), unit) * unit;
}

/// One slice's work on one matrix: where it begins in the three tensors, in elements.
struct Piece {
  std::int64_t a = 0, b = 0, c = 0;
  std::int64_t rows = 0, columns = 0;
};

/// The matrix at place `index` of the batch.
Piece matrix_at(const MatrixProduct& p, std::int64_t index) {
  Piece out{.rows = p.m, .columns = p.n};
  for (std::size_t i = p.batch.size(); i-- > 0;) {
    const DotAxis& axis = p.batch[i];
    const std::int64_t at = index % axis.extent;
    index /= axis.extent;
    out.a += at * axis.a;
    out.b += at * axis.b;
    out.c += at * axis.c;
  }
  return out;
}

/// Slice `slice` of a dot whose matrices are cut.
Piece part_at(const MatrixDot& dot, std::int64_t slice) {
  const MatrixProduct& p = dot.product;
  const std::int64_t column_parts = divide_up(p.n, dot.columns), row_parts = divide_up(p.m, dot.rows);
  Piece piece = matrix_at(p, slice / (column_parts * row_parts));
  const std::int64_t row = slice / column_parts % row_parts * dot.rows,
                     column = slice % column_parts * dot.columns;
  piece.a += row * (p.transpose_a ? 1 : p.lda);
  piece.b += column * (p.transpose_b ? p.ldb : 1);
  piece.c += row * p.ldc + column;
  piece.rows = std::min(dot.rows, p.m - row);
  piece.columns = std::min(dot.columns, p.n - column);
  return piece;
}

/// The pieces of one slice, one after the other.
struct Pieces {
  const MatrixDot& dot;
  std::int64_t index, end;

  Pieces(const MatrixDot& its_dot, std::int64_t slice)
      : dot(its_dot),
        index(slice * dot.matrices),
        end(dot.matrices == 1 ? index + 1 : std::min(index + dot.matrices, dot.product.num_matrices())) {}
  Piece at(std::int64_t i) const { return dot.matrices == 1 ? part_at(dot, i) : matrix_at(dot.product, i); }
};

/// multiply(piece, next) for all pieces, in parallel slices. `next` is the piece that the same thread probably
/// multiplies after this one: threads take slices in turn. It is `piece` itself where none follows.
template <typename Multiply>
void run_pieces(const MatrixDot& dot, ThreadPool& pool, const Multiply& multiply) {
  struct Work {
    const MatrixDot& dot;
    const Multiply& multiply;
    int num_threads;
  } work{dot, multiply, pool.num_threads()};
  const auto body = [](void* data, std::int64_t slice) {
    const FlushDenormals flush;
    const Work& w = *static_cast<const Work*>(data);
    const Pieces pieces(w.dot, slice);
    Piece piece = pieces.at(pieces.index);
    for (std::int64_t index = pieces.index; index < pieces.end; ++index) {
      const std::int64_t next_slice = slice + w.num_threads;
      const Piece next = index + 1 < pieces.end          ? pieces.at(index + 1)
                         : next_slice < w.dot.num_slices ? pieces.at(next_slice * w.dot.matrices)
                                                         : piece;
      w.multiply(piece, next);
      piece = next;
    }
  };
  pool.parallel_for(dot.num_slices, body, &work);
}

}  // namespace

std::int64_t MatrixProduct::num_matrices() const {
  std::int64_t count = 1;
  for (const DotAxis& axis : batch) count *= axis.extent;
  return count;
}

double MatrixProduct::flops() const {
  return 2.0 * static_cast<double>(num_matrices()) * static_cast<double>(m) * static_cast<double>(n) *
         static_cast<double>(k);
}

namespace {

/// The shares of a product's time that go into packing b, which each slice of rows repeats, and into
/// reading a, which each block of columns repeats.
double packing_cost(std::int64_t rows, std::int64_t columns, const SliceCosts& costs) {
  return costs.pack_b / static_cast<double>(rows) +
         costs.read_a / static_cast<double>(std::min(columns, costs.block_columns));
}

/// The number of pieces of a matrix that are wanted, and the fewest that keep all threads busy.
struct Parts {
  std::int64_t wanted = 1, fewest = 1;
};

/// Cuts each matrix's c into as many pieces as are wanted, if possible, where they cost the least packing.
void cut(MatrixDot& dot, const Parts& parts, const SliceCosts& costs) {
  constexpr double kWaiting = 1.03;  // of threads for each other, if pieces are larger than wanted
  const MatrixProduct& p = dot.product;
  double least = std::numeric_limits<double>::infinity();
  const auto try_pieces = [&](std::int64_t column_parts, std::int64_t num_wanted) {
    const std::int64_t columns = std::min(p.n, piece(p.n, column_parts, kernels::kGemmColumns));
    const std::int64_t row_parts = std::max<std::int64_t>(1, divide_up(num_wanted, divide_up(p.n, columns)));
    const std::int64_t rows = std::min(p.m, piece(p.m, row_parts, costs.row_unit));
    const std::int64_t num_parts = divide_up(p.n, columns) * divide_up(p.m, rows);
    const double missing = static_cast<double>(parts.wanted) / static_cast<double>(num_parts);
    const double waiting = num_parts >= parts.wanted ? 1 : num_parts >= parts.fewest ? kWaiting : missing;
    const double cost = (1 + packing_cost(rows, columns, costs)) * waiting;
    if (cost >= least) return;
    least = cost;
    dot.rows = rows;
    dot.columns = columns;
  };
  for (std::int64_t column_parts = 1; column_parts <= kMaxSlices; column_parts *= 2) {
    try_pieces(column_parts, parts.wanted);
    if (parts.fewest < parts.wanted) try_pieces(column_parts, parts.fewest);
  }
}

constexpr std::int64_t kPartUnit = 16;

std::int64_t part_depth(const MatrixProduct& p) {
  return std::max(kChain, piece(p.k, kDepthParts, kPartUnit));
}

/// The number of parts of the depth, by the shape alone.
std::int64_t depth_parts(const MatrixProduct& p) {
  const bool is_deep = p.k > kVeryLongSum || (p.transpose_a && p.k >= kLongGradient);
  const bool pays = p.batch.empty() && p.flops() >= kLeastFlopsInParts && p.m * p.n <= kMostPartialElements;
  return is_deep && pays ? divide_up(p.k, part_depth(p)) : 1;
}

}  // namespace

std::int64_t partial_product_floats(const MatrixProduct& p) {
  return depth_parts(p) > 1 ? depth_parts(p) * p.m * p.n : 0;
}

namespace {

/// The partial products as products of a batch; the last one's depth may be less.
MatrixProduct partial_products(MatrixProduct p, bool is_exchanged) {
  const std::int64_t num_parts = depth_parts(p);
  if (is_exchanged) {
    std::swap(p.m, p.n);
    std::swap(p.lda, p.ldb);
    std::swap(p.transpose_a, p.transpose_b);
    p.transpose_a = !p.transpose_a;
    p.transpose_b = !p.transpose_b;
  }
  p.k = part_depth(p);
  p.ldc = p.n;
  p.batch = {{num_parts, p.k * (p.transpose_a ? p.lda : 1), p.k * (p.transpose_b ? 1 : p.ldb), p.m * p.n}};
  return p;
}

}  // namespace

MatrixKernel matrix_kernel(const Target& target, bool is_bf16) {
  if (is_bf16) return {.isa = target.isa, .bf16 = target.bf16};
  return {.isa = target.isa, .f32 = target.f32};
}

MatrixDot slice_matrix_product(const MatrixProduct& product, const MatrixKernel& kernel, int num_threads) {
  if (const std::int64_t num_parts = depth_parts(product); kernel.bf16 == Bf16Level::kNone && num_parts > 1) {
    const bool is_exchanged = product.m <= kFewRows && product.n > kFewRows;
    MatrixDot dot = slice_matrix_product(partial_products(product, is_exchanged), kernel, num_threads);
    dot.product = product;
    dot.depth_parts = num_parts;
    dot.is_exchanged = is_exchanged;
    return dot;
  }
  const F32Products f32 = f32_products(kernel, product);
  const SliceCosts costs = slice_costs(kernel, f32, product);
  MatrixDot dot{.product = product, .rows = product.m, .columns = product.n, .f32 = f32};
  const std::int64_t matrices = product.num_matrices();
  if (matrices == 0 || product.m == 0 || product.n == 0) {
    dot.num_slices = 0;
    return dot;
  }
  // A power of two, so that two, four or eight threads get equal shares.
  const std::int64_t most = std::min(kMaxSlices, num_threads > 1 ? kSlicesPerThread * num_threads : 1);
  const std::int64_t wanted =
      power_of_two_at_most(std::min(static_cast<double>(most), product.flops() / costs.flops_per_slice));
  if (matrices >= wanted) {
    dot.matrices = divide_up(matrices, wanted);
    dot.num_slices = divide_up(matrices, dot.matrices);
    return dot;
  }
  const std::int64_t fewest = costs.may_be_fewer && wanted == most && num_threads > 1 ? wanted / 2 : wanted;
  cut(dot, {divide_up(wanted, matrices), divide_up(fewest, matrices)}, costs);
  dot.num_slices = matrices * divide_up(product.n, dot.columns) * divide_up(product.m, dot.rows);
  return dot;
}

namespace {

/// One slice's part of a product.
kernels::GemmOperands operands_of(const MatrixProduct& p, const Piece& piece, const Piece& next,
                                  const float* a, const float* b, float* c) {
  const bool has_next = next.rows == piece.rows && next.columns == piece.columns;
  return {.transpose_a = p.transpose_a,
          .transpose_b = p.transpose_b,
          .m = piece.rows,
          .n = piece.columns,
          .k = p.k,
          .a = a + piece.a,
          .lda = p.lda,
          .b = b + piece.b,
          .ldb = p.ldb,
          .c = c + piece.c,
          .ldc = p.ldc,
          .next_a = has_next && next.a != piece.a ? a + next.a : nullptr,
          .next_b = has_next && next.b != piece.b ? b + next.b : nullptr};
}

/// Computes c's piece as the sum of chains of products.
void add_chains(const MatrixDot& dot, const Target& target, kernels::GemmOperands operands) {
  if (dot.f32 != F32Products::kVectors) return kernels::f32_tile_gemm(dot.f32, operands);
  if (operands.k <= kChain) return kernels::gemm(target.isa, operands);
  for (std::int64_t row = 0; row < operands.m; ++row)
    std::fill_n(operands.c + row * operands.ldc, operands.n, 0.0F);
  operands.add = true;
  kernels::gemm(target.isa, operands);
}

/// Adds partial products, each as large as c, in order; rows of c in parallel.
void add_partial_products(const MatrixDot& dot, const float* partial, float* c, ThreadPool& pool) {
  constexpr std::int64_t kElementsPerSlice = 4096;
  struct Work {
    const MatrixDot& dot;
    const float* partial;
    float* c;
    std::int64_t rows;
  } work{dot, partial, c, std::max<std::int64_t>(1, kElementsPerSlice / dot.product.n)};
  const auto body = [](void* data, std::int64_t slice) {
    const FlushDenormals flush;
    const Work& w = *static_cast<const Work*>(data);
    const MatrixProduct& p = w.dot.product;
    const std::int64_t row_stride = w.dot.is_exchanged ? 1 : p.n,
                       column_stride = w.dot.is_exchanged ? p.m : 1;
    for (std::int64_t i = slice * w.rows; i < std::min(p.m, (slice + 1) * w.rows); ++i) {
      float* const to = w.c + i * p.ldc;
      const float* from = w.partial + i * row_stride;
      for (std::int64_t j = 0; j < p.n; ++j) to[j] = from[j * column_stride];
      for (std::int64_t part = 1; part < w.dot.depth_parts; ++part) {
        from += p.m * p.n;
        for (std::int64_t j = 0; j < p.n; ++j) to[j] += from[j * column_stride];
      }
    }
  };
  pool.parallel_for(divide_up(dot.product.m, work.rows), body, &work);
}

void run_depth_parts(const MatrixDot& dot, const Target& target, const float* a, const float* b, float* c,
                     float* partial, ThreadPool& pool) {
  MatrixDot parts = dot;
  parts.product = partial_products(dot.product, dot.is_exchanged);
  const MatrixProduct& p = parts.product;
  if (dot.is_exchanged) std::swap(a, b);
  run_pieces(parts, pool, [&](const Piece& piece, const Piece& next) {
    kernels::GemmOperands operands = operands_of(p, piece, next, a, b, partial);
    operands.k = std::min(p.k, dot.product.k - piece.c / (p.m * p.n) * p.k);
    add_chains(dot, target, operands);
  });
  add_partial_products(dot, partial, c, pool);
}

}  // namespace

void run_matrix_dot(const MatrixDot& dot, const Target& target, const float* a, const float* b, float* c,
                    float* partial, ThreadPool& pool) {
  if (dot.depth_parts > 1) return run_depth_parts(dot, target, a, b, c, partial, pool);
  const MatrixProduct& p = dot.product;
  const bool in_chains = p.k > kVeryLongSum;
  run_pieces(dot, pool, [&](const Piece& piece, const Piece& next) {
    const kernels::GemmOperands operands = operands_of(p, piece, next, a, b, c);
    if (in_chains || dot.f32 != F32Products::kVectors) return add_chains(dot, target, operands);
    kernels::gemm(target.isa, operands);
  });
}

void run_bf16_matrix_dot(const MatrixDot& dot, const Target& target, const std::uint16_t* a,
                         const std::uint16_t* b, std::uint16_t* c, float* sums, ThreadPool& pool) {
  const MatrixProduct& p = dot.product;
  const auto multiply = target.bf16 == Bf16Level::kTiles ? &kernels::bf16_tile_gemm : &kernels::bf16_gemm;
  run_pieces(dot, pool, [&](const Piece& piece, const Piece&) {
    multiply({.transpose_a = p.transpose_a,
              .transpose_b = p.transpose_b,
              .m = piece.rows,
              .n = piece.columns,
              .k = p.k,
              .a = a + piece.a,
              .lda = p.lda,
              .b = b + piece.b,
              .ldb = p.ldb,
              .c = c + piece.c,
              .ldc = p.ldc,
              .sums = sums == nullptr ? nullptr : sums + piece.c});
  });
}

}  // namespace cornu::inline v0::backends::cpu
