#include "cli/study/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cornu::inline v0::study {

std::string number_text(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));  // after rounding
  std::string text = fmt::format("{:.{}f}", value, std::clamp(digits - 1 - exponent, 0, 15));
  const std::size_t end = std::min(text.find('.'), text.size());
  const std::size_t begin = value < 0 ? 1 : 0;
  for (std::size_t at = end; at > begin + 3;) text.insert(at -= 3, ",");
  return text;
}

std::string count_text(double value) {
  constexpr double kMillion = 1e6;
  if (value >= kMillion) return number_text(value / kMillion) + " million";
  const double unit = value < 100 ? 1 : std::pow(10, std::floor(std::log10(value)) - 1);
  return number_text(std::round(value / unit) * unit);
}

std::string seconds_text(double seconds) {
  struct Unit {
    double below, factor;
    const char* name;
  };
  constexpr Unit kUnits[] = {
      {1e-3, 1e6, "us"}, {1, 1e3, "ms"}, {120, 1, "s"}, {7200, 1.0 / 60, "min"}, {172800, 1.0 / 3600, "h"}};
  constexpr double kRounded = 0.995;  // values that round to a limit have the next unit
  if (seconds == 0) return "0 s";
  for (const Unit& unit : kUnits)
    if (seconds < kRounded * unit.below)
      return fmt::format("{} {}", number_text(seconds * unit.factor), unit.name);
  return number_text(seconds / 86400) + " days";
}

std::string bytes_text(double bytes) {
  if (bytes < 1e3) return number_text(bytes, 3) + " bytes";
  if (bytes < 1e6) return number_text(1e-3 * bytes, 3) + " kB";
  if (bytes < 1e9) return number_text(1e-6 * bytes, 3) + " MB";
  return number_text(1e-9 * bytes, 3) + " GB";
}

std::string money_text(double amount, const std::string& currency) {
  constexpr std::pair<const char*, const char*> kSigns[] = {{"USD", "$"}, {"EUR", "€"}, {"GBP", "£"}};
  for (const auto& [name, sign] : kSigns)
    if (currency == name) return sign + number_text(amount);
  return fmt::format("{} {}", number_text(amount), currency);
}

}  // namespace cornu::inline v0::study
