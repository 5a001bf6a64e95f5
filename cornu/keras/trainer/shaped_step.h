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

/// One step to its caller, made of a step for each shape of rows that a source gives. All of them work on the
/// same variables, and their logs go into the same ones. It holds the first step and the ones that run now
/// and ran last; StepPrograms keeps the others.
class ShapedStep : public StepRunner {
 public:
  /// Finds or makes the step for batches of other rows than the first step's.
  using Make = std::function<std::shared_ptr<StepRunner>(const Batches& batches)>;

  /// `first`: the step for the source's examples.
  ShapedStep(std::shared_ptr<StepRunner> first, Make make)
      : StepRunner(first->key()),
        first_(std::move(first)),
        current_(first_),
        ran_(first_),
        make_(std::move(make)) {}

  const ProgramStep* compiled() const override { return first_->compiled(); }
  std::string explain() const override { return first_->explain(); }
  const std::vector<LogSource>& logs() const override { return ran_->logs(); }
  const detail::VariableValues& last_values() const override { return ran_->last_values(); }
  void bind() override { current_->bind(); }
  void hold_values() override;
  void let_go_of_values() override;
  void expect(const BatchSizes& sizes) override {
    if (sizes.full <= key().batch_size) first_->expect(sizes);  // else the rows grew: another step's batches
  }
  bool is_ready(const Batches& batches) override {
    return is_for(*current_, batches) && current_->is_ready(batches);
  }
  void make_ready(const Batches& batches) override { step_for(batches).make_ready(batches); }
  std::int64_t run(const Batches& batches, runtime::Progress& progress) override;
  void forget_faults() override;
  std::optional<StepFault> fault() const override { return ran_->fault(); }
  std::optional<DefaultGenerator> default_generator() const override { return first_->default_generator(); }

 private:
  static bool is_for(const StepRunner& step, const Batches& batches) {
    return step.key().takes(*batches.arrays, batches.batch_size);
  }
  /// Makes the step for such batches the current one.
  StepRunner& step_for(const Batches& batches);

  void let_go_of_holder();
  /// The step, and no other but the first, holds the values that the first one holds, if that holds any.
  void hold(const std::shared_ptr<StepRunner>& step);

  std::shared_ptr<StepRunner> first_;
  std::shared_ptr<StepRunner> current_;  // for the last batches that were asked about
  std::shared_ptr<StepRunner> ran_;      // last
  Make make_;
  int num_held_ = 0;                    // calls of hold_values()
  std::shared_ptr<StepRunner> holder_;  // besides the first; null: none
};

}  // namespace cornu::inline v0::keras
