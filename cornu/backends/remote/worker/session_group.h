#pragma once

#include <memory>
#include <string>

#include "cornu/runtime/collective.h"

namespace cornu::inline v0::backends::remote {

/// A session's interface to its group of workers.
class SessionGroup {
 public:
  SessionGroup() = default;
  virtual ~SessionGroup() = default;
  SessionGroup(const SessionGroup&) = delete;
  SessionGroup& operator=(const SessionGroup&) = delete;

  /// The processes of its programs' collectives.
  virtual const std::shared_ptr<runtime::Collective>& processes() const = 0;
  /// Links it with the others, which must have opened their sessions of the group before.
  /// Errors: kUnavailable with the worker that cannot be reached; FailedPrecondition if a worker is not
  ///         configured for groups.
  virtual void join() = 0;
  /// Ends the links and pending waits, with kUnavailable and that reason. Threads: any.
  virtual void end(const std::string& why) = 0;
};

}  // namespace cornu::inline v0::backends::remote
