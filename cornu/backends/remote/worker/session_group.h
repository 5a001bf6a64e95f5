#pragma once

#include <memory>
#include <string>

#include "cornu/runtime/processes.h"

namespace cornu::inline v0::backends::remote {

/// What a session knows of the group of workers that it is in.
class SessionGroup {
 public:
  SessionGroup() = default;
  virtual ~SessionGroup() = default;
  SessionGroup(const SessionGroup&) = delete;
  SessionGroup& operator=(const SessionGroup&) = delete;

  /// In which its programs meet.
  virtual const std::shared_ptr<runtime::Processes>& processes() const = 0;
  /// Links it with the others, which must have been told of the group before.
  /// Errors: kUnavailable that names the one that cannot be reached; FailedPrecondition where a worker
  ///         is not set up for it.
  virtual void join() = 0;
  /// Ends the links, and what waits for them, with kUnavailable and that reason. Threads: any.
  virtual void end(const std::string& why) = 0;
};

}  // namespace cornu::inline v0::backends::remote
