#pragma once

#include "cornu/tensor/ops/types.h"

/// Random bits by counter; distributions are in cornu/tensor/random.h.
namespace cornu::inline v0::ops {

/// 32 random bits an element (uint32), by threefry of (key, counter, row-major index).
Tensor random_bits(std::uint32_t key0, std::uint32_t key1, const Tensor& counter, const Dims& shape);
/// Uniform in [0, 1), by threefry bits of (key, counter, row-major index).
Tensor random_uniform(std::uint32_t key0, std::uint32_t key1, const Tensor& counter, const Dims& shape,
                      DType dtype = DType::kF32);

}  // namespace cornu::inline v0::ops
