#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cornu/backends/cpu/elements/element_kernels.h"
#include "cornu/backends/cpu/op/element_kernel.h"
#include "cornu/base/cpu_info.h"
#include "cornu/ir/dtype.h"

/// Precompiled kernels, of eager mode above all, built once an instruction set level.
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
  /// Not null: elements are f16 or bf16, and those of the functions f32; these convert them.
  ElementwiseKernel widen = nullptr, narrow = nullptr;
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

/// The kernels of one level. Everything is found once, when a program is prepared; null: there is none.
struct KernelSet {
  std::span<const ElementKernelRow> elements;
  std::span<const ElementKernelRow> other_elements;  // for what is not in the first
  ReduceKernels (*reduce)(Combiner combiner, ir::DType dtype) = nullptr;
  /// Null for f16 and bf16.
  DotKernel (*dot)(ir::DType dtype) = nullptr;

  ElementwiseKernel find(const ElementKernelKey& key) const;
  /// The kernel of an op; null for one that needs parameters too.
  ElementwiseKernel elementwise(const ir::Op& op) const;
  ElementwiseKernel convert(ir::DType from, ir::DType to) const { return find({"convert", "", from, to}); }
  /// The predicate comes first.
  ElementwiseKernel select(ir::DType dtype) const;
};

/// Reductions and products of each level, defined in level.inc.
namespace sse2 {
ReduceKernels find_reduce(Combiner combiner, ir::DType dtype);
DotKernel find_dot(ir::DType dtype);
}  // namespace sse2
namespace avx2 {
ReduceKernels find_reduce(Combiner combiner, ir::DType dtype);
DotKernel find_dot(ir::DType dtype);
}  // namespace avx2

/// AVX-512 has AVX2's kernels where it has none of its own.
const KernelSet& kernel_set(IsaLevel level);

}  // namespace cornu::inline v0::backends::cpu::elements
