#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::study {

/// A value of a metric that a training is to reach.
struct MetricTarget {
  std::string metric;
  double value = 0;
  bool is_upper_bound = false;  // reached at or below the value, as of a loss

  bool is_reached_by(double x) const { return is_upper_bound ? x <= value : x >= value; }
  /// "val_accuracy >= 0.98".
  std::string text() const;
};

/// Parses METRIC=VALUE, METRIC<=VALUE or METRIC>=VALUE. With "=", names of losses and errors (loss, error,
/// mse, mae, perplexity, ...) are upper bounds, all others lower bounds.
/// Errors: InvalidArgument for anything else, and for a value that is not finite.
MetricTarget parse_metric_target(const std::string& text);

/// The last value of a metric in a line of a program's output, as Keras ("val_loss: 0.31"), "loss=0.31" and
/// JSON ("\"loss\": 0.31") write it; nothing if the line has none. Part of a longer name does not count:
/// "val_loss" is no "loss".
std::optional<double> value_of_metric(std::string_view line, std::string_view metric);

/// Names in a line that are followed by a number in one of these forms.
std::vector<std::string> metrics_in(std::string_view line);

}  // namespace cornu::inline v0::study
