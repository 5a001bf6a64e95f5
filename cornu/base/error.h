#pragma once

#include <stdexcept>
#include <string>

namespace cornu::inline v0 {

/// What kind of failure an Error reports; the names are the usual RPC status names.
enum class ErrorCode {
  kInvalidArgument,     // the caller's mistake: shape, dtype, name, option
  kOutOfRange,          // a value in the data is outside what the model can take
  kNotFound,            // a file, device or name does not exist
  kFailedPrecondition,  // right call, wrong moment (fit before compile)
  kResourceExhausted,   // memory, file descriptors
  kUnimplemented,       // understood, and not supported yet
  kCancelled,           // stopped on request
  kDataLoss,            // non-finite values where training cannot go on, corrupt files
  kInternal,            // our own mistake
  kUnavailable,         // a device or a worker failed or is gone
};

/// The standard upper-case name, e.g. "INVALID_ARGUMENT".
const char* error_code_name(ErrorCode code);

/// The one exception type that Cornu throws at its callers.
///
/// The message says what is wrong, where (`[op]` or `in layer "name"`) and what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace cornu::inline v0
