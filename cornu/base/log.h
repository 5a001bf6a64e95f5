#pragma once

#include <functional>
#include <string>

/// Messages of the library besides results and exceptions: mostly warnings, after which a program may
/// continue. Mistakes that prevent this are thrown as Errors. docs/guide/messages.md shows how a program
/// receives messages.
namespace cornu::inline v0 {

enum class LogSeverity {
  kInfo,     // progress
  kWarning,  // probably unintended, or slow
  kError,    // a loss that no exception can report
};

/// "info", "warning" or "error".
const char* log_severity_name(LogSeverity severity);

struct LogMessage {
  LogSeverity severity = LogSeverity::kInfo;
  std::string component = {};  // the reporting function or class, as ErrorFields::op: "load_weights"
  std::string text = {};       // usually one line, without a line feed at its end

  /// "warning: [fit] the data ran out before epoch 3 of 5"; no brackets without a component.
  std::string str() const;
};

using LogSink = std::function<void(const LogMessage&)>;

/// Sends every later message of the library to `sink`, and returns the previous sink. Empty: the default,
/// which writes each message's str() to stderr as a line. To restore the previous sink:
///
///     const LogSink before = set_log_sink([&](const LogMessage& message) { my_log.write(message.str()); });
///     ...
///     set_log_sink(before);
///
/// A sink gets messages of every severity. Control characters in the text are replaced by \xNN, except line
/// feeds and tabs. If a sink throws, the message and the exception's text go to stderr; so do messages that
/// the library logs inside a sink.
/// Threads: safe. Sinks are called one at a time, on the thread of the message. After the return the previous
///          sink is not running any more. Other threads with messages wait meanwhile: a sink must not wait
///          for them.
/// Errors:  FailedPrecondition inside a sink.
LogSink set_log_sink(LogSink sink);

/// Makes a sink that writes messages of at least `lowest` to stderr. The default sink is of this kind; its
/// level is read from the environment variable CORNU_LOG_LEVEL at the first message: "info" (also if unset),
/// "warning" or "error".
LogSink stderr_log_sink(LogSeverity lowest);

/// Logs a message of the program through the current sink, as the library does.
void log_message(LogMessage message) noexcept;

}  // namespace cornu::inline v0
