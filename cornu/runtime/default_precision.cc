#include "cornu/runtime/default_precision.h"

#include <atomic>

namespace cornu::inline v0::runtime {
namespace {

std::atomic<Precision> of_process{Precision::kAuto};

}  // namespace

Precision default_precision() { return of_process.load(std::memory_order_relaxed); }

void set_default_precision(Precision precision) { of_process.store(precision, std::memory_order_relaxed); }

Precision precision_or_default(Precision precision) {
  return precision == Precision::kAuto ? default_precision() : precision;
}

}  // namespace cornu::inline v0::runtime
