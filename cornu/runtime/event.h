#pragma once

#include <memory>
#include <utility>

namespace cornu::inline v0::runtime {

/// Completion of work that was submitted to a client. A default-constructed event is done; a backend that
/// works synchronously returns it and allocates nothing. Copies are handles to the same event.
/// Threads: safe.
class Event {
 public:
  /// The interface that a backend implements.
  class State {
   public:
    virtual ~State() = default;
    virtual bool is_ready() = 0;
    /// Waits for the work. Throws the backend's error, the same one at each call.
    virtual void wait() = 0;
  };

  Event() = default;
  explicit Event(std::shared_ptr<State> state) : state_(std::move(state)) {}

  /// True if the work is done or has failed, so that wait() returns or throws at once.
  bool is_ready() const { return state_ == nullptr || state_->is_ready(); }
  /// Waits. Errors: the error of the work, or of the earlier failure that caused it.
  void wait() const {
    if (state_ != nullptr) state_->wait();
  }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace cornu::inline v0::runtime
