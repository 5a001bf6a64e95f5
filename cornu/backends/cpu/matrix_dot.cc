#include "cornu/backends/cpu/matrix_dot.h"

#include <algorithm>

#include "cornu/backends/cpu/flush_denormals.h"
#include "cornu/backends/cpu/kernels/gemm.h"
#include "cornu/backends/cpu/onednn/sgemm.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kFewRows = 64;  // b, read once, takes most of the time
constexpr double kLibraryFlops = 2e7;  // oneDNN is ahead of our kernel from about here
// Beside convolutions the first product by oneDNN in a step takes up to a millisecond of a core more than alone (its buffer's memory). That
// pays in large products.
constexpr double kManyFlops = 1.5e8;
constexpr std::int64_t kVeryLongSum = 8192;  // is added up in parts, or its rounding shows
constexpr std::int64_t kLongSum = 16;        // times as many terms as rows
constexpr std::int64_t kShortSum = 64;
constexpr double kFlopsPerSlice = 1.6e7;  // aim; about 150 microseconds
constexpr double kSmallFlopsPerSlice = 3e5;
constexpr std::int64_t kMaxSlices = 32;
constexpr std::int64_t kRowUnit = 16;
constexpr std::int64_t kLibraryUnit = 64;  // narrower slices of rows cost oneDNN up to a third where the sum is long

bool is_worth_the_library(const MatrixProduct& p, double flops) {
  if (flops < kLibraryFlops || p.transpose_b) return false;
  if (!p.transpose_a && p.m <= kFewRows) return false;
  if (flops >= kManyFlops) return true;
  return p.transpose_a ? p.k > kShortSum : p.k < kLongSum * p.m;
}

std::int64_t power_of_two_at_most(double x) {
  std::int64_t n = 1;
  while (static_cast<double>(2 * n) <= x) n *= 2;
  return n;
}

}  // namespace

MatrixDot choose_matrix_dot(const MatrixProduct& product, const Target& target) {
  MatrixDot dot;
  dot.product = product;
  const double flops = 2.0 * static_cast<double>(product.m) * static_cast<double>(product.n) * static_cast<double>(product.k);
  dot.library = target.isa == IsaLevel::kAvx512 && cpu_isa_level() == IsaLevel::kAvx512 && is_worth_the_library(product, flops);
  // Our kernel packs b anew for every slice of rows, so it likes slices of columns; narrow results leave no choice.
  dot.by_rows = dot.library ? product.m >= 2 * product.n : product.n < 4 * kernels::kGemmColumns;
  const std::int64_t unit = dot.library ? kLibraryUnit : dot.by_rows ? kRowUnit : kernels::kGemmColumns;
  const std::int64_t extent = dot.by_rows ? product.m : product.n;
  const double wanted = flops / (flops >= kFlopsPerSlice ? kFlopsPerSlice : kSmallFlopsPerSlice);
  // A power of two, so that two, four or eight threads get equal shares.
  const std::int64_t most = std::min(kMaxSlices, std::max<std::int64_t>(1, extent / unit));
  dot.num_slices = std::min(power_of_two_at_most(std::max(wanted, 1.0)), power_of_two_at_most(static_cast<double>(most)));
  dot.chunk = (extent + dot.num_slices - 1) / dot.num_slices;
  dot.chunk = (dot.chunk + unit - 1) / unit * unit;
  dot.num_slices = (extent + dot.chunk - 1) / dot.chunk;
  return dot;
}

void run_matrix_dot(const MatrixDot& dot, const Target& target, const float* a, const float* b, float* c, ThreadPool& pool) {
  struct Work {
    const MatrixDot* dot;
    const Target* target;
    const float* a;
    const float* b;
    float* c;
  } work{&dot, &target, a, b, c};
  auto body = [](void* data, std::int64_t slice) {
    const FlushDenormals flush;
    const Work& w = *static_cast<const Work*>(data);
    const MatrixProduct& p = w.dot->product;
    const std::int64_t begin = slice * w.dot->chunk;
    const std::int64_t rows = w.dot->by_rows ? std::min(w.dot->chunk, p.m - begin) : p.m;
    const std::int64_t columns = w.dot->by_rows ? p.n : std::min(w.dot->chunk, p.n - begin);
    const float* const left = w.dot->by_rows ? w.a + begin * (p.transpose_a ? 1 : p.lda) : w.a;
    const float* const right = w.dot->by_rows ? w.b : w.b + begin * (p.transpose_b ? p.ldb : 1);
    float* const out = w.dot->by_rows ? w.c + begin * p.ldc : w.c + begin;
    if (w.dot->library && onednn::sgemm(p.transpose_a, p.transpose_b, rows, columns, p.k, left, p.lda, right, p.ldb, 0.0F, out, p.ldc))
      return;
    const bool in_parts = p.k > kVeryLongSum;
    for (std::int64_t row = 0; in_parts && row < rows; ++row) std::fill_n(out + row * p.ldc, columns, 0.0F);
    kernels::gemm(w.target->isa, {.transpose_a = p.transpose_a,
                                  .transpose_b = p.transpose_b,
                                  .add = in_parts,
                                  .m = rows,
                                  .n = columns,
                                  .k = p.k,
                                  .a = left,
                                  .lda = p.lda,
                                  .b = right,
                                  .ldb = p.ldb,
                                  .c = out,
                                  .ldc = p.ldc});
  };
  pool.parallel_for(dot.num_slices, body, &work);
}

}  // namespace cornu::inline v0::backends::cpu
