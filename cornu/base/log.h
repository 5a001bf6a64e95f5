#pragma once

#include <functional>
#include <string>

/// What the library says beside what it returns: warnings, of which a program may go on. A mistake that it
/// may not go on from is an Error, thrown. docs/guide/messages.md shows how a program takes them.
namespace cornu::inline v0 {

enum class LogSeverity {
  kInfo,     // what goes on
  kWarning,  // what is probably not meant, or may cost time
  kError,    // what was lost, where no exception can say it
};

/// "info", "warning" or "error".
const char* log_severity_name(LogSeverity severity);

struct LogMessage {
  LogSeverity severity = LogSeverity::kInfo;
  std::string component = {};  // the function or class that says it, as ErrorFields::op: "load_weights"
  std::string text = {};       // mostly one line, without a line feed at its end

  /// "warning: [fit] the data ran out before epoch 3 of 5"; no brackets without a component.
  std::string str() const;
};

using LogSink = std::function<void(const LogMessage&)>;

/// Every message of the library goes to `sink` from now on, and no longer to the sink before, which is
/// returned. Empty: stderr again, as at first, a message's str() a line. So this puts back what was there:
///
///     const LogSink before = set_log_sink([&](const LogMessage& message) { my_log.write(message.str()); });
///     ...
///     set_log_sink(before);
///
/// A sink gets messages of every severity; control characters in their texts are \xNN but for line feeds and
/// tabs. One that throws loses nothing: the message goes to stderr, and what was thrown, too. So does what a
/// sink itself makes the library say.
/// Threads: safe. Calls of sinks come one at a time, on the thread that has something to say, and when this
///          returns no call of the sink before runs any more. Other threads with messages wait meanwhile: a
///          sink must not wait for them.
/// Errors:  FailedPrecondition inside a sink.
LogSink set_log_sink(LogSink sink);

/// A sink that writes messages of at least `lowest` to stderr. The one at first is such a sink, with what the
/// environment variable CORNU_LOG_LEVEL says when the first message goes there: "info" (also where it is not
/// set), "warning" or "error".
LogSink stderr_log_sink(LogSeverity lowest);

/// Says a message of the program's own as the library does, by the sink of the moment.
void log_message(LogMessage message) noexcept;

}  // namespace cornu::inline v0
