#pragma once

#include <ctime>
#include <string>

namespace cornu::inline v0::study {

/// The end that a training must reach.
struct Deadline {
  double seconds = 0;  // from now on
  std::string text;    // as it was given: "8:00", "90m"
};

/// Parses a time of the day ("8:00", local time, today or tomorrow) or a duration ("90s", "45m", "2.5h",
/// "1d", or a number of seconds), counted from `now`.
/// Errors: InvalidArgument for anything else, and for a duration that is not positive.
Deadline parse_deadline(const std::string& text, std::time_t now);

}  // namespace cornu::inline v0::study
