#include "cornu/keras/files/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/parse_number.h"
#include "cornu/io/file.h"
#include "cornu/keras/files/training_state.h"
#include "cornu/keras/trainer/model_state.h"
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::string_view kStateEnd = ".state";

using Numbered = std::pair<std::int64_t, std::string>;

/// The paths to remove once `written` exists, which is never among them. Larger numbers belong to an
/// abandoned run: a run resumed from an older checkpoint would otherwise lose its own files to them.
std::vector<std::string> too_many(const std::vector<Numbered>& all, std::int64_t written, std::size_t kept) {
  std::vector<std::string> order;  // in the order of removal
  for (auto one = all.rbegin(); one != all.rend() && one->first > written; ++one)
    order.push_back(one->second);
  for (const auto& [number, path] : all)
    if (number < written) order.push_back(path);
  order.resize(std::min(order.size(), all.size() - std::min(all.size(), kept)));
  return order;
}

}  // namespace

Checkpoint& Checkpoint::add_part(Part part) {
  if (part.name.empty()) invalid_argument("[checkpoint] a part needs a name");
  const bool is_taken =
      std::any_of(parts_.begin(), parts_.end(), [&](const Part& known) { return known.name == part.name; });
  if (is_taken) invalid_argument("[checkpoint] there is a part \"{}\" already", part.name);
  parts_.push_back(std::move(part));
  return *this;
}

Checkpoint& Checkpoint::add_state(const StringArgument& name, std::function<StateList()> state) {
  return add_part({.name = name, .state = std::move(state)});
}

Checkpoint& Checkpoint::add(const StringArgument& name, const LayerHandle& layer) {
  (void)*layer;  // throws for undefined layers
  const auto state = [layer, name = std::string(name)] {
    if (!layer->built())
      fail(ErrorCode::kFailedPrecondition,
           "[checkpoint] \"{}\" has no weights yet: call build(), or it on data, first", name);
    StateList list = network_state(*layer);
    append_state(list, "", seed_state(*layer));
    return list;
  };
  return add_part({.name = name, .state = state, .layer = layer});
}

Checkpoint& Checkpoint::add(const StringArgument& name, const OptimizerHandle& optimizer) {
  (void)*optimizer;
  return add_part(
      {.name = name, .state = [optimizer] { return optimizer_state(*optimizer); }, .optimizer = optimizer});
}

Checkpoint& Checkpoint::add(const StringArgument& name, const MetricHandle& metric) {
  (void)*metric;
  return add_state(name, [metric] { return metrics_state({NamedMetric{"metric", metric.shared()}}); });
}

Checkpoint& Checkpoint::add(const StringArgument& name, const Variable& variable) {
  (void)variable.type();
  return add_state(name, [variable] { return StateList{keras::state_of("value", variable)}; });
}

StateList Checkpoint::list() const {
  StateList all;
  for (const Part& part : parts_) append_state(all, part.name + "/", part.state());
  return all;
}

StateValues Checkpoint::values() const { return save_state(list(), StateForm::kWholeAtFirst); }
void Checkpoint::save(const StringArgument& path) const {
  const StateList all = list();
  const auto is_in_parts = [](const StateEntry& entry) { return entry.part.has_value(); };
  if (!runtime::is_chief() && std::none_of(all.begin(), all.end(), is_in_parts)) return;
  const StateValues values = save_state(all, StateForm::kWholeAtFirst);
  if (runtime::is_chief()) save_training_state(path, values);
}

/// Builds the optimizers that are not built and have slots in the file, and returns them. Refuses an
/// optimizer that is built but has no slots in the file: it was saved before its first step.
std::vector<OptimizerHandle> Checkpoint::build_optimizers(const StateValues& values,
                                                          const std::string& path) const {
  std::vector<OptimizerHandle> built;
  for (const Part& part : parts_) {
    if (!part.optimizer) continue;
    const bool is_built_in_file = has_slots(values, part.name + "/");
    if (part.optimizer->built()) {
      if (!is_built_in_file && has_slots(part.state()))
        fail(ErrorCode::kFailedPrecondition,
             "[restore] optimizer \"{}\" has slots, and {} has none for it: it was not built when it was "
             "saved. "
             "Restore into an optimizer that is not built, or build it before the first save",
             part.name, path);
      continue;
    }
    if (!is_built_in_file) continue;
    const auto is_layer = [](const Part& each) { return static_cast<bool>(each.layer); };
    if (std::count_if(parts_.begin(), parts_.end(), is_layer) != 1)
      fail(ErrorCode::kFailedPrecondition,
           "[restore] optimizer \"{}\" is not built, and the checkpoint has not just one layer to build it "
           "for: call optimizer->build(model.trainable_variables()) with its variables before restore()",
           part.name);
    part.optimizer->build(std::find_if(parts_.begin(), parts_.end(), is_layer)->layer->trainable_weights());
    built.push_back(part.optimizer);
  }
  return built;
}

