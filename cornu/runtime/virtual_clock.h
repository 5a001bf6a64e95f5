#pragma once

#include <optional>

namespace cornu::inline v0::runtime {

class Client;

/// Interface of clients whose now() may be a virtual clock, which only the device's work advances.
/// Threads: safe.
class VirtualClock {
 public:
  VirtualClock() = default;
  virtual ~VirtualClock();
  VirtualClock(const VirtualClock&) = delete;
  VirtualClock& operator=(const VirtualClock&) = delete;

  /// False if now() is the host's time.
  virtual bool has_virtual_clock() const = 0;
};

/// The client's now() if it is a virtual clock; empty for other clients.
std::optional<double> virtual_now(const Client& client);

}  // namespace cornu::inline v0::runtime
