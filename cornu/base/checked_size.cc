#include "cornu/base/checked_size.h"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/cpu_budget.h"

namespace cornu::inline v0 {

void CheckedSize::fail_beyond(std::string_view what) {
  fail(ErrorCode::kResourceExhausted, "{} is beyond 63 bits", what);
}

std::int64_t memory_budget_bytes() {
  static const std::int64_t result = [] {
    double memory =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    if (const std::optional<double> limit = cgroup_memory_limit_bytes()) memory = std::min(memory, *limit);
    struct sysinfo info = {};
    const double swap = sysinfo(&info) == 0 ? static_cast<double>(info.totalswap) * info.mem_unit : 0;
    return static_cast<std::int64_t>(memory + swap);
  }();
  return result;
}

void fail_no_memory(CheckedSize num_bytes, std::string_view what) {
  if (num_bytes.is_beyond())
    fail(ErrorCode::kResourceExhausted, "{} takes more bytes than 63 bits can count", what);
  fail(ErrorCode::kResourceExhausted,
       "{} takes {} bytes, for which there is no memory; this process can have {}", what,
       num_bytes.value(what), memory_budget_bytes());
}

}  // namespace cornu::inline v0
