#include "cornu/keras/callbacks/control/swap_ema_weights.h"

#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras::callbacks {

void SwapEMAWeights::show(bool averages) {
  if ((shows_averages_ != 0) == averages) return;
  const OptimizerHandle optimizer = model()->optimizer();
  if (!optimizer) return;  // a prediction of a model that is not compiled
  optimizer->swap_averages();
  shows_averages_ = averages ? 1 : 0;
}

void SwapEMAWeights::on_epoch_begin(std::int64_t) {
  if (options_.swap_on_epoch) show(false);
}

void SwapEMAWeights::on_epoch_end(std::int64_t epoch, Logs&) {
  if (!options_.swap_on_epoch) return;
  show(true);
  // As in Keras: a file that is saved now, and a loop of one's own that ends, has the averages in both
  // places.
  if (epoch == params().epochs - 1 || model()->stop_training()) model()->optimizer()->load_averages();
}

void SwapEMAWeights::on_abandon() noexcept {
  try {
    show(false);
  } catch (...) {  // the run's own error says more; a device that is lost has neither of them
    shows_averages_ = 0;
  }
}

StateList SwapEMAWeights::state() { return {state_of("shows_averages", shows_averages_)}; }

}  // namespace cornu::inline v0::keras::callbacks
