#include "cli/study/plot.h"

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

constexpr double kWidth = 720, kHeight = 360;
constexpr double kLeft = 64, kRight = 16, kTop = 76, kBottom = 44;
constexpr int kColors = 6;
constexpr double kLegendRow = 16;

constexpr const char* kStyle =
    "<style>.plot{--ink:#1b1f24;--faint:#d0d7de;--s0:#b5332e;--s1:#2f6690;--s2:#7a8b3a;--s3:#c98a1b;--s4:#"
    "6b4e90;"
    "--s5:#4a8f8a;color:var(--ink);font:12px sans-serif}"
    "@media(prefers-color-scheme:dark){.plot{--ink:#e6edf3;--faint:#3d444d;--s0:#ef7b74;--s1:#79b4e0;--s2:#"
    "b3c56b;"
    "--s3:#e8b65a;--s4:#b79be0;--s5:#7fcac4}}"
    "@media "
    "print{.plot{--ink:#000;--faint:#bbb;--s0:#b5332e;--s1:#2f6690;--s2:#7a8b3a;--s3:#c98a1b;--s4:#6b4e90;"
    "--s5:#4a8f8a}}"
    ".plot text{fill:var(--ink)}.plot .grid{stroke:var(--faint)}.plot .spread,.plot "
    ".reference{stroke:var(--ink);"
    "fill:none}.plot .reference{stroke-dasharray:6 4}</style>";

/// A step of 1, 2 or 5 times a power of ten, so that about five fit.
double step_of(double most) {
  const double power = std::pow(10, std::floor(std::log10(most / 5)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (most / (factor * power) <= 6) return factor * power;
  return 10 * power;
}

/// Where a series' name stands in the legend, which has as many rows as the page's width asks for.
struct LegendPlace {
  double x = kLeft, y = 28;
};
std::vector<LegendPlace> legend_of(const Plot& plot) {
  std::vector<LegendPlace> places;
  LegendPlace next;
  for (const Series& series : plot.series) {
    const double width = 30 + 7 * static_cast<double>(series.name.size());
    if (next.x > kLeft && next.x + width > kWidth - kRight) next = {kLeft, next.y + kLegendRow};
    places.push_back(next);
    next.x += width;
  }
  return places;
}

/// Where values and labels lie.
struct Frame {
  double most;  // of the axis
  std::vector<std::string> labels;
  std::vector<LegendPlace> legend;

  /// Of the legend's rows beyond the first: all below them moves down.
  double shift() const { return legend.empty() ? 0 : legend.back().y - legend.front().y; }
  double height() const { return kHeight + shift(); }
  double y(double value) const { return height() - kBottom - value / most * (kHeight - kTop - kBottom); }
  double group_width() const { return (kWidth - kLeft - kRight) / static_cast<double>(labels.size()); }
  double group(const std::string& label) const {
    const auto place = std::find(labels.begin(), labels.end(), label) - labels.begin();
    return kLeft + group_width() * static_cast<double>(place);
  }
};

Frame make_frame(const Plot& plot) {
  Frame frame{.most = plot.reference.value_or(0), .labels = {}, .legend = legend_of(plot)};
  for (const Series& series : plot.series) {
    for (const Mark& mark : series.marks) {
      if (!(mark.value >= 0 && mark.low >= 0 && mark.high >= 0) ||
          !std::isfinite(mark.value + mark.low + mark.high))
        invalid_argument("[study] plot \"{}\": a value of \"{}\" is {}; it must be finite and not negative",
                         plot.title, series.name, mark.value);
      frame.most = std::max({frame.most, mark.value, mark.high});
      if (std::find(frame.labels.begin(), frame.labels.end(), mark.label) == frame.labels.end())
        frame.labels.push_back(mark.label);
    }
  }
  if (frame.labels.empty()) invalid_argument("[study] plot \"{}\" has nothing to show", plot.title);
  if (!(frame.most > 0)) frame.most = 1;
  const double step = step_of(frame.most);
  frame.most = std::ceil(frame.most / step * 1.02) * step;
  return frame;
}

std::string axes(const Plot& plot, const Frame& frame) {
  std::string svg =
      fmt::format("<text x='{}' y='18' font-size='14' font-weight='bold'>{}</text>", 8, escaped(plot.title));
  svg += fmt::format("<text x='8' y='{}'>{}</text>", kTop + frame.shift() - 10, escaped(plot.unit));
  const double step = step_of(frame.most);
  for (double value = 0; value <= frame.most * 1.0001; value += step)
    svg += fmt::format(
        "<line class='grid' x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}'/><text x='{}' y='{:.1f}' "
        "text-anchor='end'>{:.4g}</text>",
        kLeft, kWidth - kRight, frame.y(value), frame.y(value), kLeft - 6, frame.y(value) + 4, value);
  for (const std::string& label : frame.labels)
    svg += fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>{}</text>",
                       frame.group(label) + frame.group_width() / 2, frame.height() - kBottom + 18,
                       escaped(label));
  if (plot.reference.has_value())
    svg += fmt::format(
        "<line class='reference' x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}'/><text x='{}' y='{:.1f}' "
        "text-anchor='end'>{}</text>",
        kLeft, kWidth - kRight, frame.y(*plot.reference), frame.y(*plot.reference), kWidth - kRight,
        frame.y(*plot.reference) - 4, escaped(plot.reference_name));
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const auto [x, y] = frame.legend[i];
    svg += fmt::format(
        "<rect x='{:.1f}' y='{:.0f}' width='10' height='10' fill='var(--s{})'/><text x='{:.1f}' "
        "y='{:.0f}'>{}</text>",
        x, y, i % kColors, x + 14, y + 9, escaped(plot.series[i].name));
  }
  return svg;
}

