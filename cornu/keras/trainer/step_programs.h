#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/trainer/preparation.h"
#include "cornu/keras/trainer/program_step.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::keras {

/// The steps of one model that were made so far: programs, or steps that run op by op. Makes those that are
/// missing.
///
/// One program serves any number of rows, any remainder of a batch and any number of steps an execution.
/// Where padding cannot be left out of a step, which the first program finds out, the others follow it (see
/// ExactStep). Rows of another shape need another program: up to kMostPrograms are kept, the last used ones,
/// of which all but kKeptPrograms are released while their working memory exceeds kKeptBytes.
/// Threads: one thread at a time; predicts_exactly() from any.
class StepPrograms {
 public:
  static constexpr std::size_t kKeptPrograms = 8;
  static constexpr std::size_t kMostPrograms = 64;
  static constexpr std::size_t kKeptBytes = std::size_t{1} << 30;
  /// Beyond so many shapes of rows, or so many other batch sizes, a warning advises to have fewer.
  static constexpr int kManyShapes = 16;

  /// Compiling gives up when `gives_up` is set. Both must outlive this.
  StepPrograms(const Preparation& preparation, const std::atomic<bool>& gives_up)
      : preparation_(preparation), gives_up_(gives_up) {}

  /// While it lives, steps that are made are given up again unless keep() is called.
  class Guard {
   public:
    explicit Guard(StepPrograms& programs) : programs_(programs), runners_(programs.runners_) {}
    ~Guard() {
      if (!kept_) programs_.runners_ = std::move(runners_);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    void keep() { kept_ = true; }

   private:
    StepPrograms& programs_;
    std::vector<std::shared_ptr<StepRunner>> runners_;
    bool kept_ = false;
  };

  /// The step of this kind for batches of such arrays; `caller` ("fit") stands in messages.
  /// Null only for a prediction that has just found out that it needs batches without padding.
  std::shared_ptr<StepRunner> get(ProgramKind kind, std::int64_t batch_size, const ArrayData& data,
                                  const char* caller);
  /// The step for the batches of a source whose first rows are `examples`. Where their shapes differ, it
  /// makes the steps for other shapes when they come. Lifetime: that of this; `caller` is a literal.
  std::shared_ptr<StepRunner> get(ProgramKind kind, const BatchSource& source, const ArrayData& examples,
                                  const char* caller);
  /// The batch size of the program that serves these rows in one step: that of a known one for as many rows
  /// or a few more, else a new one.
  std::int64_t size_for_rows(ProgramKind kind, const ArrayData& data) const;
  /// The number of rows of a step of predict.
  std::int64_t predict_step_rows(std::int64_t batch_size, std::int64_t num_rows) const;
  /// Whether predictions are known to need batches without padding.
  bool predicts_exactly() const { return predicts_exactly_; }

  /// Begins to compile what such batches need beside the step; returns the seconds that this took here.
  double expect(StepRunner& step, const BatchSizes& sizes);
  /// Waits until the batches can run; returns the seconds that compiling took.
  double make_ready(StepRunner& step, const Batches& batches) {
    return step.is_ready(batches) ? 0 : wait_for(step, batches);
  }

  /// As StepRunner::forget_faults, for all that are kept.
  void forget_faults() {
    for (const std::shared_ptr<StepRunner>& step : runners_) step->forget_faults();
  }
  /// Forgets all programs, since the network or what compile() was told has changed.
  void forget();
  /// From now on programs are for this thread's current device, where no scope around a run names one.
  void set_device() { device_ = detail::current_device_index(); }

  /// Where a run's programs are: a DeviceScope around it says so, else set_device().
  Placement placement() const;

  /// The set in whose strategy's scope the model was made; null where it was made outside of any.
  const std::shared_ptr<const ReplicaSet>& replicas() const { return replicas_; }

  /// Programs compiled so far, those of them whose machine code was in the disk cache, and the time that
  /// took.
  int num_compiles() const { return num_compiles_; }
  int num_from_cache() const { return num_from_cache_; }
  double compile_seconds() const { return compile_seconds_; }

 private:
  std::shared_ptr<StepRunner> find(const ProgramKey& key);
  /// Null where get() is.
  std::shared_ptr<StepRunner> make(const ProgramKey& key, std::int64_t num_rows,
                                   const std::vector<LogSource>& known_logs);
  std::shared_ptr<StepRunner> make_exact(const ProgramKey& key, std::int64_t num_rows,
                                         const std::vector<LogSource>& known_logs);
  std::unique_ptr<ProgramStep> make_program(const ProgramKey& key, ProgramStepOptions options,
                                            std::string* exact_because = nullptr);
  /// Keeps a step that was made, and releases those that were not used for longest.
  void keep(std::shared_ptr<StepRunner> made);
  /// Counts the shapes of rows and the batch sizes that were compiled for; warns once where they are many.
  void note_shape(const ProgramKey& key, const char* caller);
  void note_size(const ProgramKey& key, const char* caller);
  /// How many replicas share a batch of such a step.
  std::int64_t replicas_for(ProgramKind kind, std::int64_t batch_size) const;
  void check_weights(const char* caller) const;
  double wait_for(StepRunner& step, const Batches& batches);

  const Preparation& preparation_;
  const std::atomic<bool>& gives_up_;
  std::shared_ptr<const ReplicaSet> replicas_ = detail::current_replica_set();
  int device_ = 0;             // in the table of devices
  std::string exact_because_;  // why padding cannot be left out of steps; empty: it can, or nobody knows yet
  std::string predict_exact_because_;
  std::atomic<bool> predicts_exactly_{false};
  /// The last used one is at the end; a run holds those that it uses.
  std::vector<std::shared_ptr<StepRunner>> runners_;
  int num_compiles_ = 0;
  int num_from_cache_ = 0;
  double compile_seconds_ = 0;
  int num_shapes_[3] = {};  // of rows, one number for each kind of step
  int num_sizes_[3] = {};   // of batches of a shape that had another before, likewise
  bool warned_of_shapes_ = false;
  bool warned_of_sizes_ = false;
};

}  // namespace cornu::inline v0::keras
