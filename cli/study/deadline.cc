#include "cli/study/deadline.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"

namespace cornu::inline v0::study {
namespace {

constexpr int kHoursOfDay = 24, kMinutesOfHour = 60;

/// Seconds until the next time that the clock shows `hour`:`minute`.
double seconds_until(int hour, int minute, std::time_t now) {
  std::tm time{};
  localtime_r(&now, &time);
  time.tm_hour = hour;
  time.tm_min = minute;
  time.tm_sec = 0;
  time.tm_isdst = -1;
  std::tm tomorrow = time;
  std::time_t end = std::mktime(&time);
  if (end <= now) {
    ++tomorrow.tm_mday;
    end = std::mktime(&tomorrow);
  }
  return std::difftime(end, now);
}

std::optional<double> parse_duration(std::string_view text) {
  constexpr std::pair<char, double> kUnits[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
  double factor = 1;
  for (const auto& [unit, seconds] : kUnits)
    if (text.ends_with(unit)) {
      factor = seconds;
      text.remove_suffix(1);
      break;
    }
  const std::optional<double> number = parse_number<double>(text);
  if (!number.has_value() || !(*number > 0) || !std::isfinite(*number)) return std::nullopt;
  return factor * *number;
}

}  // namespace

Deadline parse_deadline(const std::string& text, std::time_t now) {
  const std::string_view all = text;
  if (const std::size_t colon = all.find(':'); colon != std::string_view::npos) {
    const auto hour = parse_number<int>(all.substr(0, colon)),
               minute = parse_number<int>(all.substr(colon + 1));
    if (hour.has_value() && minute.has_value() && *hour >= 0 && *hour < kHoursOfDay && *minute >= 0 &&
        *minute < kMinutesOfHour && all.size() - colon == 3)
      return {seconds_until(*hour, *minute, now), text};
  } else if (const std::optional<double> seconds = parse_duration(all); seconds.has_value()) {
    return {*seconds, text};
  }
  invalid_argument(
      "[study] --deadline takes a time of the day as in 8:00, or a duration as in 90m, 2.5h, 1d or 3600; got "
      "{}",
      text);
}

}  // namespace cornu::inline v0::study
