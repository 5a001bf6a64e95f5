#include "cornu/runtime/transfer_statistics.h"

#include <fmt/format.h>

namespace cornu::inline v0::runtime {
namespace {

struct Kind {
  const char* name;
  const char* items;
  CallTotal TransferStatistics::* count;
};
constexpr Kind kKinds[] = {{"write", "buffers", &TransferStatistics::writes},
                           {"read", "buffers", &TransferStatistics::reads},
                           {"copy", "buffers", &TransferStatistics::copies},
                           {"execute", "steps", &TransferStatistics::executions},
                           {"compile", "programs", &TransferStatistics::compiles}};

}  // namespace

TransferStatistics TransferStatistics::since(const TransferStatistics& before) const {
  TransferStatistics result = *this;
  for (const Kind& kind : kKinds) {
    CallTotal& count = result.*kind.count;
    const CallTotal& earlier = before.*kind.count;
    count.calls -= earlier.calls;
    count.items -= earlier.items;
    count.bytes -= earlier.bytes;
    count.seconds -= earlier.seconds;
  }
  return result;
}

std::string TransferStatistics::str() const {
  std::string rows;
  for (const Kind& kind : kKinds) {
    const CallTotal& count = this->*kind.count;
    if (count.calls == 0) continue;
    rows += fmt::format("{:<10}{:>10}{:>12} {:<9}{:>16}{:>14.6f}\n", kind.name, count.calls, count.items,
                        kind.items, count.bytes, count.seconds);
  }
  if (rows.empty()) return rows;
  return fmt::format("{:<10}{:>10}{:>12} {:<9}{:>16}{:>14}\n", "call", "how often", "of", "", "bytes",
                     "seconds") +
         rows;
}

}  // namespace cornu::inline v0::runtime
