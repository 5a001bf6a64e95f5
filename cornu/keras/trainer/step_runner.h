#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/callbacks/logs.h"
#include "cornu/keras/trainer/array_data.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/default_generator.h"
#include "cornu/keras/trainer/step_faults.h"
#include "cornu/keras/trainer/step_tools.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::keras {

enum class ProgramKind { kTrain, kTest, kPredict };

/// What a program is compiled for. The number of rows and of steps is no part of it.
struct ProgramKey {
  ProgramKind kind = ProgramKind::kTrain;
  std::int64_t batch_size = 0;
  // Types of rows: without the row axis; nothing for an array that is not there.
  std::vector<std::optional<TensorType>> x;
  std::vector<std::optional<TensorType>> y;
  std::vector<std::optional<TensorType>> sample_weight;
  Placement placement;
  std::int64_t num_replicas = 1;  // how many share a batch

  /// The number of rows of each replica; the last ones may have fewer, or none.
  std::int64_t rows_of_replica() const { return (batch_size + num_replicas - 1) / num_replicas; }
  static ProgramKey of(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, Placement placement);
  bool operator==(const ProgramKey&) const = default;
  /// Whether the keys are equal but for the batch size.
  bool same_arrays(const ProgramKey& other) const;
  /// Whether a step of this key runs batches of up to `rows_of_batch` rows of such arrays. Allocates nothing.
  bool takes(const ArrayData& data, std::int64_t rows_of_batch) const;
};

class ProgramStep;

/// A training, test or prediction step that can be run over data: compiled, or op by op.
/// Threads: one thread.
class StepRunner : public LogReader {
 public:
  explicit StepRunner(ProgramKey key) : key_(std::move(key)) {}
  virtual ~StepRunner() = default;
  StepRunner(const StepRunner&) = delete;
  StepRunner& operator=(const StepRunner&) = delete;

  const ProgramKey& key() const { return key_; }
  /// Null for a step that runs op by op.
  virtual const ProgramStep* compiled() const { return nullptr; }
  /// A report of what it was compiled to.
  virtual std::string explain() const { return "run op by op"; }
  virtual const std::vector<LogSource>& logs() const = 0;
  /// Reads the logs from the device; `result` holds them by name.
  void read_logs(Logs& result) const override;
  /// Small variables as they were after the last run, read together; empty where reading one by one costs
  /// nothing.
  virtual const detail::VariableValues& last_values() const;
  /// Seconds by the clock of the client that runs the steps.
  double now() const { return key_.placement.client()->now(); }
  /// The same without what goes by while it does what is done once: compiles programs, sends arrays that are
  /// kept. A device that the host addresses does neither in a run.
  double now_of_steps() const {
    const runtime::Client& client = *key_.placement.client();
    if (client.is_addressable()) return client.now();
    const runtime::CallCounts counts = client.counts();
    return client.now() - counts.compiles.seconds - counts.writes.seconds;
  }

  /// Finds the variables' buffers; called before the first run.
  virtual void bind() {}
  /// Until let_go_of_values() is called, runs work on the values that the variables which they only read have
  /// now, whatever is assigned meanwhile. Calls nest. See HeldValues.
  virtual void hold_values() {}
  virtual void let_go_of_values() {}
  /// As hold_values, with the values that `other` holds, a step of this model and kind for other batches.
  virtual void hold_as(const StepRunner& other) { (void)other; }
  /// Begins in the background what batches of these sizes need and have not got.
  virtual void expect(const BatchSizes& sizes) { (void)sizes; }
  /// Whether these batches could run without waiting for a compilation.
  virtual bool is_ready(const Batches& batches) {
    (void)batches;
    return true;
  }
  /// Waits until these batches could run so.
  virtual void make_ready(const Batches& batches) { (void)batches; }
  /// Runs the steps of `batches`, whose batch size is the key's; returns the steps done.
  virtual std::int64_t run(const Batches& batches, runtime::Progress& progress) = 0;
  /// Variables were given other values than the steps left, those of a state, which may hold counts of
  /// faults: those are forgotten.
  virtual void forget_faults() {}
  /// The fault that the last run met; nothing where there was none.
  virtual std::optional<StepFault> fault() const = 0;
  /// The generator of its random numbers without a seed; nothing when it draws none.
  virtual std::optional<DefaultGenerator> default_generator() const { return std::nullopt; }

 private:
  ProgramKey key_;
};

/// While it lives, a step works on one version of the weights (StepRunner::hold_values).
class HeldValues {
 public:
  /// Null: nothing is held.
  explicit HeldValues(StepRunner* step) : step_(step) {
    if (step_ != nullptr) step_->hold_values();
  }
  ~HeldValues() { let_go(); }
  HeldValues(const HeldValues&) = delete;
  HeldValues& operator=(const HeldValues&) = delete;
  void let_go() {
    if (StepRunner* const step = std::exchange(step_, nullptr)) step->let_go_of_values();
  }

 private:
  StepRunner* step_;
};

}  // namespace cornu::inline v0::keras
