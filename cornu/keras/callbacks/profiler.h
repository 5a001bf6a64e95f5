#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cornu/keras/base/handle.h"
#include "cornu/keras/callbacks/callback.h"

namespace cornu::inline v0::runtime {
class Profiler;
}

namespace cornu::inline v0::keras::callbacks {

/// The batches to measure, counted from 1 over all epochs of a run: one, or the first and the last.
/// Errors: InvalidArgument unless 1 <= first <= last.
class ProfileBatch {
 public:
  ProfileBatch(std::int64_t batch) : ProfileBatch(batch, batch) {}
  ProfileBatch(int batch) : ProfileBatch(std::int64_t{batch}) {}
  ProfileBatch(std::int64_t first, std::int64_t last);
  std::int64_t first() const { return first_; }
  std::int64_t last() const { return last_; }

 private:
  std::int64_t first_, last_;
};

struct ProfilerOptions {  // options/callbacks.toml
  /// Batches to measure, as TensorBoard's profile_batch; an execution that contains one of them is measured
  /// as a whole.
  ProfileBatch profile_batch = ProfileBatch(10, 20);
  /// Path of a trace for Perfetto (ui.perfetto.dev) or chrome://tracing; empty: none.
  std::string trace_file = {};
  /// Number of rows of the table; the other groups share one row.
  std::int64_t num_groups = 10;
  /// Function that receives the table at the end of the run; empty: stdout.
  std::function<void(std::string_view)> print = {};
};

/// Measures the time of some batches: prints a table of the largest groups of ops, with time, calls, achieved
/// GFLOP/s or GB/s and the share of the machine's peak, and writes a trace file.
///
/// Works in fit, evaluate and predict. In fit, training batches are counted; validation between the first and
/// the last measured batch is measured too. Programs contain measuring code only while they are measured. The
/// table is made at the end of the run, which takes a tenth of a second to measure the machine.
/// Errors: those of the file, with its name and the system's message, before the first batch.
class Profiler : public Callback {
 public:
  explicit Profiler(ProfilerOptions options = {});
  explicit Profiler(NoOptions) : Profiler() {}
  ~Profiler() override;
  Profiler(Profiler&& other) noexcept;

  void on_train_begin() override;
  void on_train_end(Logs& logs) override;
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

  /// The table of the last run; empty before the first.
  const std::string& report() const { return report_; }

 private:
  enum class Run { kNone, kTrain, kTest, kPredict };
  void begin(Run run);
  void begin_batches(Run run, const BatchRange& batches);
  void end_batches(Run run, const BatchRange& batches);
  void end(Run run);

  ProfilerOptions options_;
  Run run_ = Run::kNone;                         // the outermost run
  std::int64_t num_batches_ = 0;                 // of the run so far
  std::unique_ptr<runtime::Profiler> profiler_;  // of the run
  std::string report_;
};

}  // namespace cornu::inline v0::keras::callbacks
