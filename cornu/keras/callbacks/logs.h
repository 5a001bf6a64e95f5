#pragma once

#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/by_name.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// The value of a log, usually a metric's result: a number in most cases, or an array (F1Score by class).
class LogValue {
 public:
  LogValue(double number = 0) : number_(number) {}
  /// A scalar tensor becomes a number.
  LogValue(const Tensor& value);

  bool is_array() const { return array_.defined(); }
  /// Errors: InvalidArgument for an array.
  operator double() const;
  /// The array; a number becomes a float64 scalar.
  Tensor tensor() const;
  /// The value in the progress bar: of an array the mean, as in Keras.
  double mean() const;
  /// "0.25", "[0.5, 0.75]": the shortest digits that read back as the same numbers, in Python's notation.
  std::string str() const;
  bool operator==(const LogValue& other) const;

 private:
  double number_ = 0;
  Tensor array_;  // undefined for a number
};

/// Named values in the order in which Keras prints them: the result of evaluate(), and the argument of
/// callbacks.
///
/// Errors: operator[] and array() throw InvalidArgument, listing the names; operator[] also for an array.
class Logs : public ByName<LogValue> {
 public:
  Logs() : ByName("logs") {}
  Logs(std::initializer_list<Entry> entries) : ByName("logs", entries) {}

  double operator[](StringViewArgument name) const;
  double at(StringViewArgument name) const { return (*this)[name]; }
  /// The value as a tensor, for metrics whose result is an array.
  Tensor array(StringViewArgument name) const { return ByName::at(name).tensor(); }

  /// "accuracy: 0.9000 - loss: 0.1234", as the progress bar prints them.
  std::string str() const;

  bool operator==(const Logs&) const = default;
};

/// Prints str().
std::ostream& operator<<(std::ostream& out, const Logs& logs);

/// A metric's value as Keras prints it: four decimals, or scientific notation if its absolute value is at
/// most 1e-3.
std::string format_metric(double value);

/// "accuracy, loss, val_loss"
std::string comma_separated(const std::vector<std::string>& names);

/// The source of logs.
class LogReader {
 public:
  virtual void read_logs(Logs& logs) const = 0;

 protected:
  ~LogReader() = default;
};

/// The logs of the current epoch. They are read from the device on the first request after each execution.
class LazyLogs {
 public:
  /// Always empty.
  LazyLogs() = default;
  /// Lifetime: `reader` outlives this.
  explicit LazyLogs(const LogReader& reader) : reader_(&reader) {}
  /// Fixed values.
  explicit LazyLogs(Logs logs) : logs_(std::move(logs)) {}

  const Logs& get() {
    if (!fresh_ && reader_ != nullptr) reader_->read_logs(logs_);
    fresh_ = true;
    return logs_;
  }
  /// Called when the program has run: the values are out of date.
  void invalidate() { fresh_ = false; }

 private:
  const LogReader* reader_ = nullptr;
  Logs logs_;
  bool fresh_ = false;
};

}  // namespace cornu::inline v0::keras
