#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/callbacks/logs.h"
#include "cornu/keras/trainer/array_data.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/default_generator.h"
#include "cornu/keras/trainer/late_logs.h"
#include "cornu/keras/trainer/step_faults.h"
#include "cornu/keras/trainer/step_tools.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/partition.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::keras {

enum class ProgramKind { kTrain, kTest, kPredict };

/// The key under which a step's program is compiled and cached. The numbers of rows and steps are not part of
/// it.
struct ProgramKey {
  ProgramKind kind = ProgramKind::kTrain;
  std::int64_t batch_size = 0;
  // Types of rows, without the row axis; nullopt for an array that is not given.
  std::vector<std::optional<TensorType>> x;
  std::vector<std::optional<TensorType>> y;
  std::vector<std::optional<TensorType>> sample_weight;
  Placement placement;
  std::int64_t num_replicas = 1;  // the replicas that share a batch

  /// The parts of a batch that the replicas take.
  runtime::Partition partition() const { return {.num_rows = batch_size, .num_parts = num_replicas}; }
  /// The number of rows of each replica; the last replicas may have fewer, or none.
  std::int64_t rows_of_replica() const { return partition().part_size(); }
  static ProgramKey of(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, Placement placement);
  bool operator==(const ProgramKey&) const = default;
  /// True if the keys differ at most in the batch size.
  bool same_arrays(const ProgramKey& other) const;
  /// True if a step of this key runs batches of up to `rows_of_batch` rows of such arrays. Allocates nothing.
  bool takes(const ArrayData& data, std::int64_t rows_of_batch) const;
};

class CompiledStep;

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
  virtual const CompiledStep* compiled() const { return nullptr; }
  /// A report of the compiled program.
  virtual std::string explain() const { return "run op by op"; }
  virtual const std::vector<LogSource>& logs() const = 0;
  /// Reads the logs from the device into `result`, by name.
  void read_logs(Logs& result) const override;
  /// The logs after the last run, if the device can be left to send them; null otherwise.
  virtual std::unique_ptr<LateLogs> begin_logs() const { return nullptr; }
  /// The number that each step adds to a counter; nullopt if that is not known.
  virtual std::optional<std::int64_t> increment_of(const Variable& counter) const {
    (void)counter;
    return std::nullopt;
  }
  /// Small variables as they were after the last run, read together; empty if reading each separately costs
  /// nothing.
  virtual const detail::VariableValues& last_values() const;
  /// Seconds by the clock of the client that runs the steps.
  double now() const { return key_.placement.client()->now(); }
  /// Seconds without one-time work: compiling programs and uploading cached arrays. A device that the host
  /// addresses does neither in a run.
  double now_of_steps() const {
    const runtime::Client& client = *key_.placement.client();
    if (client.is_addressable()) return client.now();
    const runtime::TransferStatistics counts = client.counts();
    return client.now() - counts.compiles.seconds - counts.writes.seconds;
  }

  /// Finds the variables' buffers. Called before the first run.
  virtual void bind() {}
  /// Until release_values() is called, runs use the present values of the variables that they only read,
  /// whatever is assigned meanwhile. Calls nest. See HeldValues.
  virtual void hold_values() {}
  virtual void release_values() {}
  /// The same with the values that `other` holds, a step of the same model and kind for other batches.
  virtual void hold_as(const StepRunner& other) { (void)other; }
  /// Starts compiling, in the background, the programs that batches of these sizes still need.
  virtual void expect(const BatchSizes& sizes) { (void)sizes; }
  /// True if these batches can run without waiting for a compilation.
  virtual bool is_ready(const Batches& batches) {
    (void)batches;
    return true;
  }
  /// Waits until these batches can run.
  virtual void make_ready(const Batches& batches) { (void)batches; }
  /// Runs the steps of `batches`, whose batch size is the key's; returns the number of steps done.
  virtual std::int64_t run(const Batches& batches, runtime::Progress& progress) = 0;
  /// True if an execution of this many steps is known to be short on a device of another process to which
  /// executions are submitted ahead.
  virtual bool is_short(std::int64_t num_steps) const {
    (void)num_steps;
    return false;
  }
  /// True if submit() does not wait for such batches on a device of another process, where progress and stop
  /// requests within an execution need an execution that is waited for.
  virtual bool is_submitted_ahead(const Batches& batches) {
    (void)batches;
    return false;
  }
  /// Begins the steps of `batches`, and does not wait for them if the device works by itself and the step
  /// looks for no faults. The batches are the caller's again; `progress` is not, until the event is done.
  virtual runtime::Submission submit(const Batches& batches, runtime::Progress& progress) {
    return {.done = {}, .num_steps = run(batches, progress)};
  }
  /// Called when variables were overwritten with values of a state, which may contain a fault word: recorded
  /// faults are dropped.
  virtual void forget_faults() {}
  /// The fault of the last run; nullopt if there was none.
  virtual std::optional<StepFault> fault() const = 0;
  /// The generator of its random numbers without a seed; nullopt if it draws none.
  virtual std::optional<DefaultGenerator> default_generator() const { return std::nullopt; }

 private:
  ProgramKey key_;
};

/// Makes a step work on one version of the weights while it lives (StepRunner::hold_values).
class HeldValues {
 public:
  /// Null: holds nothing.
  explicit HeldValues(StepRunner* step) : step_(step) {
    if (step_ != nullptr) step_->hold_values();
  }
  ~HeldValues() { let_go(); }
  HeldValues(const HeldValues&) = delete;
  HeldValues& operator=(const HeldValues&) = delete;
  void let_go() {
    if (StepRunner* const step = std::exchange(step_, nullptr)) step->release_values();
  }

 private:
  StepRunner* step_;
};

}  // namespace cornu::inline v0::keras
