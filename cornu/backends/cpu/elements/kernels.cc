#include "cornu/backends/cpu/elements/kernels.h"

namespace cornu::inline v0::backends::cpu::elements {

const KernelSet& kernel_set(IsaLevel level) {
  return level == IsaLevel::kSse2 ? sse2::kKernels : avx2::kKernels;
}

}  // namespace cornu::inline v0::backends::cpu::elements
