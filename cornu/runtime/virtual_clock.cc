#include "cornu/runtime/virtual_clock.h"

#include "cornu/runtime/client.h"

namespace cornu::inline v0::runtime {

VirtualClock::~VirtualClock() = default;

std::optional<double> virtual_now(const Client& client) {
  const auto* const clock = dynamic_cast<const VirtualClock*>(&client);
  if (clock == nullptr || !clock->has_virtual_clock()) return std::nullopt;
  return client.now();
}

}  // namespace cornu::inline v0::runtime
