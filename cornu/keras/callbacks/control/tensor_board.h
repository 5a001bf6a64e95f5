#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cornu/keras/base/handle.h"
#include "cornu/keras/callbacks/callback.h"

namespace cornu::inline v0::io {
class EventFile;
}

namespace cornu::inline v0::keras::callbacks {

/// The points at which TensorBoard writes: "epoch", "batch", or after a number of batches.
/// Errors: InvalidArgument for another string and for a number below 1.
class UpdateFreq {
 public:
  UpdateFreq(const char* word);
  UpdateFreq(std::int64_t batches);
  UpdateFreq(int batches) : UpdateFreq(std::int64_t{batches}) {}
  /// 0: at the end of epochs.
  std::int64_t batches() const { return batches_; }

 private:
  std::int64_t batches_ = 0;
};

struct TensorBoardOptions {  // options/callbacks.toml
  /// Folder of the event files; made if it does not exist.
  std::string log_dir = "logs";
  /// Number of epochs between histograms of all weights; 0: none.
  std::int64_t histogram_freq = 0;
  /// True: writes the graph of layers.
  bool write_graph = true;
  /// True: with histogram_freq, also pictures of the weights of one to three axes, as far as TensorBoard
  /// shows them.
  bool write_images = false;
  /// True: writes the number of steps a second of each execution and each epoch.
  bool write_steps_per_second = false;
  /// "epoch", "batch", or a number of batches between writes.
  UpdateFreq update_freq = "epoch";
};

/// Writes logs for TensorBoard, under Keras's tags and folders: "epoch_loss" and other epoch logs in train/
/// and validation/, "batch_loss" with an update_freq in batches, "evaluation_loss_vs_iterations", histograms
/// of weights, the graph of layers.
///
/// Errors: those of io::EventFile.
class TensorBoard : public Callback {
 public:
  explicit TensorBoard(TensorBoardOptions options = {});
  explicit TensorBoard(NoOptions) : TensorBoard() {}

  void on_train_begin() override;
  void on_train_end(Logs& logs) override;
  void on_epoch_begin(std::int64_t epoch) override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;
  void on_train_batch_begin(const BatchRange& batches) override;
  void on_train_batch_end(const BatchRange& batches, LazyLogs& logs) override;
  void on_test_end(Logs& logs) override;
  std::int64_t max_batches_per_call() const override;
  StateList state() override;

 private:
  io::EventFile& train();
  io::EventFile& validation();
  void write_weights(std::int64_t epoch);

  TensorBoardOptions options_;
  std::shared_ptr<io::EventFile> train_, validation_;
  std::int64_t batches_ = 0;  // of this and earlier epochs
  std::int64_t batches_since_write_ = 0;
  std::int64_t epoch_batches_ = 0;
  double epoch_start_ = 0, batch_start_ = 0;  // seconds
};

}  // namespace cornu::inline v0::keras::callbacks
