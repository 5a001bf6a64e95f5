#include "cli/study/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/text/terminal.h"
#include "cornu/base/steady_clock.h"

namespace cornu::inline v0::study {
namespace {

constexpr std::size_t kDefaultColumns = 80;  // of a terminal that does not report its width

}  // namespace

StudyProgress::StudyProgress(std::size_t num_parts)
    : num_parts_(num_parts),
      start_(std::chrono::steady_clock::now()),
      is_shown_(isatty(STDERR_FILENO) != 0) {}

StudyProgress::~StudyProgress() {
  if (is_shown_) std::fputs("\r\033[K", stderr);
}

std::string StudyProgress::line(std::size_t part, std::size_t num_parts, std::size_t num_measured,
                                double seconds) {
  num_parts = std::max(part, num_parts);  // a line that is wrong by a part is better than one of nonsense
  if (num_measured == 0) return fmt::format("{} of {}", part, num_parts);
  const double left = seconds / static_cast<double>(num_measured) * static_cast<double>(num_parts - part + 1);
  const std::string time = left < 90 ? fmt::format("{:.0f} s", left) : fmt::format("{:.0f} min", left / 60);
  return fmt::format("{} of {}, about {} left", part, num_parts, time);
}

void StudyProgress::begin(const std::string& part, bool was_there) {
  ++part_;
  const double seconds = seconds_since(start_);
  if (is_shown_) {
    const std::string text = line(part_, num_parts_, num_measured_, seconds) + ": " + part;
    // A line of the terminal's whole width would be two.
    const std::size_t width = cli::error_width().value_or(kDefaultColumns);
    fmt::print(stderr, "\r\033[K{}", cli::clipped(text, width - 1));
  }
  if (!was_there) ++num_measured_;
}

}  // namespace cornu::inline v0::study
