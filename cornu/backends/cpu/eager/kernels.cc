#include "cornu/backends/cpu/eager/kernels.h"

namespace cornu::inline v0::backends::cpu::eager {

const KernelSet& kernel_set(IsaLevel level) { return level == IsaLevel::kSse2 ? sse2::kKernels : avx2::kKernels; }

}  // namespace cornu::inline v0::backends::cpu::eager
