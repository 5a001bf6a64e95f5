#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cornu::inline v0 {

/// Kinds of failure; the names are the usual RPC status names.
enum class ErrorCode {
  kInvalidArgument,     // the caller's mistake: shape, dtype, name, option
  kOutOfRange,          // a value in the data is outside what the model can take
  kNotFound,            // a file, device or name does not exist
  kFailedPrecondition,  // the call is right, but at the wrong time (fit before compile)
  kResourceExhausted,   // memory, file descriptors
  kUnimplemented,       // valid, but not supported yet
  kCancelled,           // stopped on request
  kDataLoss,            // corrupt files; non-finite values that prevent further training
  kInternal,            // a bug of Cornu
  kUnavailable,         // a device or a worker failed or is gone
};

/// The standard upper-case name, e.g. "INVALID_ARGUMENT".
const char* error_code_name(ErrorCode code);

/// Causes that an intermediate caller recognizes, to add advice.
enum class ErrorReason {
  kOther,
  kSymbolicValue,  // the elements of a symbolic tensor were read while its program is traced
};

/// Details of an error besides its message. Empty: unknown.
struct ErrorFields {
  std::string op = {};        // the operation, class or function that throws: "dense"
  std::string argument = {};  // its invalid argument or option: "units"
  std::string layer = {};     // the name of the layer in which it happened
  std::string model = {};     // the name of the model that holds the layer
  std::string metric = {};    // the name of the metric in which it happened
  std::string inputs = {};    // the inputs: "x has shape (20, 5) and dtype float32"
  std::string notes = {};     // details added by intermediate callers: "in batch 3"
  ErrorReason reason = ErrorReason::kOther;
};

/// The exception type that Cornu throws at its callers.
///
/// what() states the mistake, its place and the remedy; it is composed of the message and the fields:
///
///     [dense] units must be positive; got units = 0; in layer "hidden"
///
/// To distinguish errors use the code and the fields, never the text.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, ErrorFields fields = {});

  ErrorCode code() const { return code_; }
  /// The message without the fields.
  const std::string& message() const { return known_->message; }
  const ErrorFields& fields() const { return known_->fields; }
  const std::string& op() const { return fields().op; }
  const std::string& argument() const { return fields().argument; }
  const std::string& layer() const { return fields().layer; }
  ErrorReason reason() const { return fields().reason; }

  /// The same error with the fields of `more` added: a field that is already set stays, notes are appended.
  Error with(const ErrorFields& more) const;
  /// The same error with its op replaced by `op`; the previous op is mentioned in the message.
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
