#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/trainer/compiled_step.h"
#include "cornu/keras/trainer/data_adapter.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::keras {

/// The cache of a model's steps: programs, or steps that run op by op. Makes those that are missing.
///
/// One program serves any number of rows, any remainder of a batch and any number of steps in an execution.
/// If a step cannot mask padding, which the first program finds out, the others are made the same way (see
/// UnpaddedStep). Rows of another shape need another program: the kMostPrograms most recently used are kept.
/// While the working memory of all exceeds kKeptBytes, all but kKeptPrograms are released.
/// Threads: one thread at a time; predicts_exactly() from any.
class StepCache {
 public:
  static constexpr std::size_t kKeptPrograms = 8;
  static constexpr std::size_t kMostPrograms = 64;
  static constexpr std::size_t kKeptBytes = std::size_t{1} << 30;
  /// Beyond this number of shapes of rows, or of batch sizes, a warning advises to use fewer.
  static constexpr int kManyShapes = 16;

  /// Compilations are cancelled when `is_cancelled` is set. Both arguments must outlive this object.
  StepCache(const DataAdapter& data_adapter, const std::atomic<bool>& is_cancelled)
      : data_adapter_(data_adapter), is_cancelled_(is_cancelled) {}

  /// While it lives, newly made steps are discarded again unless keep() is called.
  class Guard {
   public:
    explicit Guard(StepCache& programs) : programs_(programs), runners_(programs.runners_) {}
    ~Guard() {
      if (!kept_) programs_.runners_ = std::move(runners_);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    void keep() { kept_ = true; }

   private:
    StepCache& programs_;
    std::vector<std::shared_ptr<StepRunner>> runners_;
    bool kept_ = false;
  };

  /// The step of this kind for batches of such arrays; messages begin with `caller` ("fit"). Null only for a
  /// prediction that has just found out that it needs batches without padding.
  std::shared_ptr<StepRunner> get(ProgramKind kind, std::int64_t batch_size, const ArrayData& data,
                                  const char* caller);
  /// The step for the batches of a source whose first rows are `examples`. If shapes differ, the steps for
  /// other shapes are made when they are reached. Lifetime: that of this object; `caller` is a literal.
  std::shared_ptr<StepRunner> get(ProgramKind kind, const BatchSource& source, const ArrayData& examples,
                                  const char* caller);
  /// The batch size of the program that runs these rows in one step: that of an existing program for as many
  /// rows or a few more, else a new one.
  std::int64_t size_for_rows(ProgramKind kind, const ArrayData& data) const;
  /// The number of rows of a step of predict.
  std::int64_t predict_step_rows(std::int64_t batch_size, std::int64_t num_rows) const;
  /// True if predictions are known to need batches without padding.
  bool predicts_exactly() const { return predicts_exactly_; }

  /// Starts compiling the programs that such batches need; returns the seconds that this took here.
  double expect(StepRunner& step, const BatchSizes& sizes);
  /// Waits until the batches can run; returns the seconds spent compiling.
  double make_ready(StepRunner& step, const Batches& batches) {
    return step.is_ready(batches) ? 0 : wait_for(step, batches);
  }

  /// Calls StepRunner::forget_faults for all steps kept.
  void forget_faults() {
    for (const std::shared_ptr<StepRunner>& step : runners_) step->forget_faults();
  }
  /// Removes all programs: the network or the options of compile() have changed.
  void forget();
  /// From now on programs are for this thread's current device, unless a scope around a run names another.
  void set_device() { device_ = detail::current_device_index(); }

  /// The device of a run's programs: that of a DeviceScope around the run, else that of set_device().
  Placement placement() const;

  /// The replicas of the strategy in whose scope the model was made; null outside of any strategy.
  const std::shared_ptr<const ReplicaSet>& replicas() const { return replicas_; }

  /// The number of programs compiled, the number of those found in the disk cache, and the time spent.
  int num_compiles() const { return num_compiles_; }
  int num_from_cache() const { return num_from_cache_; }
  double compile_seconds() const { return compile_seconds_; }

 private:
  std::shared_ptr<StepRunner> find(const ProgramKey& key);
  /// Null where get() returns null.
  std::shared_ptr<StepRunner> make(const ProgramKey& key, std::int64_t num_rows,
                                   const std::vector<LogSource>& known_logs);
  std::shared_ptr<StepRunner> make_exact(const ProgramKey& key, std::int64_t num_rows,
                                         const std::vector<LogSource>& known_logs);
  std::unique_ptr<CompiledStep> make_program(const ProgramKey& key, CompiledStepOptions options,
                                             std::string* exact_because = nullptr);
  /// Adds a new step to the cache, and releases the least recently used ones.
  void keep(std::shared_ptr<StepRunner> made);
  /// Counts the shapes of rows and the batch sizes that were compiled; warns once if there are many.
  void note_shape(const ProgramKey& key, const char* caller);
  void note_size(const ProgramKey& key, const char* caller);
  /// The number of replicas that share a batch of such a step.
  std::int64_t replicas_for(ProgramKind kind, std::int64_t batch_size) const;
  void check_weights(const char* caller) const;
  double wait_for(StepRunner& step, const Batches& batches);

  const DataAdapter& data_adapter_;
  const std::atomic<bool>& is_cancelled_;
  std::shared_ptr<const ReplicaSet> replicas_ = detail::current_replica_set();
  int device_ = 0;             // its index in the table of devices
  std::string exact_because_;  // the reason why steps cannot mask padding; empty: they can, or not known
  std::string predict_exact_because_;
  std::atomic<bool> predicts_exactly_{false};
  /// The most recently used is at the end; a run holds the steps that it uses.
  std::vector<std::shared_ptr<StepRunner>> runners_;
  int num_compiles_ = 0;
  int num_from_cache_ = 0;
  double compile_seconds_ = 0;
  int num_shapes_[3] = {};  // of rows, for each kind of step
  int num_sizes_[3] = {};   // additional batch sizes for a known shape, for each kind of step
  bool warned_of_shapes_ = false;
  bool warned_of_sizes_ = false;
};

}  // namespace cornu::inline v0::keras
