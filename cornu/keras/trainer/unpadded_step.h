#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/trainer/compiled_step.h"

namespace cornu::inline v0::keras {

/// Steps that cannot mask padding rows: one program for full batches, and one for each size of a partial
/// batch, compiled in the background as soon as a run is known to have such a batch. All programs write the
/// same variables for logs, so that the caller sees one step.
class UnpaddedStep : public StepRunner {
 public:
  static constexpr std::size_t kKeptSizes = 8;

  /// Compiles the step for `rows` rows; its logs go into the variables of `known` that have the same name.
  using Make = std::function<std::unique_ptr<CompiledStep>(
      std::int64_t rows, const std::vector<LogSource>& known, bool in_background)>;

  /// Compiles the program for the first step, of `num_rows` rows, at once. `reason`: the reason why padding
  /// cannot be masked.
  UnpaddedStep(ProgramKey key, std::int64_t num_rows, std::string reason, Make make);

  /// The program of full batches, or the program for `num_rows` rows if those are fewer.
  const CompiledStep* compiled() const override { return programs_.front().step.get(); }
  std::string explain() const override;
  const std::vector<LogSource>& logs() const override { return compiled()->logs(); }
  void bind() override;
  void hold_values() override;
  void release_values() override;
  void hold_as(const StepRunner& other) override;
  void expect(const BatchSizes& sizes) override;
  bool is_ready(const Batches& batches) override;
  void make_ready(const Batches& batches) override;
  std::int64_t run(const Batches& batches, runtime::Progress& progress) override;
  void forget_faults() override {
    for (const Program& program : programs_) program.step->forget_faults();
  }
  std::optional<StepFault> fault() const override { return fault_; }
  std::optional<DefaultGenerator> default_generator() const override {
    return compiled()->default_generator();
  }
  const detail::VariableValues& last_values() const override {
    return last_ == nullptr ? StepRunner::last_values() : last_->last_values();
  }

 private:
  struct Program {
    std::unique_ptr<CompiledStep> step;
    bool is_bound = false;
    std::size_t num_held = 0;
  };
  bool is_compiled(std::int64_t rows) const;
  Program* find(std::int64_t rows);
  Program& find_or_make(std::int64_t rows, bool in_background);
  /// The program for batches of `rows` rows; compiles and binds it and hands it the held values as needed.
  CompiledStep& program(std::int64_t rows);

  std::string reason_;
  Make make_;
  std::vector<Program> programs_;       // the first is permanent; then by last use, the latest at the end
  const CompiledStep* last_ = nullptr;  // the program that ran last
  std::optional<StepFault> fault_;
};

}  // namespace cornu::inline v0::keras
