#pragma once

#include <cstdint>
#include <string>

namespace cornu::inline v0::runtime {

/// Number and duration of one kind of call of a client, as seen by the host, by the client's clock
/// (Client::now).
struct CallCount {
  std::int64_t calls = 0;  // round trips
  std::int64_t items = 0;  // buffers, or the steps of executions
  std::int64_t bytes = 0;
  double seconds = 0;
  bool operator==(const CallCount&) const = default;
};

/// A client's calls to devices that are not addressable. Calls on host memory are not counted.
struct CallCounts {
  CallCount writes;      // host to device
  CallCount reads;       // device to host
  CallCount copies;      // device to device
  CallCount executions;  // counted by the backend
  CallCount compiles;    // counted by the backend
  bool operator==(const CallCounts&) const = default;

  /// The calls made since `before`.
  CallCounts since(const CallCounts& before) const;
  /// A table with a line for each kind that occurred; empty if none did.
  std::string str() const;
};

}  // namespace cornu::inline v0::runtime
