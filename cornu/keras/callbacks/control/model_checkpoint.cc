#include "cornu/keras/callbacks/control/model_checkpoint.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <string_view>
#include <system_error>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/service_thread.h"
#include "cornu/keras/files/prepared_file.h"
#include "cornu/keras/models/model.h"
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::keras::callbacks {
namespace {

constexpr const char* kCheckpointTag = "model_checkpoint";
constexpr std::int64_t kMostCharacters = 255;  // the longest name that file systems accept

/// Errors: InvalidArgument for a width or a precision above kMostCharacters, or one that is itself a field:
///         formatting would allocate that much memory.
void check_field_sizes(const std::string& pattern) {
  bool is_spec = false;  // between ":" and "}" of a field
  int depth = 0;
  std::int64_t number = 0;
  const auto refuse = [&](const char* why) {
    invalid_argument({.argument = "filepath"},
                     "[{}] a width or precision in filepath {}, at most {}; got filepath = \"{}\"",
                     kCheckpointTag, why, kMostCharacters, pattern);
  };
  for (const char c : pattern) {
    number = is_spec && c >= '0' && c <= '9' ? number * 10 + (c - '0') : 0;
    if (number > kMostCharacters) refuse("must be a number of characters");
    // "{{" and "}}" are literal braces: the first character opens or closes a field, the second reverts that.
    if (c == '{') {
      if (is_spec) refuse("must be written as a number");
      depth = depth == 1 ? 0 : 1;
    } else if (c == '}') {
      depth = 0;
    }
    is_spec = depth == 1 && (is_spec || c == ':');
  }
}

bool ends_with_one_of(std::string_view path, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return path.ends_with(end); });
}

void make_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    fail(ErrorCode::kNotFound, "[{}] cannot make the folder of {}: {}", kCheckpointTag, path,
         error.message());
}

}  // namespace

SaveFreq::SaveFreq(const char* word) {
  if (or_empty(word) != "epoch")
    invalid_argument("[{}] save_freq must be \"epoch\" or a number of batches; got \"{}\"", kCheckpointTag,
                     or_empty(word));
}

SaveFreq::SaveFreq(std::int64_t batches) : batches_(batches) {
  if (batches < 1)
    invalid_argument("[{}] save_freq must be \"epoch\" or at least 1; got {}", kCheckpointTag, batches);
}

/// A file that another thread writes.
struct ModelCheckpoint::Writing {
  explicit Writing(std::future<void> future) : file(future.share()) {}
  std::shared_future<void> file;
};

ModelCheckpoint::ModelCheckpoint(ModelCheckpointOptions options)
    : MonitorCallback(kCheckpointTag, options.monitor, options.mode, 0),
      options_(std::move(options)),
      best_(options_.initial_value_threshold) {
  if (options_.save_weights_only) {
    if (!ends_with_one_of(options_.filepath, {".weights.h5", ".safetensors", ".npz"}))
      invalid_argument(
          "[{}] a filepath for weights ends in .weights.h5, .safetensors or .npz; got filepath = \"{}\"",
          kCheckpointTag, options_.filepath);
  } else if (!ends_with_one_of(options_.filepath, {".keras", ".h5", ".hdf5"})) {
    invalid_argument("[{}] a filepath for models ends in .keras or .h5; got filepath = \"{}\"",
                     kCheckpointTag, options_.filepath);
  }
  check_field_sizes(options_.filepath);
}

std::int64_t ModelCheckpoint::max_batches_per_call() const {
  return options_.save_freq.batches() > 0 ? options_.save_freq.batches()
                                          : MonitorCallback::max_batches_per_call();
}

void ModelCheckpoint::on_train_batch_end(const BatchRange& batches, LazyLogs& logs) {
  if (options_.save_freq.batches() == 0) return;
  batches_since_save_ += batches.count;
  if (batches_since_save_ < options_.save_freq.batches()) return;
  batches_since_save_ = 0;
  save(logs.get(), batches.last);
}

void ModelCheckpoint::on_epoch_end(std::int64_t epoch, Logs& logs) {
  epoch_ = epoch;
  if (options_.save_freq.batches() == 0) save(logs, std::nullopt);
}

std::string ModelCheckpoint::path_for(const Logs& logs, std::optional<std::int64_t> batch) const {
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  std::vector<std::string> names = {"epoch"};
  values.push_back(fmt::arg("epoch", epoch_ + 1));
  if (batch.has_value()) {
    values.push_back(fmt::arg("batch", *batch + 1));
    names.emplace_back("batch");
  }
  for (const auto& [name, value] : logs) {
    if (value.is_array()) continue;
    values.push_back(fmt::arg(name.c_str(), static_cast<double>(value)));
    names.push_back(name);
  }
  try {
    return fmt::vformat(options_.filepath, values);
  } catch (const fmt::format_error& error) {
    invalid_argument("[{}] filepath = \"{}\" cannot be filled in: {}; there are: {}", kCheckpointTag,
                     options_.filepath, error.what(), comma_separated(names));
  }
}

bool ModelCheckpoint::should_save(const Logs& logs) {
  if (!options_.save_best_only) return true;
  require_direction();
  const LogValue* value = logs.find(monitor());
  if (value == nullptr || value->is_array()) {
    if (!std::exchange(warned_, true))
      log_warning("[{}] save_best_only has no effect without a number to watch: the log \"{}\" {}",
                  kCheckpointTag, monitor(), value == nullptr ? "is missing" : "is an array");
    return true;
  }
  const double current = *value;
  if (!is_improvement(current, best_)) return false;
  best_ = current;
  return true;
}

void ModelCheckpoint::save(const Logs& logs, std::optional<std::int64_t> batch) {
  if (!should_save(logs)) return;
  const std::string path = path_for(logs, batch);
  if (runtime::is_chief()) make_folder_of(path);
  if (options_.verbose > 0 && runtime::is_chief())
    fmt::print("\nEpoch {}: saving model to {}\n", epoch_ + 1, path);
  files::PreparedFile file = options_.save_weights_only ? files::prepare_save_weights(*model(), path, {})
                                                        : files::prepare_save(*model(), path, {});
  wait();
  const SignalsBlocked scope;
  writing_ = std::make_shared<Writing>(std::async(std::launch::async, std::move(file)));
}

void ModelCheckpoint::wait() {
  if (const auto writing = std::exchange(writing_, nullptr)) writing->file.get();
}

void ModelCheckpoint::on_train_end(Logs&) { wait(); }

void ModelCheckpoint::on_abandon() noexcept {
  try {
    wait();
  } catch (...) {
    return;  // the run's own error has more information
  }
}

StateList ModelCheckpoint::state() {
  wait();
  return {state_of("best", best_), state_of("batches_since_save", batches_since_save_)};
}

}  // namespace cornu::inline v0::keras::callbacks
