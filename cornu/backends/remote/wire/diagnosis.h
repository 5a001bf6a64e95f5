#pragma once

#include <string>

#include "cornu/backends/remote/wire/address.h"
#include "cornu/backends/remote/wire/socket.h"
#include "cornu/base/error.h"

namespace cornu::inline v0::backends::remote {

/// The reason why a worker cannot be used, found by separate connections that test one thing after another:
/// gRPC only reports that a link failed. Takes ten seconds at most.
struct Diagnosis {
  /// kUnavailable: a later attempt may succeed; kFailedPrecondition: one side must be configured differently.
  ErrorCode code = ErrorCode::kUnavailable;
  std::string sentence;  // empty: no reason found
  /// True if the worker rejected the response to a challenge, though the token is right: another challenge
  /// may succeed.
  bool is_challenge_refused = false;
};
/// `host`: the worker's addresses.
Diagnosis diagnose_link(const WorkerAddress& address, const std::string& token, const ResolvedHost& host);

}  // namespace cornu::inline v0::backends::remote
