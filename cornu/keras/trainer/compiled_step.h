#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cornu/keras/trainer/compiled_parts.h"
#include "cornu/keras/trainer/step_runner.h"
#include "cornu/runtime/async_executable.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_versions.h"

namespace cornu::inline v0::keras {

/// The variables that executions of a step program work on.
struct StepBuffers {
  std::vector<runtime::Buffer*> state;
  std::vector<runtime::Buffer*> fixed;  // empty if runs work on a snapshot
  /// The buffers of `fixed` that other threads may replace during the run (detail::hold_numbers).
  std::vector<std::shared_ptr<runtime::Buffer>> held_numbers;
  std::uint64_t moves = 0;  // detail::variable_moves when the buffers were found
  /// True if a variable has moved since: a callback may have used it on another device, and the buffers must
  /// be found again.
  bool are_stale() const { return moves != detail::variable_moves.load(std::memory_order_relaxed); }
};

struct CompiledStepOptions {
  /// Values that the step reports go into these variables where they have the name.
  std::vector<LogSource> known_logs = {};
  /// True if all rows are data, so that there is no partial batch.
  bool is_exact = false;
  /// The reason why padding is necessary, for explain(); empty if it is not, or if another step has the
  /// reason.
  std::string exact_because = {};
  /// The number of devices that share the parts of a batch, which are the key's replicas.
  std::int64_t num_devices = 1;
  /// The number of processes, each of which has as many of the parts.
  std::int64_t num_processes = 1;
  /// True if the step is only traced when it is returned, and a thread compiles it.
  bool in_background = false;
  /// Compiling stops with Cancelled once it is true. It must outlive the step.
  const std::atomic<bool>* stop = nullptr;
  /// Called once it is compiled, by the thread that made it or that waits for it.
  std::function<void(const runtime::Executable&)> on_compiled = {};
};

/// A traced and compiled step with the buffers it runs on.
/// Threads: one thread; const methods from many at once, after wait().
class CompiledStep : public StepRunner {
 public:
  /// `faults` null: the step looks for none. With in_background a thread compiles, if one is available, until
  /// wait() is called; call wait() before anything else.
  CompiledStep(ProgramKey key, TracedProgram traced, std::vector<LogSource> logs,
               std::shared_ptr<const StepFaults> faults, const CompiledStepOptions& options);

