#pragma once

#include <functional>
#include <utility>

#include "cornu/keras/callbacks/logs.h"

namespace cornu::inline v0::keras::callbacks {

/// Reads logs by calling a function.
class LogReaderOf : public LogReader {
 public:
  explicit LogReaderOf(std::function<void(Logs&)> read) : read_(std::move(read)) {}
  void read_logs(Logs& logs) const override { read_(logs); }

 private:
  std::function<void(Logs&)> read_;
};

}  // namespace cornu::inline v0::keras::callbacks
