#include "cli/study/plot.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cli/study/figures.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

constexpr double kWidth = 720, kHeight = 360;
constexpr double kLeft = 64, kRight = 16, kTop = 76, kBottom = 44;
constexpr int kColors = 6;
constexpr double kLegendRow = 16;

constexpr const char* kStyle =
    "<style>.plot{--ink:#1b1f24;--back:#fff;--faint:#d0d7de;--s0:#b5332e;--s1:#2f6690;--s2:#7a8b3a;--s3:#"
    "c98a1b;--s4:#"
    "6b4e90;"
    "--s5:#4a8f8a;color:var(--ink);font:12px sans-serif}"
    "@media(prefers-color-scheme:dark){.plot{--ink:#e6edf3;--back:#11151a;--faint:#3d444d;--s0:#ef7b74;--s1:#"
    "79b4e0;--s2:#"
    "b3c56b;"
    "--s3:#e8b65a;--s4:#b79be0;--s5:#7fcac4}}"
    "@media "
    "print{.plot{--ink:#000;--back:#fff;--faint:#bbb;--s0:#b5332e;--s1:#2f6690;--s2:#7a8b3a;--s3:#c98a1b;--"
    "s4:#6b4e90;"
    "--s5:#4a8f8a}}"
    ".plot text{fill:var(--ink)}.plot .grid{stroke:var(--faint)}.plot .spread,.plot "
    ".reference{stroke:var(--ink);"
    "fill:none}.plot .reference{stroke-dasharray:6 4}"
    ".plot .above{paint-order:stroke;stroke:var(--back);stroke-width:4px}</style>";

/// Ratio of the largest to the smallest value from which on an axis is logarithmic.
constexpr double kLogarithmicFrom = 50;
/// Decades beyond which a logarithmic axis has a tick for each decade only.
constexpr double kFineTicks = 2.5;

