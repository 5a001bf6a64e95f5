#include "cornu/keras/trainer/process_run.h"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/runtime/collective.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::keras {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return (a ^ b) * 0x9e3779b97f4a7c15u + (a >> 29); }

std::uint64_t fingerprint_of(const std::vector<Variable>& variables) {
  std::uint64_t result = variables.size();
  for (const ir::Literal& literal : detail::read_all(variables)) {
    const std::span<const std::byte> bytes = literal.bytes();
    result = mixed(
        result, std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  }
  return result;
}

}  // namespace

std::int64_t steps_of_execution(const StepRunner& step, const ExecutionTuner& tuner) {
  if (!tuner.is_auto() || step.key().num_replicas == 1 || detail::num_processes() == 1) return tuner.steps();
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
