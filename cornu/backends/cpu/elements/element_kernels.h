#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "cornu/backends/cpu/op/element_kernel.h"
#include "cornu/base/cpu_info.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {
struct CpuOp;
}

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

/// An elementwise op on scalars, in a function of its own.
struct ScalarOp {
  ir::Function function;
  const ir::Op* op = nullptr;
};

/// Makes the op of a row on operands of `dtype`, as many as its shape rule accepts. The first of three operands
/// is a predicate if the rule demands one. Null if the rule accepts neither.
std::unique_ptr<ScalarOp> make_scalar_op(const CpuOp& row, ir::DType dtype, const ir::Attributes& attributes);

/// The key of an elementwise op's kernel, which may not exist.
ElementKernelKey element_kernel_key(const ir::Op& op);

/// A row of the tables that the build generates. eager_kernels/main.cc writes this layout.
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

/// One level's table, sorted by key. The table of AVX-512 has the kernels that gain from it; their bits are those of AVX2's.
std::span<const ElementKernelRow> element_kernel_rows(IsaLevel level);

}  // namespace cornu::inline v0::backends::cpu::elements
