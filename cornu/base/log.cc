#include "cornu/base/log.h"

#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/environment.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"

namespace cornu::inline v0 {
namespace {

struct SinkState {
  std::mutex mutex;  // held while a sink is called
  LogSink sink;      // empty: the default sink
};

SinkState& sink_state() {
  static auto& state = *new SinkState;
  return state;
}

thread_local bool is_in_sink = false;

/// Writes a line at once, so that lines of several threads or processes do not mix.
void write_line(const LogMessage& message) { std::fputs((message.str() + '\n').c_str(), stderr); }

/// Does not throw for an invalid variable: messages come from any thread, and from destructors, so no caller
/// could catch it.
LogSeverity lowest_shown() {
  try {
    return environment::log_level().value_or(LogSeverity::kInfo);
  } catch (const Error& error) {
    write_line({LogSeverity::kWarning, error.op(), printable(error.message())});
    return LogSeverity::kInfo;
  }
}

void send_to_stderr(const LogMessage& message) {
  static const auto& sink = *new LogSink(stderr_log_sink(lowest_shown()));
  sink(message);
}

/// Marks this thread as inside a sink.
struct InSinkScope {
  InSinkScope() { is_in_sink = true; }
  ~InSinkScope() { is_in_sink = false; }
};

/// Calls the sink; returns the text of its exception, if any.
std::optional<std::string> call(const LogSink& sink, const LogMessage& message) {
  const InSinkScope scope;
  try {
    sink(message);
    return std::nullopt;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "no std::exception";
  }
}

void send(const LogMessage& message) {
  if (is_in_sink) return send_to_stderr(message);
  SinkState& state = sink_state();
  const std::lock_guard lock(state.mutex);
  if (!state.sink) return send_to_stderr(message);
  const std::optional<std::string> failure = call(state.sink, message);
  if (!failure.has_value()) return;
  send_to_stderr(message);
  send_to_stderr({LogSeverity::kError, "log", "the sink threw: " + printable_lines(*failure)});
}

}  // namespace

const char* log_severity_name(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::kInfo: return "info";
    case LogSeverity::kWarning: return "warning";
    case LogSeverity::kError: return "error";
  }
  return "unknown";
}

std::string LogMessage::str() const {
  return fmt::format("{}: {}{}", log_severity_name(severity),
                     component.empty() ? "" : fmt::format("[{}] ", component), text);
}

LogSink set_log_sink(LogSink sink) {
  if (is_in_sink)
    fail(ErrorCode::kFailedPrecondition,
         "[set_log_sink] a sink is being called, by this thread: it cannot be replaced");
  SinkState& state = sink_state();
  const std::lock_guard lock(state.mutex);
  return std::exchange(state.sink, std::move(sink));
}

LogSink stderr_log_sink(LogSeverity lowest) {
  return [lowest](const LogMessage& message) {
    if (message.severity >= lowest) write_line(message);
  };
}

void log_message(LogMessage message) noexcept {
  try {
    message.component = printable(message.component);
    message.text = printable_lines(message.text);
    send(message);
  } catch (...) {
    return;  // Out of memory for the text; the caller's next allocation will throw.
  }
}

void log_formatted(LogSeverity severity, fmt::string_view format, std::size_t tag_size,
                   fmt::format_args args) noexcept {
  try {
    TaggedText tagged = format_tagged(format, tag_size, args);
    log_message({severity, std::move(tagged.tag), std::move(tagged.text)});
  } catch (...) {
    return;  // Out of memory, as above.
  }
}

}  // namespace cornu::inline v0
