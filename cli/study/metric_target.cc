#include "cli/study/metric_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

constexpr std::string_view kUpperBounds[] = {"loss",       "error",        "mse",  "mae",
                                             "mape",       "msle",         "rmse", "perplexity",
                                             "divergence", "crossentropy", "hinge"};

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A number at the beginning of `text`; "nan" and "inf" are numbers.
std::optional<double> number_at(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || (end != text.data() + text.size() && is_of_name(*end))) return std::nullopt;
  return value;
}

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  return text;
}

/// A name with its number, and the end of both in the text.
struct Found {
  std::string_view name;
  double value = 0;
};

/// The metrics of a line in order.
std::vector<Found> find_metrics(std::string_view line) {
  std::vector<Found> found;
  for (std::size_t at = 0; at < line.size();) {
    if (!is_of_name(line[at]) || (at > 0 && line[at - 1] == '.')) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && is_of_name(line[end])) ++end;
    const std::string_view name = line.substr(at, end - at);
    at = end;
    if (std::isdigit(static_cast<unsigned char>(name.front())) != 0) continue;
    std::string_view rest = line.substr(end);
    if (rest.starts_with('"') || rest.starts_with('\'')) rest.remove_prefix(1);
    rest = without_spaces(rest);
    if (!rest.starts_with(':') && !rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    if (const auto value = number_at(without_spaces(rest)); value.has_value())
      found.push_back({name, *value});
  }
  return found;
}

}  // namespace

std::string MetricTarget::text() const {
  return fmt::format("{} {} {}", metric, is_upper_bound ? "<=" : ">=", value);
}

MetricTarget parse_metric_target(const std::string& text) {
  const std::size_t sign = text.find_first_of("<>=");
  MetricTarget target;
  std::optional<double> value;
  if (sign != std::string::npos) {
    const bool is_plain = text[sign] == '=';
    if (is_plain || (sign + 1 < text.size() && text[sign + 1] == '=')) {
      target.metric = text.substr(0, sign);
      const std::string number = text.substr(sign + (is_plain ? 1 : 2));
      double parsed = 0;
      const char* const end = number.data() + number.size();
      if (const auto [read_to, error] = std::from_chars(number.data(), end, parsed);
          error == std::errc() && read_to == end && std::isfinite(parsed))
        value = parsed;
    }
    target.is_upper_bound =
        text[sign] == '<' || (is_plain && std::any_of(std::begin(kUpperBounds), std::end(kUpperBounds),
                                                      [&](std::string_view part) {
                                                        return target.metric.find(part) != std::string::npos;
                                                      }));
  }
  if (!value.has_value() || target.metric.empty() ||
      !std::all_of(target.metric.begin(), target.metric.end(), &is_of_name))
    invalid_argument(
        "[study] --to takes METRIC=VALUE, as in val_accuracy=0.98, or METRIC<=VALUE and METRIC>=VALUE; got "
        "{}",
        text);
  target.value = *value;
  return target;
}

std::optional<double> value_of_metric(std::string_view line, std::string_view metric) {
  std::optional<double> value;
  for (const Found& each : find_metrics(line))
    if (each.name == metric) value = each.value;
  return value;
}

std::vector<std::string> metrics_in(std::string_view line) {
  std::vector<std::string> names;
  for (const Found& each : find_metrics(line))
    if (std::find(names.begin(), names.end(), each.name) == names.end()) names.emplace_back(each.name);
  return names;
}

}  // namespace cornu::inline v0::study
