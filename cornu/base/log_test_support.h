#pragma once

#include <string>
#include <utility>

#include "cornu/base/log.h"

namespace cornu::inline v0 {

/// Captures the library's messages while it lives.
/// Threads: call take() only while no other thread logs.
class CapturedLog {
 public:
  CapturedLog()
      : before_(set_log_sink([this](const LogMessage& message) { said_ += message.str() + '\n'; })) {}
  ~CapturedLog() { set_log_sink(std::move(before_)); }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;

  /// The messages since the last take(), in the format of stderr.
  std::string take() { return std::exchange(said_, {}); }

 private:
  std::string said_;
  LogSink before_;
};

}  // namespace cornu::inline v0
