#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "cornu/runtime/executable.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::detail {

/// The operands of a call on a device that works by itself.
struct CallOperands {
  std::vector<runtime::Buffer*> state = {};
  std::vector<runtime::Buffer*> fixed = {};
  /// Buffers that the call must keep: those of its arguments.
  std::vector<std::shared_ptr<runtime::Buffer>> arguments = {};
  std::vector<std::shared_ptr<runtime::Buffer>> outputs = {};
  /// Memory of the device that this call adds until it is done.
  std::size_t num_bytes = 0;
};

/// A call of a program that was submitted to a device which works by itself. It keeps the program and the
/// buffers until the device is done with them.
/// Threads: safe.
class SubmittedCall {
 public:
  /// True if the call is done or has failed. False also while another thread waits for it.
  bool is_done();
  /// Waits. Errors: the call's, at each call.
  void wait();
  /// Waits. Returns the error of the call if it failed and the error was not reported before; else null.
  std::exception_ptr take_failure();
  std::size_t num_bytes() const { return num_bytes_; }

 private:
  friend std::shared_ptr<SubmittedCall> submit_call(std::shared_ptr<runtime::Executable> executable,
                                                    const Placement& placement, CallOperands operands);
  struct Kept {
    std::shared_ptr<runtime::Client> client;  // outlives the members below
    std::shared_ptr<runtime::Executable> executable;
    CallOperands operands;
    std::vector<runtime::Buffer*> outputs;
    runtime::Event done = {};  // the last member: until it is done, the device uses the others
  };

  /// Waits and forgets what the call needed. Under the mutex.
  std::unique_ptr<Kept> finish();

  std::size_t num_bytes_ = 0;
  std::mutex mutex_;            // guards the members below
  std::unique_ptr<Kept> kept_;  // null: the call is done
  std::exception_ptr error_;
  bool is_reported_ = false;
};

/// Submits a call of one step. It is not waited for, unless the device cannot work by itself or is measured.
/// Waits first while too many calls of the client are not done: their number and memory are limited.
/// Errors: those of the call, and once that of an earlier call of this client which has failed; the call is
///         not made then.
std::shared_ptr<SubmittedCall> submit_call(std::shared_ptr<runtime::Executable> executable,
                                           const Placement& placement, CallOperands operands);

/// Waits for the calls of a client, which then no longer keep it; a failure that was not reported is logged.
void finish_calls(const runtime::Client& client);

}  // namespace cornu::inline v0::detail
