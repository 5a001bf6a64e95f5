#pragma once

#include <cstdint>

namespace cornu::inline v0::runtime {

/// What a Client whose devices are in another process can do besides (Client::distant). Its executions gather
/// rows from buffers there as well as from what is sent with them: data that are used again are better kept
/// there.
class DistantClient {
 public:
  DistantClient() = default;
  virtual ~DistantClient();
  DistantClient(const DistantClient&) = delete;
  DistantClient& operator=(const DistantClient&) = delete;

  /// Connects again after an error of code kUnavailable. What buffers held is lost: reading them is
  /// FailedPrecondition until they are written again. Programs stay usable.
  /// Errors: kUnavailable when nobody answers yet; others when it makes no sense to ask again.
  virtual void reconnect() = 0;
  /// Changes whenever what buffers held is lost.
  virtual std::uint64_t generation() const = 0;
};

}  // namespace cornu::inline v0::runtime
