#include "cornu/base/error.h"

#include <utility>

#include "cornu/base/printable.h"

namespace cornu::inline v0 {
namespace {

/// Composes the text for users: `[op] message; notes; in layer "a" of model "b"; in metric "c"; inputs`.
/// Names may come from an untrusted file, so they are made printable: what() is a C string, which a NUL would
/// cut, and terminals show it.
std::string compose(const std::string& message, const ErrorFields& fields) {
  std::string text = fields.op.empty() ? message : "[" + fields.op + "] " + message;
  if (!fields.notes.empty()) text += "; " + fields.notes;
  const auto quoted = [](const std::string& name) { return '"' + printable(name) + '"'; };
  if (!fields.layer.empty()) text += "; in layer " + quoted(fields.layer);
  if (!fields.model.empty())
    text += (fields.layer.empty() ? "; in model " : " of model ") + quoted(fields.model);
  if (!fields.metric.empty()) text += "; in metric " + quoted(fields.metric);
  if (!fields.inputs.empty()) text += "; " + fields.inputs;
  return printable_lines(text);
}

}  // namespace

const char* error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return "INVALID_ARGUMENT";
    case ErrorCode::kOutOfRange: return "OUT_OF_RANGE";
    case ErrorCode::kNotFound: return "NOT_FOUND";
    case ErrorCode::kFailedPrecondition: return "FAILED_PRECONDITION";
    case ErrorCode::kResourceExhausted: return "RESOURCE_EXHAUSTED";
    case ErrorCode::kUnimplemented: return "UNIMPLEMENTED";
    case ErrorCode::kCancelled: return "CANCELLED";
    case ErrorCode::kDataLoss: return "DATA_LOSS";
    case ErrorCode::kInternal: return "INTERNAL";
    case ErrorCode::kUnavailable: return "UNAVAILABLE";
  }
  return "UNKNOWN";
}

Error::Error(ErrorCode code, const std::string& message, ErrorFields fields)
    : std::runtime_error(compose(message, fields)),
      code_(code),
      known_(std::make_shared<const Known>(Known{message, std::move(fields)})) {}

Error Error::with(const ErrorFields& more) const {
  ErrorFields all = fields();
  for (const auto field : {&ErrorFields::op, &ErrorFields::argument, &ErrorFields::layer, &ErrorFields::model,
                           &ErrorFields::metric, &ErrorFields::inputs})
    if ((all.*field).empty()) all.*field = more.*field;
  if (!more.notes.empty()) all.notes += (all.notes.empty() ? "" : "; ") + more.notes;
  if (all.reason == ErrorReason::kOther) all.reason = more.reason;
  return Error(code_, message(), std::move(all));
}

Error Error::said_by(std::string_view op) const {
  ErrorFields all = fields();
  const std::string before = std::exchange(all.op, std::string(op));
  const bool is_another = !before.empty() && before != op;
  return Error(code_, is_another ? "[" + before + "] " + message() : message(), std::move(all));
}

}  // namespace cornu::inline v0
