#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cornu/keras/callbacks/logs.h"

namespace cornu::inline v0::keras::callbacks {

/// Settings of a ProgressBar; `write`, `now` and `columns` are replaced in tests.
struct ProgressBarOptions {  // options/callbacks.toml
  /// Number of steps; 0: unknown.
  std::int64_t target = 0;
  /// 0: nothing; 1: a bar; 2: a line at the end without a bar.
  int verbose = 1;
  /// Width of the bar in characters.
  int width = 20;
  /// True: draws in place, for a terminal; false: one line at the end.
  bool redraw = false;
  /// True, with redraw: colours and bold face.
  bool color = true;
  /// Name of a step in the time for each.
  std::string unit_name = "step";
  /// Least seconds between two drawings, except the last.
  double interval_seconds = 0.05;
  /// Function that receives the text; empty: stdout, flushed.
  std::function<void(std::string_view)> write;
  /// Function that returns the time in seconds; empty: the steady clock.
  std::function<double()> now;
  /// Function that returns the number of columns of the terminal, to which lines are fitted; empty: lines of
  /// any length.
  std::function<std::optional<std::size_t>()> columns;
};

/// Draws Keras's progress bar: `6/6 ━━━━━━━━━━━━━━━━━━━━ 0s 2ms/step - accuracy: 0.9048 - loss: 0.0321`.
/// Threads: one thread.
class ProgressBar {
 public:
  explicit ProgressBar(ProgressBarOptions options);

  /// True if the bar is drawn in place and the last drawing is older than the interval. Reads the clock.
  bool due() const;
  /// Draws `current` of `target` steps if due.
  void update(std::int64_t current, const Logs& logs);
  /// Draws the full bar, or prints the epoch's line.
  void finish(const Logs& logs) { finish(options_.target, logs); }
  /// The same for an epoch that ends after `current` steps, fewer than the target if it was stopped.
  void finish(std::int64_t current, const Logs& logs);
  /// Sets the total number of steps once it is known.
  void set_target(std::int64_t target) { options_.target = target; }
  /// Ends a half-drawn line.
  void abandon();

  /// The line as it would be drawn now, with colours if `redraw`; the final line shows the time taken instead
  /// of the time left, and may be several lines on a narrow terminal.
  std::string render(std::int64_t current, const Logs& logs, bool final) const;

 private:
  double seconds_per_step(std::int64_t current, double now) const;
  /// The line without metrics, with a bar of `width` characters; 0: without a bar.
  std::string begin_of_line(std::int64_t current, bool final, std::int64_t width, double now) const;
  void draw(std::int64_t current, const Logs& logs, bool final);

  ProgressBarOptions options_;
  double start_;
  double last_draw_;
  // The first update is not representative (caches are cold); rates are measured from there on, as in Keras.
  double first_time_ = 0;
  std::int64_t first_step_ = 0;
  std::size_t drawn_width_ = 0;
};

/// True if stdout is a terminal.
bool stdout_is_terminal();

/// The options for stdout: redraws if it is a capable terminal (TERM is not "dumb"), in colour unless
/// NO_COLOR is set.
ProgressBarOptions terminal_progress_bar();

/// " 2ms/step": Keras's rounding of a duration.
std::string format_step_time(double seconds, std::string_view unit_name);

}  // namespace cornu::inline v0::keras::callbacks