  bool is_compiled() const {
    return executable_ != nullptr ||
           (compiling_.valid() && compiling_.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
  }
  /// Waits until the program is compiled. Errors: those of compiling; the next call tries again.
  void wait();

  const CompiledStep* compiled() const override { return this; }
  const runtime::Executable& executable() const { return *executable_; }
  std::string explain() const override;
  const TracedProgram& traced() const { return traced_; }
  const std::vector<LogSource>& logs() const override { return logs_; }
  void forget_faults() override {
    if (faults_ != nullptr) faults_->forget();
  }
  std::optional<StepFault> fault() const override;
  std::optional<DefaultGenerator> default_generator() const override { return default_generator_; }
  const detail::VariableValues& last_values() const override;
  std::unique_ptr<LateLogs> begin_logs() const override;
  std::optional<std::int64_t> increment_of(const Variable& counter) const override;

  /// Called before the buffers of an execution are read.
  void begin() const {
    if (faults_ == nullptr) return;
    faults_->reset();
    last_values_.reset();
  }
  /// The current values of the variables that the step only reads.
  detail::VersionLease version() const { return versions_.take(); }
  /// The same, in the version that another program of the model took by an earlier call.
  detail::VersionLease version_as(const CompiledStep& other, const detail::VersionLease& earlier) const {
    return versions_.take(earlier, other.versions_);
  }

  void bind() override;
  void hold_values() override { held_.push_back(version()); }
  void release_values() override { held_.pop_back(); }
  /// Holds the values that another program of the same step holds.
  void hold_as(const CompiledStep& other, std::size_t depth) {
    held_.push_back(version_as(other, other.held_[depth]));
  }
  void hold_as(const StepRunner& other) override {
    const CompiledStep& program = *other.compiled();
    hold_as(program, program.held_.size() - 1);
  }
  /// A remote device has programs of a few lengths; the one for these batches may not be compiled yet.
  bool is_ready(const Batches& batches) override {
    return !prepares_ || prepared_steps_ == batches.num_steps;
  }
  void make_ready(const Batches& batches) override {
    executable_->prepare(batches.num_steps);
    prepared_steps_ = batches.num_steps;
  }
  /// Runs all steps in one execution, without allocating.
  std::int64_t run(const Batches& batches, runtime::Progress& progress) override;
  bool is_short(std::int64_t num_steps) const override {
    return async_ != nullptr && !waits_for_each() && async_->is_short(num_steps);
  }
  bool is_submitted_ahead(const Batches& batches) override { return is_short(batches.num_steps); }
  runtime::Submission submit(const Batches& batches, runtime::Progress& progress) override;
  using Buffers = std::span<runtime::Buffer* const>;
  /// Begins an execution of a step without state, and does not wait for it if the device works by itself. Call
  /// it only if waits_for_each() is false.
  runtime::Submission submit_on(Buffers fixed, const Batches& batches, runtime::Progress& progress,
                                std::span<std::byte* const> outputs) const {
    return submit_on({}, fixed, batches, progress, outputs, async_);
  }
  /// True if each execution must be waited for: a fault is read after it, and a counter that all threads use
  /// is claimed until its end.
  bool waits_for_each() const {
    return !prepares_ || !drawn_.empty() || (faults_ != nullptr && faults_->has_sites());
  }
  std::int64_t run_on(Buffers state, Buffers fixed, const Batches& batches, runtime::Progress& progress,
                      std::span<std::byte* const> outputs = {}) const {
    const runtime::Submission submission = submit_on(state, fixed, batches, progress, outputs, nullptr);
    submission.done.wait();
    return submission.num_steps;
  }

 private:
  std::unique_ptr<runtime::Executable> compile() const;
  runtime::Submission submit_on(Buffers state, Buffers fixed, const Batches& batches,
                                runtime::Progress& progress, std::span<std::byte* const> outputs,
                                runtime::AsyncExecutable* async) const;
  void find_small_variables();
  void find_buffers();
  /// Claims the process's random counter if the step draws from it. Errors: none.
  void claim_drawn(std::optional<detail::VariableClaim>& claim) const;
  /// True if an execution may use the buffers that bind() found. Call claim_drawn() before.
  bool is_bound() const;
  bool begin_in_background();

  TracedProgram traced_;
  std::vector<LogSource> logs_;
  std::shared_ptr<const StepFaults> faults_;
  std::string exact_because_;
  std::int64_t num_processes_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<runtime::Executable> executable_;
  runtime::AsyncExecutable* async_ = nullptr;  // the same object; null: its execute() does not wait
  std::function<void(const runtime::Executable&)> on_compiled_;
  bool prepares_;
  std::int64_t prepared_steps_ = 0;
  StepBuffers buffers_;
  std::vector<Variable> drawn_;  // the counters in its state, which each execution claims
  mutable detail::VariableVersions versions_{traced_.fixed, key().placement};
  std::vector<detail::VersionLease> held_;
  std::vector<Variable> small_variables_;  // the variables of last_values()
  mutable std::optional<detail::VariableValues> last_values_;
  std::optional<DefaultGenerator> default_generator_;
  std::future<std::unique_ptr<runtime::Executable>> compiling_;  // last: its thread uses the others
};

/// Appends a note to an explanation: partial batches have programs of their own, and the reason.
std::string exact_because_note(const std::string& explanation, const std::string& reason);

/// Traces and compiles the step of `key`. Returns null, with the reason in `exact_because`, if something in
/// the step cannot mask padding rows (RowMask::require_exact).
/// Errors: InvalidArgument, naming the layer, if shapes do not fit.
std::unique_ptr<CompiledStep> make_compiled_step(const ProgramKey& key, const ModelParts& parts,
                                                 const CompiledStepOptions& options,
                                                 std::string* exact_because = nullptr);

}  // namespace cornu::inline v0::keras
