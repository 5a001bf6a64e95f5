#pragma once

#include <cstdint>

#include "cornu/keras/base/handle.h"
#include "cornu/keras/callbacks/callback.h"

namespace cornu::inline v0::keras::callbacks {

struct SwapEMAWeightsOptions {  // options/callbacks.toml
  /// True: the model has the averages from the end of an epoch to the beginning of the next, so that
  /// callbacks after this one, such as ModelCheckpoint, see them.
  bool swap_on_epoch = false;
};

/// Evaluates and predicts with the moving averages of the weights, and continues training with the weights:
/// both are exchanged with those of an optimizer with use_ema. After fit the model has the averages, as
/// without this callback.
///
/// Errors: FailedPrecondition at the first exchange, if the model's optimizer keeps no averages.
class SwapEMAWeights : public Callback {
 public:
  explicit SwapEMAWeights(SwapEMAWeightsOptions options = {}) : options_(options) {}
  explicit SwapEMAWeights(NoOptions) : SwapEMAWeights() {}

  void on_epoch_begin(std::int64_t epoch) override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;
  void on_test_begin() override { show(true); }
  void on_test_end(Logs&) override { show(false); }
  void on_predict_begin() override { show(true); }
  void on_predict_end() override { show(false); }
  void on_epochs_done() override { show(false); }
  void on_abandon() noexcept override;
  StateList state() override;

 private:
  /// Puts the averages, or the trained weights, into the model, unless they are there already.
  void show(bool averages);

  SwapEMAWeightsOptions options_;
  std::int64_t shows_averages_ = 0;
};

}  // namespace cornu::inline v0::keras::callbacks
