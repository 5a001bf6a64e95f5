#pragma once

#include <memory>

#include "cornu/keras/base/handle.h"
#include "cornu/keras/callbacks/callback.h"
#include "cornu/keras/callbacks/progress_bar.h"

namespace cornu::inline v0::keras::callbacks {

/// Prints `Epoch 1/20` and Keras's progress bar: redrawn in a terminal, elsewhere one line for each epoch.
///
/// In a terminal a thread polls the counter of the running program, so that the bar moves during a long
/// execution; metric values are those of the previous execution. Without a terminal, or with verbose other
/// than 1, there is no thread.
class ProgbarLogger : public Callback {
 public:
  /// `options`: the appearance and the output, by default stdout; the run sets target and verbose.
  explicit ProgbarLogger(ProgressBarOptions options);
  explicit ProgbarLogger(NoOptions) : ProgbarLogger() {}
  ProgbarLogger();
  ~ProgbarLogger() override;
  ProgbarLogger(ProgbarLogger&&) noexcept;

  void on_train_begin() override;
  void on_train_end(Logs& logs) override;
  void on_epoch_begin(std::int64_t epoch) override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;
  void on_train_batch_begin(const BatchRange& batches) override;
  void on_train_batch_end(const BatchRange& batches, LazyLogs& logs) override;

  void on_test_begin() override;
  void on_test_end(Logs& logs) override;
  void on_test_batch_begin(const BatchRange& batches) override;
  void on_test_batch_end(const BatchRange& batches, LazyLogs& logs) override;

  void on_predict_begin() override;
  void on_predict_end() override;
  void on_predict_batch_begin(const BatchRange& batches) override;
  void on_predict_batch_end(const BatchRange& batches) override;

  void on_abandon() noexcept override;

 private:
  struct State;
  State& display() const;

  std::unique_ptr<State> state_;
};

}  // namespace cornu::inline v0::keras::callbacks
