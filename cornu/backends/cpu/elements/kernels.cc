#include "cornu/backends/cpu/elements/kernels.h"

#include <algorithm>

#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::elements {
namespace {

/// The dtype whose kernels move elements of `dtype`.
ir::DType moved_as(ir::DType dtype) {
  switch (ir::size_bytes(dtype)) {
    case 1: return ir::DType::kU8;
    case 2: return ir::DType::kU16;
    case 4: return ir::DType::kU32;
    default: return ir::DType::kU64;
  }
}

}  // namespace

ElementKernelKey element_kernel_key(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  const ElementKernelColumn kernels = row == nullptr ? ElementKernelColumn() : row->kernels_from_code;
  ElementKernelKey key = {op.name(), "", op.operands().back().dtype(), op.result().dtype()};
  if (kernels.variant != nullptr) key.variant = kernels.variant(op);
  if (kernels.moves_bits) key.operand = key.result = moved_as(key.result);
  return key;
}

ElementwiseKernel KernelSet::select(ir::DType dtype) const {
  return find({"select", "", moved_as(dtype), moved_as(dtype)});
}

ElementwiseKernel KernelSet::find(const ElementKernelKey& key) const {
  const auto is_before = [](const ElementKernelRow& row, const ElementKernelKey& wanted) {
    return row.key() < wanted;
  };
  for (const std::span<const ElementKernelRow> rows : {elements, other_elements}) {
    const auto found = std::lower_bound(rows.begin(), rows.end(), key, is_before);
    if (found != rows.end() && found->key() == key) return found->kernel;
  }
  return nullptr;
}

ElementwiseKernel KernelSet::elementwise(const ir::Op& op) const {
  const CpuOp* const row = find_cpu_op(op);
  if (row == nullptr || row->emit == nullptr || row->kernels_from_code.num_parameters > 0) return nullptr;
  return find(element_kernel_key(op));
}

namespace {

/// f16 and bf16 are reduced as f32.
template <IsaLevel kLevel>
ReduceKernels find_reduction(Combiner combiner, ir::DType dtype) {
  const auto find = kLevel == IsaLevel::kSse2 ? sse2::find_reduce : avx2::find_reduce;
  if (dtype != ir::DType::kF16 && dtype != ir::DType::kBF16) return find(combiner, dtype);
  ReduceKernels kernels = find(combiner, ir::DType::kF32);
  kernels.widen = kernel_set(kLevel).convert(dtype, ir::DType::kF32);
  kernels.narrow = kernel_set(kLevel).convert(ir::DType::kF32, dtype);
  return kernels;
}

}  // namespace

const KernelSet& kernel_set(IsaLevel level) {
  static const KernelSet sse2 = {
      element_kernel_rows(IsaLevel::kSse2), {}, find_reduction<IsaLevel::kSse2>, sse2::find_dot};
  static const KernelSet avx2 = {
      element_kernel_rows(IsaLevel::kAvx2), {}, find_reduction<IsaLevel::kAvx2>, avx2::find_dot};
  static const KernelSet avx512 = {element_kernel_rows(IsaLevel::kAvx512), avx2.elements, avx2.reduce,
                                   avx2.dot};
  switch (level) {
    case IsaLevel::kSse2: return sse2;
    case IsaLevel::kAvx2: return avx2;
    case IsaLevel::kAvx512: break;
  }
  return avx512;
}

}  // namespace cornu::inline v0::backends::cpu::elements
