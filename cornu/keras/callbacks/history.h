#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/by_name.h"
#include "cornu/keras/callbacks/callback.h"

namespace cornu::inline v0::keras::callbacks {

/// The logs of fit, one entry for each epoch; fit returns it.
///
///     auto history = model.fit(x, y, {.epochs = 20});
///     double last = history["val_accuracy"].back();
///     for (const auto& [name, values] : history.history) ...
///
/// A History passed to several calls of fit keeps the logs of all of them, as in Keras; the epochs and counts
/// are those of the last call.
///
/// Errors: operator[], at() and array() throw InvalidArgument, listing the names.
class History : public Callback {
 public:
  /// The epochs of the last fit, counted from 0.
  std::vector<std::int64_t> epoch;
  /// The values of each log over all epochs, in the order of the logs.
  ByName<std::vector<double>> history{"history"};
  /// The same for logs that are arrays (F1Score by class).
  ByName<std::vector<Tensor>> arrays{"history"};

  const std::vector<double>& operator[](StringViewArgument name) const;
  const std::vector<double>& at(StringViewArgument name) const { return (*this)[name]; }
  /// The values of a log in `arrays`.
  const std::vector<Tensor>& array(StringViewArgument name) const;
  bool contains(StringViewArgument name) const { return history.contains(name) || arrays.contains(name); }

  /// Seconds spent compiling in this fit, by the device's clock, which is simulated if the device is; 0 if
  /// all programs existed.
  double compile_seconds = 0;
  /// The number of programs compiled in this fit.
  int num_compiles = 0;
  /// The number of those whose machine code was in the disk cache.
  int num_from_cache = 0;
  /// The steps of an execution at the end of fit.
  std::int64_t steps_per_execution = 1;
  /// The number of training steps run.
  std::int64_t num_steps = 0;
  /// Wall time, in seconds, of the training part of all epochs: including shuffles and batch hooks, without
  /// compiling, validation and epoch hooks. Where a device validates while later epochs are submitted, it is
  /// the whole time of the epochs.
  double train_seconds = 0;
  /// train_seconds divided by the number of steps, in microseconds.
  double microseconds_per_step() const {
    return num_steps == 0 ? 0 : train_seconds * 1e6 / static_cast<double>(num_steps);
  }

  void on_train_begin() override;
  void on_epoch_end(std::int64_t epoch_index, Logs& logs) override;
};

}  // namespace cornu::inline v0::keras::callbacks
