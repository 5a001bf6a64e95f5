#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/step_runner.h"

namespace cornu::inline v0::keras {

/// A step that dispatches to one step for each shape of rows of a source. All of them work on the same
/// variables and write the same logs. It holds the first step, the current one and the one that ran last;
/// StepCache keeps the others.
class ShapedStep : public StepRunner {
 public:
  /// Finds or makes the step for batches whose rows have another shape than the first step's.
  using Make = std::function<std::shared_ptr<StepRunner>(const Batches& batches)>;

  /// `first`: the step for the source's examples.
  ShapedStep(std::shared_ptr<StepRunner> first, Make make)
      : StepRunner(first->key()),
        first_(std::move(first)),
        current_(first_),
        ran_(first_),
        make_(std::move(make)) {}

  const CompiledStep* compiled() const override { return first_->compiled(); }
  std::string explain() const override { return first_->explain(); }
  const std::vector<LogSource>& logs() const override { return ran_->logs(); }
  const detail::VariableValues& last_values() const override { return ran_->last_values(); }
  std::unique_ptr<LateLogs> begin_logs() const override { return ran_->begin_logs(); }
  std::optional<std::int64_t> increment_of(const Variable& counter) const override {
    return ran_->increment_of(counter);
  }
  void bind() override { current_->bind(); }
  void hold_values() override;
  void release_values() override;
  void expect(const BatchSizes& sizes) override {
    if (sizes.full <= key().batch_size) first_->expect(sizes);  // else the batches grew: another step
  }
  bool is_ready(const Batches& batches) override {
    return is_for(*current_, batches) && current_->is_ready(batches);
  }
  void make_ready(const Batches& batches) override { step_for(batches).make_ready(batches); }
  std::int64_t run(const Batches& batches, runtime::Progress& progress) override {
    return begin(batches).run(batches, progress);
  }
  bool is_short(std::int64_t num_steps) const override { return ran_->is_short(num_steps); }
  bool is_submitted_ahead(const Batches& batches) override {
    return step_for(batches).is_submitted_ahead(batches);
  }
  runtime::Submission submit(const Batches& batches, runtime::Progress& progress) override {
    return begin(batches).submit(batches, progress);
  }
  void forget_faults() override;
  std::optional<StepFault> fault() const override { return ran_->fault(); }
  std::optional<DefaultGenerator> default_generator() const override { return first_->default_generator(); }

 private:
  static bool is_for(const StepRunner& step, const Batches& batches) {
    return step.key().takes(*batches.arrays, batches.batch_size);
  }
  /// Makes the step for such batches the current one.
  StepRunner& step_for(const Batches& batches);
  /// The same, as the step that ran last; it holds the values that the first step holds.
  StepRunner& begin(const Batches& batches);

  void release_holder();
  /// Makes `step` hold the values that the first step holds, if any. At most one step besides the first holds
  /// them.
  void hold(const std::shared_ptr<StepRunner>& step);

  std::shared_ptr<StepRunner> first_;
  std::shared_ptr<StepRunner> current_;  // for the batches of the last query
  std::shared_ptr<StepRunner> ran_;      // the step that ran last
  Make make_;
  int num_held_ = 0;                    // calls of hold_values()
  std::shared_ptr<StepRunner> holder_;  // the holder besides the first; null if there is none
};

}  // namespace cornu::inline v0::keras
