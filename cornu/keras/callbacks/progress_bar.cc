#include "cornu/keras/callbacks/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/environment.h"
#include "cornu/base/printable.h"
#include "cornu/base/steady_clock.h"
#include "cornu/base/terminal_width.h"

namespace cornu::inline v0::keras::callbacks {
namespace {

constexpr std::int64_t kLeastBar = 5;  // characters of a bar on a narrow terminal

void write_stdout(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::string repeat(std::string_view piece, std::int64_t times) {
  std::string text;
  for (std::int64_t i = 0; i < times; ++i) text += piece;
  return text;
}

// The width on the screen: escape sequences have none, a UTF-8 character has one column.
std::int64_t width_of(std::string_view text) {
  std::int64_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++width;
    }
  }
  return width;
}

/// " - loss: 0.2500" for each metric.
std::vector<std::string> metrics_of(const Logs& logs) {
  std::vector<std::string> metrics;
  for (const auto& [name, value] : logs)
    metrics.push_back(fmt::format(" - {}: {}", printable(name), format_metric(value.mean())));
  return metrics;
}

/// The metrics from `first` on as lines of `width` columns, each after a line feed.
std::string lines_of(const std::vector<std::string>& metrics, std::size_t first, std::int64_t width) {
  std::string text;
  std::int64_t used = width;
  for (std::size_t i = first; i < metrics.size(); ++i) {
    const std::int64_t size = width_of(metrics[i]);
    text += used + size > width ? "\n  " + metrics[i].substr(3) : metrics[i];
    used = used + size > width ? size - 1 : used + size;
  }
  return text;
}

std::string format_remaining(double seconds) {
  const auto total = static_cast<std::int64_t>(std::max(0.0, seconds));
  if (total > 3600) return fmt::format("{}:{:02}:{:02}", total / 3600, total % 3600 / 60, total % 60);
  if (total > 60) return fmt::format("{}:{:02}", total / 60, total % 60);
  return fmt::format("{}s", total);
}

}  // namespace

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

ProgressBarOptions terminal_progress_bar() {
  ProgressBarOptions options{.redraw = stdout_is_terminal() && environment::terminal() != "dumb",
                             .color = !environment::no_color()};
  if (options.redraw) options.columns = [] { return terminal_width(STDOUT_FILENO); };
  return options;
}

std::string format_step_time(double seconds, std::string_view unit_name) {
  if (seconds >= 1 || seconds == 0) return fmt::format(" {:.0f}s/{}", seconds, unit_name);
  if (seconds >= 1e-3) return fmt::format(" {:.0f}ms/{}", seconds * 1e3, unit_name);
  return fmt::format(" {:.0f}us/{}", seconds * 1e6, unit_name);
}

ProgressBar::ProgressBar(ProgressBarOptions options) : options_(std::move(options)) {
  if (!options_.write) options_.write = write_stdout;
  if (!options_.now) options_.now = steady_seconds;
  start_ = options_.now();
  last_draw_ = -std::numeric_limits<double>::infinity();
}

bool ProgressBar::due() const {
  return options_.verbose == 1 && options_.redraw && options_.now() - last_draw_ >= options_.interval_seconds;
}

void ProgressBar::update(std::int64_t current, const Logs& logs) {
  if (first_step_ == 0 && current > 0) {
    first_step_ = current;
    first_time_ = options_.now();
  }
  if (due()) draw(current, logs, false);
}

void ProgressBar::finish(std::int64_t current, const Logs& logs) {
  if (options_.verbose == 1 || options_.verbose == 2) draw(current, logs, true);
}

void ProgressBar::abandon() {
  if (drawn_width_ > 0) options_.write("\n");
  drawn_width_ = 0;
}

double ProgressBar::seconds_per_step(std::int64_t current, double now) const {
  if (current <= 0) return 0;
  if (first_step_ > 0 && current > first_step_)
    return (now - first_time_) / static_cast<double>(current - first_step_);
  return (now - start_) / static_cast<double>(current);
}

std::string ProgressBar::begin_of_line(std::int64_t current, bool final, std::int64_t width,
                                       double now) const {
  const double step_time = seconds_per_step(current, now);
  const bool is_known = options_.target > 0;
  const std::string target = std::to_string(options_.target);
  const std::string counter = is_known ? fmt::format("{:>{}}/{}", current, target.size(), target)
                                       : fmt::format("{:7}/Unknown", current);
  const std::string time = final || !is_known
                               ? fmt::format("{:.0f}s", now - start_)
                               : format_remaining(step_time * static_cast<double>(options_.target - current));
  const std::string each = format_step_time(step_time, options_.unit_name);
  if (options_.verbose == 2) return fmt::format("{} - {} -{}", counter, time, each);
  if (!is_known || width == 0) return fmt::format("{} {}{}", counter, time, each);
  const double share = static_cast<double>(current) / static_cast<double>(options_.target);
  const auto full =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(width) * share), 0, width);
  if (!options_.redraw || !options_.color)
    return fmt::format("{} {}{} {}{}", counter, repeat("━", full), repeat("╌", width - full), time, each);
  std::string line = fmt::format("\x1b[1m{}\x1b[0m ", counter);
  if (full > 0) line += fmt::format("\x1b[32m{}\x1b[0m", repeat("━", full));
  return line + fmt::format("\x1b[37m{}\x1b[0m \x1b[1m{}\x1b[0m{}", repeat("━", width - full), time, each);
}

std::string ProgressBar::render(std::int64_t current, const Logs& logs, bool final) const {
  const std::optional<std::size_t> columns = options_.columns ? options_.columns() : std::nullopt;
  const auto full_width = static_cast<std::int64_t>(options_.width);
  const double now = options_.now();  // once: a second reading may need more digits
  if (!columns.has_value()) {
    const std::string text = printable(logs.str());
    return begin_of_line(current, final, full_width, now) + (text.empty() ? "" : " - " + text);
  }
  // Terminals break a line whose last column is used.
  const auto room = static_cast<std::int64_t>(*columns) - 1;
  const std::vector<std::string> metrics = metrics_of(logs);
  const std::int64_t used = width_of(begin_of_line(current, final, full_width, now)) - full_width;
  const std::int64_t least_bar = std::min(kLeastBar, full_width);
  std::int64_t left = room - used - least_bar;
  std::size_t num_beside = 0;
  for (; num_beside < metrics.size() && width_of(metrics[num_beside]) <= left; ++num_beside)
    left -= width_of(metrics[num_beside]);
  const std::int64_t width = std::clamp<std::int64_t>(left + least_bar, 0, full_width);
  std::string text = begin_of_line(current, final, width >= least_bar ? width : 0, now);
  for (std::size_t i = 0; i < num_beside; ++i) text += metrics[i];
  return final ? text + lines_of(metrics, num_beside, room) : text;
}

void ProgressBar::draw(std::int64_t current, const Logs& logs, bool final) {
  const std::string line = render(current, logs, final);
  std::string message;
  const bool in_place = options_.verbose == 1 && options_.redraw;
  if (in_place) {
    const std::size_t end = std::min(line.find('\n'), line.size());
    const auto width = static_cast<std::size_t>(width_of(std::string_view(line).substr(0, end)));
    message = "\r" + line.substr(0, end);
    if (drawn_width_ > width) message.append(drawn_width_ - width, ' ');
    message += line.substr(end);
    drawn_width_ = width;
  } else {
    message = line;
  }
  if (final) {
    message += "\n";
    drawn_width_ = 0;
  }
  options_.write(message);
  last_draw_ = options_.now();
}

}  // namespace cornu::inline v0::keras::callbacks
