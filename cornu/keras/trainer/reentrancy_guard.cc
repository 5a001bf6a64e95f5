#include "cornu/keras/trainer/reentrancy_guard.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {

ReentrancyGuard::Claim::Claim(ReentrancyGuard& claims, Beside beside, const char* caller, const Layer& model)
    : claims_(claims), is_prediction_(beside == Beside::kPredictions) {
  const std::thread::id self = std::this_thread::get_id();
  const std::lock_guard lock(claims_.mutex_);
  for (const Entry& other : claims_.entries_) {
    if (other.thread != self && !(is_prediction_ && other.is_prediction)) {
      fail(ErrorCode::kFailedPrecondition,
           "[{}] another thread is working with model \"{}\": wait until it is done (set_stop_training(true) "
           "ends a run); only predictions may be made by several threads at once",
           caller, model.name());
    }
    if (beside == Beside::kNothing) {
      fail(ErrorCode::kFailedPrecondition,
           "[{}] model \"{}\" is running: a callback cannot change or train it; set_stop_training(true) ends "
           "the run",
           caller, model.name());
    }
  }
  claims_.entries_.push_back({self, is_prediction_});
}

ReentrancyGuard::Claim::~Claim() {
  const std::lock_guard lock(claims_.mutex_);
  claims_.entries_.erase(std::find(claims_.entries_.begin(), claims_.entries_.end(),
                                   Entry{std::this_thread::get_id(), is_prediction_}));
}

}  // namespace cornu::inline v0::keras
