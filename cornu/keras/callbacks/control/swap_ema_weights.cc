#include "cornu/keras/callbacks/control/swap_ema_weights.h"

#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras::callbacks {

void SwapEMAWeights::show(bool averages) {
  if ((shows_averages_ != 0) == averages) return;
  const OptimizerHandle optimizer = model()->optimizer();
  if (!optimizer) return;  // the model predicts and is not compiled
  optimizer->swap_averages();
  shows_averages_ = averages ? 1 : 0;
}

void SwapEMAWeights::on_epoch_begin(std::int64_t) {
  if (options_.swap_on_epoch) show(false);
}

void SwapEMAWeights::on_epoch_end(std::int64_t epoch, Logs&) {
  if (!options_.swap_on_epoch) return;
  show(true);
  // As in Keras, a file saved at this point, and a custom training loop that ends here, have the averages
  // both in the weights and in the optimizer.
  if (epoch == params().epochs - 1 || model()->stop_training()) model()->optimizer()->load_averages();
}

void SwapEMAWeights::on_abandon() noexcept {
  try {
    show(false);
  } catch (...) {  // the run's own error has more information; a lost device has neither of the values
    shows_averages_ = 0;
  }
}

StateList SwapEMAWeights::state() { return {state_of("shows_averages", shows_averages_)}; }

}  // namespace cornu::inline v0::keras::callbacks
