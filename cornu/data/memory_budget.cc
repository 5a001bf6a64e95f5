#include "cornu/data/memory_budget.h"

#include "cornu/base/checked_size.h"

namespace cornu::inline v0::data {

MemoryBudget::MemoryBudget() : limit_bytes_(memory_budget_bytes() / 8) {}

}  // namespace cornu::inline v0::data
