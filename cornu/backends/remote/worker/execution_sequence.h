#pragma once

#include <exception>

#include "cornu/backends/remote/worker/session.h"

namespace cornu::inline v0::backends::remote {

/// The executions of a Run. After one has failed, later ones fail with the same error and run no step.
/// Threads: one thread.
class ExecutionSequence {
 public:
  /// Errors: those of Session::execute, of this execution or of an earlier one.
  ExecuteResult execute(Session& session, const ExecuteOrder& order, runtime::Progress& progress) {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    try {
      return session.execute(order, progress);
    } catch (...) {
      note_failure(std::current_exception());
      throw;
    }
  }
  /// Records the failure of an execution that could not begin. The first failure counts.
  void note_failure(const std::exception_ptr& error) {
    if (failure_ == nullptr) failure_ = error;
  }

 private:
  std::exception_ptr failure_;
};

}  // namespace cornu::inline v0::backends::remote
