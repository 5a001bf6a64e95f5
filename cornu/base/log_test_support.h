#pragma once

#include <string>
#include <utility>

#include "cornu/base/log.h"

namespace cornu::inline v0 {

/// While it lives, what the library says comes here.
/// Threads: take() is for moments when no other thread has something to say.
class CapturedLog {
 public:
  CapturedLog()
      : before_(set_log_sink([this](const LogMessage& message) { said_ += message.str() + '\n'; })) {}
  ~CapturedLog() { set_log_sink(std::move(before_)); }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;

  /// What was said since the last take(), as it would stand on stderr.
  std::string take() { return std::exchange(said_, {}); }

 private:
  std::string said_;
  LogSink before_;
};

}  // namespace cornu::inline v0
