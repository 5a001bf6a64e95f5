#pragma once

#include <cstdint>
#include <string>

/// Single-precision matrix products by oneDNN.
///
/// oneDNN sits in a module of ours, see module.h.
namespace cornu::inline v0::backends::cpu::onednn {

/// Loads the module, once; true if it is there. `reason`, if given, tells why not. Threads: safe.
bool try_load(std::string* reason = nullptr);

/// Loads the module, and runs a small product so that no step pays for oneDNN's first code generation.
///
/// Errors: NotFound when the module or oneDNN itself is not installed. Call it while compiling a program that is going to call sgemm.
void load();

/// c = op(a) op(b) + beta c, row-major float32, by oneDNN on the calling thread alone. With beta = 0, c is not read.
///
/// op(a) is m x k and op(b) is k x n; a transposed operand is stored the other way round (a: k x m, b: n x k).
/// lda, ldb, ldc: elements from one stored row to the next.
/// The same call gives the same bits. A product computed in slices may differ in the last bits from the whole, at some shapes and levels
/// whatever the slices: they must follow from shapes alone.
///
/// False, and nothing is done, once exit() has begun: oneDNN is gone then.
///
/// Threads: safe; never starts a thread. The calling thread's own OpenMP settings are as before afterwards.
///
/// Errors:  loads the module if load() has not; aborts where that would throw, and on negative extents or too small leading dimensions.
bool sgemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
           const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);

}  // namespace cornu::inline v0::backends::cpu::onednn