void Checkpoint::restore(const StringArgument& path) const {
  const StateValues values = load_training_state(path);
  (void)list();  // throws for layers that are not built, before anything is built
  const std::vector<OptimizerHandle> built = build_optimizers(values, path);
  const StateList wanted = list();
  try {
    check_state(wanted, values, "restore");
  } catch (const Error& error) {
    for (const OptimizerHandle& optimizer : built) optimizer->forget_variables();
    throw error.with({.notes = fmt::format("in {}", std::string_view(path))});
  }
  load_state(wanted, values);
}

CheckpointManager::CheckpointManager(Checkpoint checkpoint, CheckpointManagerOptions options)
    : checkpoint_(std::move(checkpoint)), options_(std::move(options)) {
  if (options_.max_to_keep < 1)
    invalid_argument("[checkpoint_manager] max_to_keep must be positive; got {}", options_.max_to_keep);
  if (options_.directory.empty() || options_.checkpoint_name.find('/') != std::string::npos)
    invalid_argument(
        "[checkpoint_manager] directory must be the path of a folder, checkpoint_name a name without \"/\"; "
        "got \"{}\" "
        "and \"{}\"",
        options_.directory, options_.checkpoint_name);
}

std::vector<std::pair<std::int64_t, std::string>> CheckpointManager::numbered() const {
  std::vector<std::pair<std::int64_t, std::string>> found;
  const std::string begin = options_.checkpoint_name + "-";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(options_.directory, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(kStateEnd)) continue;
    const std::string_view digits = std::string_view(name).substr(begin.size());
    const auto number = parse_number<std::int64_t>(digits.substr(0, digits.size() - kStateEnd.size()));
    if (number.has_value() && *number >= 0) found.emplace_back(*number, entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string CheckpointManager::save(std::optional<std::int64_t> number) {
  if (number.has_value() && *number < 0)
    invalid_argument("[checkpoint_manager] a checkpoint's number must not be negative; got {}", *number);
  std::error_code error;
  std::filesystem::create_directories(options_.directory, error);
  const auto before = numbered();
  if (!number.has_value() && !before.empty() &&
      before.back().first == std::numeric_limits<std::int64_t>::max())
    fail(ErrorCode::kOutOfRange,
         "[checkpoint_manager] there is no number after that of {}; remove it, or give save() a number",
         before.back().second);
  const std::int64_t next = number.value_or(before.empty() ? 1 : before.back().first + 1);
  const std::string path = (std::filesystem::path(options_.directory) /
                            fmt::format("{}-{}{}", options_.checkpoint_name, next, kStateEnd))
                               .string();
  io::WholeFile::remove_leftovers(path);
  checkpoint_.save(path);
  if (!runtime::is_chief()) return path;
  for (const std::string& each : too_many(numbered(), next, static_cast<std::size_t>(options_.max_to_keep)))
    std::filesystem::remove(each, error);
  return path;
}

std::vector<std::string> CheckpointManager::checkpoints() const {
  std::vector<std::string> paths;
  for (const auto& [number, path] : numbered()) paths.push_back(path);
  return paths;
}

std::optional<std::string> CheckpointManager::latest_checkpoint() const {
  const auto all = numbered();
  return all.empty() ? std::nullopt : std::optional(all.back().second);
}

std::optional<std::string> CheckpointManager::restore_or_initialize() const {
  auto all = numbered();
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    try {
      checkpoint_.restore(one->second);
      return one->second;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kDataLoss) throw;
      log_warning("[checkpoint_manager] {}; the one before is tried", error.what());
    }
  }
  return std::nullopt;
}

}  // namespace cornu::inline v0::keras