/// A step of 1, 2 or 5 times a power of ten, so that about five fit.
double step_of(double most) {
  const double power = std::pow(10, std::floor(std::log10(most / 5)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (most / (factor * power) <= 6) return factor * power;
  return 10 * power;
}

/// The axis of the values, between its first and last tick.
struct Axis {
  bool is_logarithmic = false;
  std::vector<double> ticks;

  /// The position of a value: 0 at the first tick, 1 at the last.
  double share(double value) const {
    if (!is_logarithmic) return value / ticks.back();
    return std::log(std::max(value, ticks.front()) / ticks.front()) / std::log(ticks.back() / ticks.front());
  }
};

/// `margin`: part of the axis above `most`.
Axis linear_axis(double most, double margin) {
  if (!(most > 0)) most = 1;
  const double step = step_of(most);
  Axis axis;
  const int count = static_cast<int>(std::ceil(most / step * (1 + margin)));
  for (int i = 0; i <= count; ++i) axis.ticks.push_back(i * step);
  return axis;
}

std::string tick_text(double value) {
  std::string text = number_text(value, 4);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

/// Ticks at 1, 2 and 5 times powers of ten, or only at powers of ten; the first one is below `least` by a
/// margin in which a bar can be seen.
Axis logarithmic_axis(double least, double most) {
  least /= 1.2;
  const bool is_fine = std::log10(most / least) < kFineTicks;
  std::vector<double> ticks;
  for (double power = std::pow(10, std::floor(std::log10(least))); power < 10 * most; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (is_fine || factor == 1) ticks.push_back(factor * power);
  const auto first = std::prev(std::upper_bound(ticks.begin(), ticks.end(), least));
  const auto last = std::lower_bound(first, ticks.end(), most);
  return {.is_logarithmic = true, .ticks = {first, std::next(last)}};
}

/// A name of the legend with the color of its series; predicted marks have an entry of their own.
struct LegendEntry {
  std::string name, paint;
  double x = kLeft, y = 28;
};
std::vector<LegendEntry> legend_of(const Plot& plot) {
  std::vector<LegendEntry> entries;
  bool is_predicted = false;
  for (const Series& series : plot.series) {
    entries.push_back(
        {.name = series.name, .paint = fmt::format("fill='var(--s{})'", entries.size() % kColors)});
    is_predicted |= std::any_of(series.marks.begin(), series.marks.end(),
                                [](const Mark& mark) { return mark.is_predicted; });
  }
  if (is_predicted)
    entries.push_back(
        {.name = plot.predicted_name,
         .paint = "fill='var(--ink)' fill-opacity='.2' stroke='var(--ink)' stroke-dasharray='3 2'"});
  double x = kLeft, y = 28;
  for (LegendEntry& entry : entries) {
    const double width = 30 + 7 * static_cast<double>(entry.name.size());
    if (x > kLeft && x + width > kWidth - kRight) {
      x = kLeft;
      y += kLegendRow;
    }
    entry.x = x;
    entry.y = y;
    x += width;
  }
  return entries;
}

/// Positions of values, labels and the legend.
struct Frame {
  Axis axis;
  std::vector<std::string> labels;
  std::vector<LegendEntry> legend;

  /// Height of the legend's rows beyond the first, which moves everything below the legend down.
  double shift() const { return legend.empty() ? 0 : legend.back().y - legend.front().y; }
  double height() const { return kHeight + shift(); }
  double y(double value) const { return height() - kBottom - axis.share(value) * (kHeight - kTop - kBottom); }
  double group_width() const { return (kWidth - kLeft - kRight) / static_cast<double>(labels.size()); }
  double group(const std::string& label) const {
    const auto place = std::find(labels.begin(), labels.end(), label) - labels.begin();
    return kLeft + group_width() * static_cast<double>(place);
  }
};

Frame make_frame(const Plot& plot) {
  Frame frame{.axis = {}, .labels = {}, .legend = legend_of(plot)};
  double least = plot.reference.value_or(INFINITY), most = plot.reference.value_or(0);
  for (const Series& series : plot.series) {
    for (const Mark& mark : series.marks) {
      if (!(mark.value >= 0 && mark.low >= 0 && mark.high >= 0) ||
          !std::isfinite(mark.value + mark.low + mark.high))
        invalid_argument("[study] plot \"{}\": a value of \"{}\" is {}; it must be finite and not negative",
                         plot.title, series.name, mark.value);
      least = std::min(least, mark.value);
      most = std::max({most, mark.value, mark.high});
      if (std::find(frame.labels.begin(), frame.labels.end(), mark.label) == frame.labels.end())
        frame.labels.push_back(mark.label);
    }
  }
  if (frame.labels.empty()) invalid_argument("[study] plot \"{}\" has nothing to show", plot.title);
  const bool is_logarithmic = plot.may_be_logarithmic && least > 0 && most >= kLogarithmicFrom * least;
  const bool is_share = plot.unit == "%" && most <= 100;  // nothing is above 100 %
  frame.axis = is_logarithmic ? logarithmic_axis(least, most) : linear_axis(most, is_share ? 0 : 0.02);
  return frame;
}

std::string legend_svg(const Frame& frame) {
  std::string svg;
  for (const LegendEntry& entry : frame.legend)
    svg += fmt::format(
        "<rect x='{:.1f}' y='{:.0f}' width='10' height='10' {}/><text x='{:.1f}' y='{:.0f}'>{}</text>",
        entry.x, entry.y, entry.paint, entry.x + 14, entry.y + 9, escaped(entry.name));
  return svg;
}

std::string axes(const Plot& plot, const Frame& frame) {
  std::string svg =
      fmt::format("<text x='{}' y='18' font-size='14' font-weight='bold'>{}</text>", 8, escaped(plot.title));
  svg += fmt::format("<text x='8' y='{}'>{}{}</text>", kTop + frame.shift() - 10, escaped(plot.unit),
                     frame.axis.is_logarithmic ? " (logarithmic axis)" : "");
  for (const double value : frame.axis.ticks)
    svg += fmt::format(
        "<line class='grid' x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}'/><text x='{}' y='{:.1f}' "
        "text-anchor='end'>{}</text>",
        kLeft, kWidth - kRight, frame.y(value), frame.y(value), kLeft - 6, frame.y(value) + 4,
        tick_text(value));
  for (const std::string& label : frame.labels)
    svg += fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>{}</text>",
                       frame.group(label) + frame.group_width() / 2, frame.height() - kBottom + 18,
                       escaped(label));
  if (plot.reference.has_value())
    svg += fmt::format("<line class='reference' x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}'/>", kLeft,
                       kWidth - kRight, frame.y(*plot.reference), frame.y(*plot.reference));
  return svg + legend_svg(frame);
}

/// The reference's name, drawn above the bars.
std::string reference_name(const Plot& plot, const Frame& frame) {
  if (!plot.reference.has_value()) return "";
  return fmt::format("<text class='above' x='{}' y='{:.1f}' text-anchor='end'>{}</text>", kWidth - kRight,
                     frame.y(*plot.reference) - 4, escaped(plot.reference_name));
}

std::string spread(const Mark& mark, double x, const Frame& frame) {
  if (!(mark.high > mark.low)) return "";
  return fmt::format(
      "<path class='spread' d='M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}h6M{3:.1f} {2:.1f}h6'/>", x,
      frame.y(mark.low), frame.y(mark.high), x - 3);
}

/// From the base, which is the reference on a logarithmic axis, up or down to the value.
std::string bar_svg(const Plot& plot, const Frame& frame, double value, double left, double width) {
  const double base =
      frame.y(frame.axis.is_logarithmic ? plot.reference.value_or(frame.axis.ticks.front()) : 0);
  const double top = std::min(base, frame.y(value));
  const double height = std::max(0.5, std::abs(base - frame.y(value)));
  return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}'", left, top, width, height);
}

std::string draw(const Plot& plot, std::size_t index, const Frame& frame) {
  const Series& series = plot.series[index];
  const std::string color = fmt::format("var(--s{})", index % kColors);
  const double bar = frame.group_width() * 0.8 / static_cast<double>(plot.series.size());
  std::string marks, path;
  for (const Mark& mark : series.marks) {
    const double left =
        frame.group(mark.label) + frame.group_width() * 0.1 + bar * static_cast<double>(index);
    const double x = plot.has_lines ? frame.group(mark.label) + frame.group_width() / 2 : left + bar / 2;
    const std::string paint =
        fmt::format("fill='{0}'{1} stroke='{0}'{2}", color, mark.is_predicted ? " fill-opacity='.25'" : "",
                    mark.is_predicted && !plot.has_lines ? " stroke-dasharray='3 2'" : "");
    const std::string title = fmt::format("<title>{}, {}: {:.4g} {}{}</title>", escaped(series.name),
                                          escaped(mark.label), mark.value, escaped(plot.unit),
                                          mark.is_predicted ? fmt::format(" ({})", plot.predicted_name) : "");
    if (plot.has_lines) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, frame.y(mark.value));
      marks += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4' {}>{}</circle>", x, frame.y(mark.value),
                           paint, title);
    } else {
      marks +=
          fmt::format("{} {}>{}</rect>", bar_svg(plot, frame, mark.value, left, bar * 0.92), paint, title);
    }
    marks += spread(mark, x, frame);
  }
  if (!path.empty())
    path = fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='1.5'/>", path, color);
  return path + marks;
}

}  // namespace

const char* plot_style() { return kStyle; }

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '\'': result += "&#39;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string to_svg(const Plot& plot) {
  const Frame frame = make_frame(plot);
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' class='plot' role='img' aria-label='{}' viewBox='0 0 {} {}' "
      "width='100%'>{}",
      escaped(plot.title), kWidth, frame.height(), kStyle);
  svg += axes(plot, frame);
  for (std::size_t i = 0; i < plot.series.size(); ++i) svg += draw(plot, i, frame);
  return svg + reference_name(plot, frame) + "</svg>\n";
}

}  // namespace cornu::inline v0::study
