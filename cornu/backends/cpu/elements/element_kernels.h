#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cornu/backends/cpu/op/element_kernel.h"
#include "cornu/base/cpu_info.h"
#include "cornu/ir/graph.h"

/// Elementwise kernels, made from the code of fused loops when Cornu is built: see eager_kernels.
namespace cornu::inline v0::backends::cpu::elements {

/// Identifies a kernel within a level.
struct ElementKernelKey {
  std::string_view op;                  // StableHLO's name
  std::string_view variant;             // see ElementKernelColumn
  ir::DType operand = ir::DType::kF32;  // of the last operand
  ir::DType result = ir::DType::kF32;
  auto operator<=>(const ElementKernelKey&) const = default;
};

/// The key of an elementwise op's kernel, whether there is one or not.
ElementKernelKey element_kernel_key(const ir::Op& op);

/// A row of the tables that the build generates. The layout is known to eager_kernels/main.cc.
struct ElementKernelRow {
  const char* op = nullptr;
  const char* variant = nullptr;
  ir::DType operand = ir::DType::kF32;
  ir::DType result = ir::DType::kF32;
  ElementwiseKernel kernel = nullptr;

  ElementKernelKey key() const { return {op, variant, operand, result}; }
};

// Made by eager_kernels when Cornu is built (cmake/EagerKernels.cmake).
extern "C" {
extern const ElementKernelRow cornu_element_kernels_sse2[], cornu_element_kernels_avx2[],
    cornu_element_kernels_avx512[];
extern const std::int64_t cornu_element_kernels_sse2_size, cornu_element_kernels_avx2_size,
    cornu_element_kernels_avx512_size;
}

/// One level's table, sorted by key. That of AVX-512 has what is faster by it, with the bits of AVX2's.
std::span<const ElementKernelRow> element_kernel_rows(IsaLevel level);

}  // namespace cornu::inline v0::backends::cpu::elements
