#include "cornu/keras/trainer/run_state.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {

void RunState::set_stop_training(bool stop) {
  stop_training_.store(stop, std::memory_order_relaxed);
  progress_.stop.store(stop, std::memory_order_relaxed);
}

void RunState::check_interrupted(const char* caller) const {
  if (interrupted_.load())
    fail(ErrorCode::kCancelled, "[{}] interrupted; the weights are those after the last step that ended",
         caller);
}

RunState::Scope::Scope(RunState& state, bool op_by_op)
    : state_(state), progress_(state.num_running_ == 0 ? state.progress_ : state.inner_progress_) {
  if (op_by_op) op_by_op_.emplace();
  if (state_.num_running_++ > 0) return;
  state_.set_stop_training(false);
  state_.inner_progress_.stop.store(false);
  progress_.steps_done.store(0, std::memory_order_relaxed);
}

RunState::Scope::~Scope() {
  if (--state_.num_running_ == 0) state_.interrupted_.store(false);
}

}  // namespace cornu::inline v0::keras
