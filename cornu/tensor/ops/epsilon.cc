#include "cornu/tensor/ops/epsilon.h"

#include <atomic>

namespace cornu::inline v0::detail {
namespace {

std::atomic<double> epsilon_of_all{1e-7};

}  // namespace

double small_number() { return epsilon_of_all.load(std::memory_order_relaxed); }
void set_small_number(double value) { epsilon_of_all.store(value, std::memory_order_relaxed); }

}  // namespace cornu::inline v0::detail
