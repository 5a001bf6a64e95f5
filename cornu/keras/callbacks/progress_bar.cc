#include "cornu/keras/callbacks/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/base/environment.h"
#include "cornu/base/printable.h"

namespace cornu::inline v0::keras::callbacks {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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
std::size_t screen_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++width;
    }
  }
  return width;
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
  return {.redraw = stdout_is_terminal() && environment::terminal() != "dumb",
          .color = !environment::no_color()};
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

std::string ProgressBar::render(std::int64_t current, const Logs& logs, bool final) const {
  const double now = options_.now();
  const double step_time = seconds_per_step(current, now);
  const bool is_known = options_.target > 0;
  const std::string target = std::to_string(options_.target);
  const std::string counter = is_known ? fmt::format("{:>{}}/{}", current, target.size(), target)
                                       : fmt::format("{:7}/Unknown", current);
  const std::string time = final || !is_known
                               ? fmt::format("{:.0f}s", now - start_)
                               : format_remaining(step_time * static_cast<double>(options_.target - current));
  std::string line;
  if (options_.verbose == 1 && !is_known) {
    line = fmt::format("{} {}{}", counter, time, format_step_time(step_time, options_.unit_name));
  } else if (options_.verbose == 2) {
    line = fmt::format("{} - {} -{}", counter, time, format_step_time(step_time, options_.unit_name));
  } else {
    const double share =
        options_.target > 0 ? static_cast<double>(current) / static_cast<double>(options_.target) : 1.0;
    const auto full =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(options_.width * share), 0, options_.width);
    if (options_.redraw && !options_.color) {
      line = fmt::format("{} {}{} {}", counter, repeat("━", full), repeat("╌", options_.width - full), time);
    } else if (options_.redraw) {
      line = fmt::format("\x1b[1m{}\x1b[0m ", counter);
      if (full > 0) line += fmt::format("\x1b[32m{}\x1b[0m", repeat("━", full));
      line += fmt::format("\x1b[37m{}\x1b[0m \x1b[1m{}\x1b[0m", repeat("━", options_.width - full), time);
    } else {
      line = fmt::format("{} {}{} {}", counter, repeat("━", full), repeat("╌", options_.width - full), time);
    }
    line += format_step_time(step_time, options_.unit_name);
  }
  if (!logs.empty()) line += " - " + printable(logs.str());
  return line;
}

void ProgressBar::draw(std::int64_t current, const Logs& logs, bool final) {
  const std::string line = render(current, logs, final);
  std::string message;
  const bool in_place = options_.verbose == 1 && options_.redraw;
  if (in_place) {
    const std::size_t width = screen_width(line);
    message = "\r" + line;
    if (drawn_width_ > width) message.append(drawn_width_ - width, ' ');
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
