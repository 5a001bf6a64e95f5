#include "cornu/keras/trainer/process_run.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/keras/trainer/compiled_step.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::keras {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return (a ^ b) * 0x9e3779b97f4a7c15u + (a >> 29); }

std::uint64_t fingerprint_of(const std::vector<Variable>& variables) {
  std::uint64_t result = variables.size();
  std::vector<Variable> whole = variables;  // of parts each process has its own
  std::erase_if(whole, detail::spans_processes);
  for (const ir::Literal& literal : detail::read_all(whole)) {
    const std::span<const std::byte> bytes = literal.bytes();
    result = mixed(
        result, std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  }
  return result;
}

/// True if the step's program works with processes: each has replicas of it, or parts of a variable.
bool is_run_together(const StepRunner& step) {
  if (step.key().num_replicas > 1) return true;
  const CompiledStep* const compiled = step.compiled();
  if (compiled == nullptr) return false;
  const auto is_part = [](const Variable& variable) { return detail::is_part(variable); };
  return std::ranges::any_of(compiled->traced().state, is_part) ||
         std::ranges::any_of(compiled->traced().fixed, is_part);
}

}  // namespace

std::int64_t steps_of_execution(const StepRunner& step, const ExecutionTuner& tuner) {
  if (!tuner.is_auto() || detail::num_processes() == 1 || !is_run_together(step)) return tuner.steps();
  return runtime::joined_processes()->broadcast(tuner.steps());
}

int shown_level(const Verbose& verbose) { return runtime::is_chief() ? verbose.level() : 0; }

void require_same_start(const Network& network, const EpochStart& start) {
  if (detail::num_processes() == 1) return;
  runtime::Collective& processes = *runtime::joined_processes();
  processes.require_same(
      "weights (initializers need a seed that is the same on all ranks, and backups the same file)",
      fingerprint_of(network.weights()));
  processes.require_same("the seed of shuffles", start.seed);
  processes.require_same("their place in the training",
                         mixed(static_cast<std::uint64_t>(start.epoch), start.steps_trained));
}

}  // namespace cornu::inline v0::keras
