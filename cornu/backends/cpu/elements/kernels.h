#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cornu/backends/cpu/op/element_kernel.h"
#include "cornu/base/cpu_info.h"
#include "cornu/ir/dtype.h"

/// Precompiled kernels, of eager mode above all: C++ loops that the compiler vectorizes, built once an
/// instruction set level.
namespace cornu::inline v0::backends::cpu::elements {

/// The parts of a reduction. Accumulators are wider than elements where that keeps digits (f64 for floats),
/// `accumulator_bytes` each.
struct ReduceKernels {
  std::size_t accumulator_bytes = 0;
  /// accumulators[0 .. n) = *value
  void (*fill)(std::int64_t n, const std::byte* value, std::byte* accumulators) = nullptr;
  /// accumulators[0 .. n) = what changes nothing: 0 for sums
  void (*fill_neutral)(std::int64_t n, std::byte* accumulators) = nullptr;
  /// accumulators[0] combined with x[0 .. n)
  void (*fold)(std::int64_t n, const std::byte* x, std::byte* accumulators) = nullptr;
  /// accumulators[i] combined with x[i]
  void (*add_row)(std::int64_t n, const std::byte* x, std::byte* accumulators) = nullptr;
  /// accumulators[i] combined with others[i]
  void (*merge)(std::int64_t n, const std::byte* others, std::byte* accumulators) = nullptr;
  /// out[i] = accumulators[i], rounded
  void (*finish)(std::int64_t n, const std::byte* accumulators, std::byte* out) = nullptr;
};

/// c[i][j] = sum over k of a[i][k] b[k][j]: c is row-major [m, n]; strides in elements.
struct DotArguments {
  std::int64_t m = 0, n = 0, k = 0;
  const std::byte* a = nullptr;
  std::int64_t a_row = 0, a_column = 0;
  const std::byte* b = nullptr;
  std::int64_t b_row = 0, b_column = 0;
  std::byte* c = nullptr;
};
using DotKernel = void (*)(const DotArguments&);

/// The kernels of one level. Everything is found by StableHLO's names, once, when a program is prepared;
/// null: there is none.
struct KernelSet {
  /// The operands, or the first of them, are of `dtype`. The kernels stand in the ops' folders
  /// (cornu/ops/x/x_elements.inc).
  ElementwiseKernel (*elementwise)(std::string_view op, ir::DType dtype) = nullptr;
  /// `direction`: EQ, NE, GE, GT, LE or LT.
  ElementwiseKernel (*compare)(std::string_view direction, ir::DType dtype) = nullptr;
  ElementwiseKernel (*convert)(ir::DType from, ir::DType to) = nullptr;
  /// The predicate comes first.
  ElementwiseKernel (*select)(ir::DType dtype) = nullptr;
  /// Low, x, high.
  ElementwiseKernel (*clamp)(ir::DType dtype) = nullptr;
  ReduceKernels (*reduce)(Combiner combiner, ir::DType dtype) = nullptr;
  DotKernel (*dot)(ir::DType dtype) = nullptr;
};

/// Kernels without a level of their own for AVX-512 use AVX2's.
const KernelSet& kernel_set(IsaLevel level);

namespace sse2 {
extern const KernelSet kKernels;
}
namespace avx2 {
extern const KernelSet kKernels;
}

}  // namespace cornu::inline v0::backends::cpu::elements
