#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// Causes that a caller in between answers: it adds what can be done there.
enum class ErrorReason {
  kOther,
  kSymbolicValue,  // elements were asked of a tensor that has none yet: its program is being traced
};

/// What an error knows besides its message. Empty: not known.
struct ErrorFields {
  std::string op = {};        // the operation, class or function that refuses: "dense"
  std::string argument = {};  // its argument or option that is at fault: "units"
  std::string layer = {};     // the name of the layer in which it happened
  std::string model = {};     // the name of the model that holds the layer
  std::string metric = {};    // the name of the metric in which it happened
  std::string inputs = {};    // what came in: "x has shape (20, 5) and dtype float32"
  std::string notes = {};     // what those in between know: "in batch 3"
  ErrorReason reason = ErrorReason::kOther;
};

/// The one exception type that Cornu throws at its callers.
///
/// what() says what is wrong, where, and what to do; it is composed of the message and the fields:
///
///     [dense] units must be positive; got units = 0; in layer "hidden"
///
/// Who must tell errors apart asks the code and the fields, never the text.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, ErrorFields fields = {});

  ErrorCode code() const { return code_; }
  /// What is wrong, without the fields.
  const std::string& message() const { return known_->message; }
  const ErrorFields& fields() const { return known_->fields; }
  const std::string& op() const { return fields().op; }
  const std::string& argument() const { return fields().argument; }
  const std::string& layer() const { return fields().layer; }
  ErrorReason reason() const { return fields().reason; }

  /// The same error, which also knows `more`: a field that is set already stays, notes are added behind.
  Error with(const ErrorFields& more) const;
  /// The same error as that of `op`; another op that it came from goes into the message.
  Error said_by(std::string_view op) const;

 private:
  struct Known {
    std::string message;
    ErrorFields fields;
  };
  ErrorCode code_;
  std::shared_ptr<const Known> known_;  // shared: copying an exception must not throw
};

}  // namespace cornu::inline v0
