#pragma once

#include <string>

#include "cornu/backends/remote/wire/address.h"
#include "cornu/backends/remote/wire/socket.h"
#include "cornu/base/error.h"

namespace cornu::inline v0::backends::remote {

/// Why a worker cannot be spoken to, found out by connections of its own that ask for one thing after the
/// other: gRPC says that a link failed, not which side has to change what. Takes ten seconds at most.
struct Diagnosis {
  /// kUnavailable: it may be another time; kFailedPrecondition: not before one
  /// side is set up differently.
  ErrorCode code = ErrorCode::kUnavailable;
  std::string sentence;  // empty: nothing was found
  /// The worker did not take the answer to a challenge, though the token is right: another challenge may do.
  bool is_challenge_refused = false;
};
/// `host`: where the worker is.
Diagnosis diagnose_link(const WorkerAddress& address, const std::string& token, const ResolvedHost& host);

}  // namespace cornu::inline v0::backends::remote