std::string spread(const Mark& mark, double x, const Frame& frame) {
  if (!(mark.high > mark.low)) return "";
  return fmt::format(
      "<path class='spread' d='M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}h6M{3:.1f} {2:.1f}h6'/>", x,
      frame.y(mark.low), frame.y(mark.high), x - 3);
}

std::string draw(const Plot& plot, std::size_t index, const Frame& frame) {
  const Series& series = plot.series[index];
  const std::string color = fmt::format("var(--s{})", index % kColors);
  const double bar = frame.group_width() * 0.8 / static_cast<double>(plot.series.size());
  std::string svg, path;
  for (const Mark& mark : series.marks) {
    const double left =
        frame.group(mark.label) + frame.group_width() * 0.1 + bar * static_cast<double>(index);
    const double x = plot.has_lines ? frame.group(mark.label) + frame.group_width() / 2 : left + bar / 2;
    const std::string paint = mark.is_predicted ? fmt::format("fill='none' stroke='{}'{}", color,
                                                              plot.has_lines ? "" : " stroke-dasharray='3 2'")
                                                : fmt::format("fill='{0}' stroke='{0}'", color);
    const std::string title =
        fmt::format("<title>{}, {}: {:.4g} {}{}</title>", escaped(series.name), escaped(mark.label),
                    mark.value, escaped(plot.unit), mark.is_predicted ? " (predicted)" : "");
    if (plot.has_lines) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, frame.y(mark.value));
      svg += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4' {}>{}</circle>", x, frame.y(mark.value),
                         paint, title);
    } else {
      svg += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' {}>{}</rect>", left,
                         frame.y(mark.value), bar * 0.92, std::max(0.5, frame.y(0) - frame.y(mark.value)),
                         paint, title);
    }
    svg += spread(mark, x, frame);
  }
  if (!path.empty())
    svg += fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='1.5'/>", path, color);
  return svg;
}

}  // namespace

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
  return svg + "</svg>\n";
}

}  // namespace cornu::inline v0::study
