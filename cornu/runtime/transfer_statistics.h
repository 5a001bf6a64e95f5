#pragma once

#include <cstdint>
#include <string>

namespace cornu::inline v0::runtime {

/// Number and duration of one kind of call of a client, as seen by the host, by the client's clock
/// (Client::now).
struct CallTotal {
  std::int64_t calls = 0;  // round trips
  std::int64_t items = 0;  // buffers, or the steps of executions
  std::int64_t bytes = 0;
  double seconds = 0;
  bool operator==(const CallTotal&) const = default;
};

/// A client's calls to devices that are not addressable. Calls on host memory are not counted.
struct TransferStatistics {
  CallTotal writes;      // host to device
  CallTotal reads;       // device to host
  CallTotal copies;      // device to device
  CallTotal executions;  // counted by the backend
  CallTotal compiles;    // counted by the backend
  bool operator==(const TransferStatistics&) const = default;

  /// The calls made since `before`.
  TransferStatistics since(const TransferStatistics& before) const;
  /// A table with a line for each kind that occurred; empty if none did.
  std::string str() const;
};

}  // namespace cornu::inline v0::runtime
