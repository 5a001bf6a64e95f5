#pragma once

#include <string>

#include "cornu/backends/remote/wire/address.h"
#include "cornu/base/error.h"

namespace cornu::inline v0::backends::remote {

/// Why a worker cannot be spoken to, found out by a connection of its own that
/// asks for one thing after the other: gRPC says that a link failed, not which
/// side has to change what. Takes a few seconds at most.
struct Diagnosis {
  /// kUnavailable: it may be another time; kFailedPrecondition: not before one
  /// side is set up differently.
  ErrorCode code = ErrorCode::kUnavailable;
  std::string sentence;  // empty: nothing was found
};
Diagnosis diagnose_link(const WorkerAddress& address);

}  // namespace cornu::inline v0::backends::remote
