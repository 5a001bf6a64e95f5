#include "cornu/backends/cpu/elements/element_kernels.h"

namespace cornu::inline v0::backends::cpu::elements {

std::span<const ElementKernelRow> element_kernel_rows(IsaLevel level) {
  const auto rows = [](const ElementKernelRow* first, std::int64_t size) {
    return std::span(first, static_cast<std::size_t>(size));
  };
  switch (level) {
    case IsaLevel::kSse2: return rows(cornu_element_kernels_sse2, cornu_element_kernels_sse2_size);
    case IsaLevel::kAvx2: return rows(cornu_element_kernels_avx2, cornu_element_kernels_avx2_size);
    case IsaLevel::kAvx512: break;
  }
  return rows(cornu_element_kernels_avx512, cornu_element_kernels_avx512_size);
}

}  // namespace cornu::inline v0::backends::cpu::elements
