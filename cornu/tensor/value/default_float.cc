#include "cornu/tensor/value/default_float.h"

#include <atomic>

namespace cornu::inline v0::detail {
namespace {

std::atomic<ir::DType> float_of_all{ir::DType::kF32};
static_assert(std::atomic<ir::DType>::is_always_lock_free);

}  // namespace

ir::DType default_float() { return float_of_all.load(std::memory_order_relaxed); }
void set_default_float(ir::DType dtype) { float_of_all.store(dtype, std::memory_order_relaxed); }

}  // namespace cornu::inline v0::detail
