#pragma once

#include <memory>
#include <utility>

namespace cornu::inline v0::runtime {

/// When something that a client was told to do has been done. A default-constructed event is done: a backend
/// that works at once makes nothing and allocates nothing. Copies are handles to the same event.
/// Threads: safe.
class Event {
 public:
  /// What a backend implements.
  class State {
   public:
    virtual ~State() = default;
    virtual bool is_ready() = 0;
    /// Returns when it is done. Throws the backend's error, and the same one each time it is called.
    virtual void wait() = 0;
  };

  Event() = default;
  explicit Event(std::shared_ptr<State> state) : state_(std::move(state)) {}

  /// Whether it is done or has failed, so that wait() returns or throws at once.
  bool is_ready() const { return state_ == nullptr || state_->is_ready(); }
  /// Errors: what made it fail, also where an earlier failure is the reason.
  void wait() const {
    if (state_ != nullptr) state_->wait();
  }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace cornu::inline v0::runtime
