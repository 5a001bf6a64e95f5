#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/by_name.h"
#include "cornu/keras/callbacks/callback.h"

namespace cornu::inline v0::keras::callbacks {

/// What fit measured, an entry an epoch; fit returns it.
///
///     auto history = model.fit(x, y, {.epochs = 20});
///     double last = history["val_accuracy"].back();
///     for (const auto& [name, values] : history.history) ...
///
/// One that is given to several calls of fit keeps the logs of all of them, as in Keras; the epochs and what
/// is counted are the last one's.
///
/// Errors: operator[], at() and array() throw InvalidArgument that lists the names there are.
class History : public Callback {
 public:
  /// The epochs that the last fit ran, counted from 0.
  std::vector<std::int64_t> epoch;
  /// The values of each log over all epochs, in the order of the logs.
  ByName<std::vector<double>> history{"history"};
  /// The same of logs that are arrays (F1Score by class).
  ByName<std::vector<Tensor>> arrays{"history"};

  const std::vector<double>& operator[](StringViewArgument name) const;
  const std::vector<double>& at(StringViewArgument name) const { return (*this)[name]; }
  /// Of `arrays`.
  const std::vector<Tensor>& array(StringViewArgument name) const;
  bool contains(StringViewArgument name) const { return history.contains(name) || arrays.contains(name); }

  /// Time spent compiling in this fit, in seconds of the device's clock, which are simulated where the device
  /// is; 0 when everything was compiled before.
  double compile_seconds = 0;
  /// Programs compiled in this fit.
  int num_compiles = 0;
  /// Of those, programs whose machine code was in the disk cache.
  int num_from_cache = 0;
  /// Steps an execution in force at the end.
  std::int64_t steps_per_execution = 1;
  /// Training steps that were run.
  std::int64_t num_steps = 0;
  /// Wall time of the training part of all epochs (shuffling and hooks of batches included; compiling,
  /// validation and epoch hooks not), seconds.
  double train_seconds = 0;
  /// train_seconds an executed step, in microseconds.
  double microseconds_per_step() const {
    return num_steps == 0 ? 0 : train_seconds * 1e6 / static_cast<double>(num_steps);
  }

  void on_train_begin() override;
  void on_epoch_end(std::int64_t epoch_index, Logs& logs) override;
};

}  // namespace cornu::inline v0::keras::callbacks
