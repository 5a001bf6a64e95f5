#pragma once

#include <cstdint>

#include "cornu/runtime/executable.h"

namespace cornu::inline v0::runtime {

/// Additional interface of an Executable whose execute() waits for the device, and so can report progress and
/// stop between two steps. submit() has neither, and keeps the device busy.
/// Threads: as Executable.
class AsyncExecutable {
 public:
  AsyncExecutable() = default;
  virtual ~AsyncExecutable();
  AsyncExecutable(const AsyncExecutable&) = delete;
  AsyncExecutable& operator=(const AsyncExecutable&) = delete;

  /// Longest execution that is_short() accepts, and the most work that is submitted at a time.
  static constexpr double kMostSeconds = 0.1;

  /// True if an execution of this many steps is known to take at most kMostSeconds on the device, so that
  /// progress within it is of no use.
  virtual bool is_short(std::int64_t num_steps) const = 0;
  /// Begins an execution and returns before it is done. All its steps run: a request to stop has an effect
  /// only if it is set before. Waits while the work submitted earlier is expected to take more than
  /// kMostSeconds, or is too large. Destroying the event waits.
  /// Errors: as Executable::execute.
  virtual Submission submit(const Execution& execution) = 0;
};

/// The interface of an executable that has it; null for all others.
AsyncExecutable* async_executable(Executable* executable);

}  // namespace cornu::inline v0::runtime
