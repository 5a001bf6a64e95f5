#pragma once

#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cornu::inline v0::keras {

/// Named numbers in the order in which Keras prints them: what evaluate() returns and callbacks see.
///
/// Errors: operator[] throws InvalidArgument that lists the names there are.
class Logs {
 public:
  using Entry = std::pair<std::string, double>;

  Logs() = default;
  Logs(std::initializer_list<Entry> entries) : entries_(entries) {}

  /// Replaces the value of `name` or appends it.
  void set(std::string_view name, double value);
  /// Null when absent.
  const double* find(std::string_view name) const;
  double operator[](std::string_view name) const;

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }
  void sort_by_name();

  /// "accuracy: 0.9000 - loss: 0.1234", as the progress bar prints them.
  std::string str() const;

  bool operator==(const Logs&) const = default;

 private:
  std::vector<Entry> entries_;
};

/// As str().
std::ostream& operator<<(std::ostream& out, const Logs& logs);

/// A metric's value as Keras prints it: four decimals, or scientific notation when it is at most 1e-3 in size.
std::string format_metric(double value);

/// "accuracy, loss, val_loss"
std::string comma_separated(const std::vector<std::string>& names);

/// The logs of the running epoch, read from the device when somebody asks, and then only once a call of the hooks.
class LazyLogs {
 public:
  using Read = void (*)(void* context, Logs& logs);
  /// Always empty.
  LazyLogs() = default;
  LazyLogs(Read read, void* context) : read_(read), context_(context) {}
  /// These values, which are not read from anywhere.
  explicit LazyLogs(Logs logs) : logs_(std::move(logs)) {}

  const Logs& get() {
    if (!fresh_ && read_ != nullptr) read_(context_, logs_);
    fresh_ = true;
    return logs_;
  }
  /// The program ran on: the values are out of date.
  void invalidate() { fresh_ = false; }

 private:
  Read read_ = nullptr;
  void* context_ = nullptr;
  Logs logs_;
  bool fresh_ = false;
};

}  // namespace cornu::inline v0::keras
