#pragma once

#include <cstdint>

#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras {

/// Keeps the state of a run once this many steps of this epoch are done.
class KeptState : public callbacks::Callback {
 public:
  KeptState(std::int64_t epoch, std::int64_t step) : epoch_(epoch), step_(step) {}
  StateValues state;
  void on_epoch_begin(std::int64_t epoch) override { current_ = epoch; }
  void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
    if (current_ == epoch_ && batches.last + 1 == step_) state = model()->training_state();
  }

 private:
  std::int64_t epoch_, step_, current_ = 0;
};

}  // namespace cornu::inline v0::keras
