#include "cornu/keras/files/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/io/file.h"
#include "cornu/keras/files/training_state.h"
#include "cornu/keras/trainer/model_state.h"
#include "cornu/runtime/processes.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::string_view kStateEnd = ".state";

using Numbered = std::pair<std::int64_t, std::string>;

/// The paths that are too many once `written` is there, which is never among them. Larger numbers are of a
/// run that was given up: one that went on from an older checkpoint would lose what it writes to them.
std::vector<std::string> too_many(const std::vector<Numbered>& all, std::int64_t written, std::size_t kept) {
  std::vector<std::string> order;  // what goes first stands first
  for (auto one = all.rbegin(); one != all.rend() && one->first > written; ++one)
    order.push_back(one->second);
  for (const auto& [number, path] : all)
    if (number < written) order.push_back(path);
  order.resize(std::min(order.size(), all.size() - std::min(all.size(), kept)));
  return order;
}

}  // namespace

Checkpoint& Checkpoint::add_state(const StringArgument& name, std::function<StateList()> state) {
  if (name.empty()) invalid_argument("[checkpoint] a part needs a name");
  const bool is_taken =
      std::any_of(parts_.begin(), parts_.end(), [&](const auto& part) { return part.first == name; });
  if (is_taken) invalid_argument("[checkpoint] there is a part \"{}\" already", name);
  parts_.emplace_back(name, std::move(state));
  return *this;
}

Checkpoint& Checkpoint::add(const StringArgument& name, const LayerHandle& layer) {
  (void)*layer;  // undefined ones are refused here
  return add_state(name, [layer, name] {
    if (!layer->built())
      fail(ErrorCode::kFailedPrecondition,
           "[checkpoint] \"{}\" has no weights yet: call build(), or it on data, first", name);
    StateList list = network_state(*layer);
    append_state(list, "", seed_state(*layer));
    return list;
  });
}

Checkpoint& Checkpoint::add(const StringArgument& name, const OptimizerHandle& optimizer) {
  (void)*optimizer;
  return add_state(name, [optimizer] { return optimizer_state(*optimizer); });
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
  for (const auto& [name, state] : parts_) append_state(all, name + "/", state());
  return all;
}

StateValues Checkpoint::values() const { return save_state(list()); }
void Checkpoint::save(const StringArgument& path) const {
  if (runtime::is_chief()) save_training_state(path, values());
}

void Checkpoint::restore(const StringArgument& path) const {
  const StateValues values = load_training_state(path);
  const StateList wanted = list();
  try {
    check_state(wanted, values, "restore");
  } catch (const Error& error) {
    throw error.with({.notes = fmt::format("in {}", path)});
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
    const char* const first = name.data() + begin.size();
    const char* const last = name.data() + name.size() - kStateEnd.size();
    std::int64_t number = 0;
    const auto [end, code] = std::from_chars(first, last, number);
    if (code == std::errc() && end == last && first != last && number >= 0)
      found.emplace_back(number, entry.path().string());
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
         "[checkpoint_manager] there is no number behind that of {}; remove it, or give save() a number",
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
