#pragma once

#include <cstdint>
#include <string>

namespace cornu::inline v0::runtime {

/// How often a client did one kind of thing, and how long the host saw it take, by the client's clock
/// (Client::now).
struct CallCount {
  std::int64_t calls = 0;  // round trips
  std::int64_t items = 0;  // buffers, or the steps of executions
  std::int64_t bytes = 0;
  double seconds = 0;
  bool operator==(const CallCount&) const = default;
};

/// What a client did on devices that are not the host's memory; on the host nothing is counted.
struct CallCounts {
  CallCount writes;      // host to device
  CallCount reads;       // device to host
  CallCount copies;      // device to device
  CallCount executions;  // counted by the backend
  CallCount compiles;    // counted by the backend
  bool operator==(const CallCounts&) const = default;

  /// What was done since `before`.
  CallCounts since(const CallCounts& before) const;
  /// A table, one line a kind that occurred; empty when none did.
  std::string str() const;
};

}  // namespace cornu::inline v0::runtime
