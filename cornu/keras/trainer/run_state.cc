#include "cornu/keras/trainer/run_state.h"

#include "cornu/base/check.h"
#include "cornu/keras/trainer/stop_token.h"

namespace cornu::inline v0::keras {

void StopToken::fail_type() { invalid_argument("[fit] stop_token must be a std::stop_token"); }

void RunState::set_stop_training(bool stop) {
  const std::lock_guard lock(mutex_);
  stop_training_.store(stop || token_asks_);
  progress_.stop.store(stop || token_asks_);
  if (stop && num_stopping_compilers_ > 0) cancels_compilation_.store(true);
}

void RunState::check_interrupted(const char* caller) const {
  if (interrupted_.load())
    fail(ErrorCode::kCancelled, "[{}] interrupted; the weights are those after the last step that ended",
         caller);
}

RunState::Scope::Scope(RunState& state, bool op_by_op, const std::stop_token& stop_token)
    : state_(state), progress_(state.num_running_ == 0 ? state.progress_ : state.inner_progress_) {
  if (op_by_op) op_by_op_.emplace();
  if (state_.num_running_++ > 0) return;
  state_.set_stop_training(false);
  state_.inner_progress_.stop.store(false);
  progress_.steps_done.store(0, std::memory_order_relaxed);
  if (!stop_token.stop_possible()) return;
  on_stop_.emplace(stop_token, [&state] {  // called at once if the stop was requested before
    {
      const std::lock_guard lock(state.mutex_);
      state.token_asks_ = true;
    }
    state.set_stop_training(true);
  });
}

RunState::Scope::~Scope() {
  on_stop_.reset();  // its callback runs no more
  if (--state_.num_running_ > 0) return;
  state_.interrupted_.store(false);
  state_.cancels_compilation_.store(false);
  const std::lock_guard lock(state_.mutex_);
  state_.token_asks_ = false;
}

RunState::StopsCompiling::StopsCompiling(RunState& state) : state_(state) {
  const std::lock_guard lock(state_.mutex_);
  ++state_.num_stopping_compilers_;
  if (state_.stop_training()) state_.cancels_compilation_.store(true);
}

RunState::StopsCompiling::~StopsCompiling() {
  const std::lock_guard lock(state_.mutex_);
  if (--state_.num_stopping_compilers_ == 0) state_.cancels_compilation_.store(state_.interrupted_.load());
}

}  // namespace cornu::inline v0::keras
