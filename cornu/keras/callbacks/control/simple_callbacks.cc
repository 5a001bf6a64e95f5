#include "cornu/keras/callbacks/control/simple_callbacks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/keras/models/model.h"
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::keras::callbacks {
namespace {

double current_rate(const Model& model) { return model.optimizer()->learning_rate().item<double>(); }

std::string csv_field(const std::string& text, const std::string& separator) {
  if (text.find_first_of("\"\r\n" + separator) == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

[[noreturn]] void file_error(const char* what, const std::string& filename) {
  const int error = errno;
  const ErrorCode code = error == ENOENT   ? ErrorCode::kNotFound
                         : error == ENOSPC ? ErrorCode::kResourceExhausted
                                           : ErrorCode::kFailedPrecondition;
  fail(code, "[csv_logger] cannot {} \"{}\": {}", what, filename, std::strerror(error));
}

}  // namespace

void LearningRateScheduler::on_epoch_begin(std::int64_t epoch) {
  const double rate = schedule_(epoch, current_rate(*model()));
  model()->optimizer()->set_learning_rate(rate);
  if (verbose_ > 0 && runtime::is_chief())
    fmt::print("\nEpoch {}: LearningRateScheduler setting learning rate to {}.\n", epoch + 1, rate);
}

void LearningRateScheduler::on_epoch_end(std::int64_t, Logs& logs) {
  logs.set("learning_rate", current_rate(*model()));
}

void TerminateOnNaN::on_batch_end(const BatchRange& batches, LazyLogs& logs) {
  const LogValue* loss = logs.get().find("loss");
  if (loss == nullptr || std::isfinite(loss->mean())) return;
  if (options_.raise_error)
    fail(ErrorCode::kDataLoss, "[terminate_on_nan] the loss is {} after batch {}", loss->str(), batches.last);
  if (runtime::is_chief()) fmt::print("Batch {}: Invalid loss, terminating training\n", batches.last);
  has_ended_ = true;
  model()->set_stop_training(true);
}

CSVLogger::CSVLogger(CSVLoggerOptions options) : options_(std::move(options)) {
  if (options_.filename.empty())
    invalid_argument({.argument = "filename"}, "[csv_logger] filename must be the path of a file; got \"\"");
  if (options_.separator.size() != 1)
    invalid_argument({.argument = "separator"},
                     "[csv_logger] separator must be one character; got separator = \"{}\"",
                     options_.separator);
}
CSVLoggerOptions CSVLogger::with_filename(StringArgument filename, CSVLoggerOptions options) {
  if (!options.filename.empty())
    invalid_argument({.argument = "filename"}, "[csv_logger] filename is given twice: \"{}\" and \"{}\"",
                     std::string_view(filename), options.filename);
  options.filename = std::move(filename);
  return options;
}
CSVLogger::CSVLogger(CSVLogger&& other) noexcept
    : Callback(other),
      options_(std::move(other.options_)),
      file_(std::exchange(other.file_, -1)),
      needs_header_(other.needs_header_),
      keys_(std::move(other.keys_)) {}
CSVLogger::~CSVLogger() { close(); }

void CSVLogger::close() noexcept {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

void CSVLogger::on_train_begin() {
  close();
  keys_.clear();
  if (!runtime::is_chief()) return;
  // Opening a pipe without a reader is an error and does not block; writing to a pipe blocks while its reader
  // is slow.
  file_ = ::open(options_.filename.c_str(),
                 O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (options_.append ? O_APPEND : O_TRUNC), 0666);
  if (file_ < 0 || ::fcntl(file_, F_SETFL, ::fcntl(file_, F_GETFL) & ~O_NONBLOCK) != 0)
    file_error("open", options_.filename);
  struct stat status = {};
  needs_header_ = !(options_.append && ::fstat(file_, &status) == 0 && status.st_size > 0);
}

void CSVLogger::write_row(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (!line.empty()) line += options_.separator;
    line += csv_field(field, options_.separator);
  }
  line += "\r\n";
  const off_t before = ::lseek(file_, 0, SEEK_END);
  const ssize_t written = ::write(file_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return;
  if (written >= 0) errno = ENOSPC;
  const int error = errno;
  if (written > 0 && before >= 0 && ::ftruncate(file_, before) != 0) errno = error;
  errno = error;
  file_error("write to", options_.filename);
}

void CSVLogger::on_epoch_end(std::int64_t epoch, Logs& logs) {
  if (!runtime::is_chief()) return;
  if (file_ < 0)
    fail(ErrorCode::kFailedPrecondition, "[csv_logger] \"{}\" is not open: on_train_begin was not called",
         options_.filename);
  if (keys_.empty()) {
    for (const auto& [name, value] : logs) keys_.push_back(name);
    std::sort(keys_.begin(), keys_.end());
    const bool has_validation =
        std::any_of(keys_.begin(), keys_.end(), [](const auto& key) { return key.starts_with("val_"); });
    const std::size_t num_keys = keys_.size();
    for (std::size_t i = 0; !has_validation && i < num_keys; ++i) keys_.push_back("val_" + keys_[i]);
    if (needs_header_) {
      std::vector<std::string> header = {"epoch"};
      header.insert(header.end(), keys_.begin(), keys_.end());
      write_row(header);
      needs_header_ = false;
    }
  }
  std::vector<std::string> row = {std::to_string(epoch)};
  for (const std::string& key : keys_) {
    const LogValue* value = logs.find(key);
    if (value == nullptr) {
      row.emplace_back("NA");
    } else {
      row.push_back(value->is_array() ? fmt::format("\"{}\"", value->str()) : value->str());
    }
  }
  write_row(row);
}

void CSVLogger::on_train_end(Logs&) { close(); }
void CSVLogger::on_abandon() noexcept { close(); }

}  // namespace cornu::inline v0::keras::callbacks
