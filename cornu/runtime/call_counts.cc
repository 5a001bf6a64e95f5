#include "cornu/runtime/call_counts.h"

#include <fmt/format.h>

namespace cornu::inline v0::runtime {
namespace {

struct Kind {
  const char* name;
  const char* items;
  CallCount CallCounts::* count;
};
constexpr Kind kKinds[] = {{"write", "buffers", &CallCounts::writes},
                           {"read", "buffers", &CallCounts::reads},
                           {"copy", "buffers", &CallCounts::copies},
                           {"execute", "steps", &CallCounts::executions},
                           {"compile", "programs", &CallCounts::compiles}};

}  // namespace

CallCounts CallCounts::since(const CallCounts& before) const {
  CallCounts result = *this;
  for (const Kind& kind : kKinds) {
    CallCount& count = result.*kind.count;
    const CallCount& earlier = before.*kind.count;
    count.calls -= earlier.calls;
    count.items -= earlier.items;
    count.bytes -= earlier.bytes;
    count.seconds -= earlier.seconds;
  }
  return result;
}

std::string CallCounts::str() const {
  std::string rows;
  for (const Kind& kind : kKinds) {
    const CallCount& count = this->*kind.count;
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
