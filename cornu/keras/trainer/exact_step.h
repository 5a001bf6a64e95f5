#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/trainer/program_step.h"

namespace cornu::inline v0::keras {

/// Steps that cannot leave out padding: a program for full batches, and one for each size of a partial batch,
/// compiled in the background as soon as a run is known to have one. What one reports goes where the others'
/// goes, so that they are one step to the caller.
class ExactStep : public StepRunner {
 public:
  static constexpr std::size_t kKeptSizes = 8;

  /// Compiles the step for as many rows; its values go into the variables of `known` where those have the
  /// name.
  using Make = std::function<std::unique_ptr<ProgramStep>(
      std::int64_t rows, const std::vector<LogSource>& known, bool in_background)>;

  /// Compiles the program for the first step of `num_rows` rows at once. `reason`: why padding cannot be left
  /// out.
  ExactStep(ProgramKey key, std::int64_t num_rows, std::string reason, Make make);

  /// The program of full batches, or the one for `num_rows` rows if those are fewer.
  const ProgramStep* compiled() const override { return programs_.front().step.get(); }
  std::string explain() const override;
  const std::vector<LogSource>& logs() const override { return compiled()->logs(); }
  void bind() override;
  void hold_values() override;
  void let_go_of_values() override;
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
    std::unique_ptr<ProgramStep> step;
    bool is_bound = false;
    std::size_t num_held = 0;
  };
  bool is_compiled(std::int64_t rows) const;
  Program* find(std::int64_t rows);
  Program& find_or_make(std::int64_t rows, bool in_background);
  /// The program for so many rows, which is compiled, bound and given the values that are held if need be.
  ProgramStep& program(std::int64_t rows);

  std::string reason_;
  Make make_;
  std::vector<Program> programs_;      // the first stays, then the last used at the end
  const ProgramStep* last_ = nullptr;  // that has run
  std::optional<StepFault> fault_;
};

}  // namespace cornu::inline v0::keras
