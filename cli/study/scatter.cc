#include "cli/study/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/study/figures.h"
#include "cli/study/plot.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

constexpr double kScatterWidth = 720, kScatterHeight = 400, kScatterLeft = 72, kScatterRight = 110,
                 kScatterTop = 40, kScatterBottom = 56;

/// A logarithmic axis over whole decades, or over 1, 2 and 5 times powers of ten where those are few.
struct LogAxis {
  double least = 1, most = 10;
  std::vector<double> ticks;

  double share(double value) const { return std::log(value / least) / std::log(most / least); }
};

LogAxis axis_of(double least, double most) {
  constexpr double kFewDecades = 2.5;
  const bool is_fine = std::log10(most / least) < kFewDecades;
  std::vector<double> all;
  for (double power = std::pow(10, std::floor(std::log10(least)) - 1); power < 100 * most; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (is_fine || factor == 1) all.push_back(factor * power);
  const auto first = std::prev(std::upper_bound(all.begin(), all.end(), least / 1.1));
  const auto last = std::lower_bound(first, all.end(), most * 1.1);
  return {.least = *first, .most = *last, .ticks = {first, std::next(last)}};
}

struct ScatterFrame {
  LogAxis x_axis, y_axis;
  double x(double value) const {
    return kScatterLeft + x_axis.share(value) * (kScatterWidth - kScatterLeft - kScatterRight);
  }
  double y(double value) const {
    return kScatterHeight - kScatterBottom -
           y_axis.share(value) * (kScatterHeight - kScatterTop - kScatterBottom);
  }
};

ScatterFrame frame_of(const Scatter& scatter) {
  if (scatter.points.empty()) invalid_argument("[study] plot \"{}\" has no points", scatter.title);
  double x_least = INFINITY, x_most = 0, y_least = INFINITY, y_most = 0;
  for (const ScatterPoint& point : scatter.points) {
    if (!(point.x > 0 && point.y > 0) || !std::isfinite(point.x + point.y + point.x_low + point.x_high))
      invalid_argument("[study] plot \"{}\": point \"{}\" is at {}, {}; both must be positive and finite",
                       scatter.title, point.label, point.x, point.y);
    const bool has_spread = point.x_high > point.x_low && point.x_low > 0;
    x_least = std::min(x_least, has_spread ? point.x_low : point.x);
    x_most = std::max(x_most, has_spread ? point.x_high : point.x);
    y_least = std::min(y_least, point.y);
    y_most = std::max(y_most, point.y);
  }
  return {axis_of(x_least, x_most), axis_of(y_least, y_most)};
}

std::string axes_svg(const Scatter& scatter, const ScatterFrame& frame) {
  std::string svg;
  for (const double tick : frame.x_axis.ticks)
    svg += fmt::format(
        "<line class='grid' x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}'/><text x='{0:.1f}' y='{3}' "
        "text-anchor='middle'>{4}</text>",
        frame.x(tick), kScatterTop, kScatterHeight - kScatterBottom, kScatterHeight - kScatterBottom + 18,
        number_text(tick, 1));
  for (const double tick : frame.y_axis.ticks)
    svg += fmt::format(
        "<line class='grid' x1='{1}' x2='{2}' y1='{0:.1f}' y2='{0:.1f}'/><text x='{3}' y='{4:.1f}' "
        "text-anchor='end'>{5}</text>",
        frame.y(tick), kScatterLeft, kScatterWidth - kScatterRight, kScatterLeft - 6, frame.y(tick) + 4,
        number_text(tick, 1));
  svg +=
      fmt::format("<text x='{}' y='20' font-weight='bold'>{}</text>", kScatterLeft, escaped(scatter.title));
  svg += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>",
                     (kScatterLeft + kScatterWidth - kScatterRight) / 2, kScatterHeight - 14,
                     escaped(scatter.x_title));
  return svg + fmt::format("<text x='{}' y='{}'>{}</text>", kScatterLeft, kScatterTop - 6,
                           escaped(scatter.y_title));
}

std::string front_svg(const Scatter& scatter, const ScatterFrame& frame) {
  std::vector<const ScatterPoint*> front;
  for (const ScatterPoint& point : scatter.points)
    if (point.is_on_front) front.push_back(&point);
  std::sort(front.begin(), front.end(), [](const auto* a, const auto* b) { return a->x < b->x; });
  std::string path;
  for (const ScatterPoint* const point : front)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", frame.x(point->x), frame.y(point->y));
  return front.size() < 2
             ? ""
             : fmt::format("<path class='front' d='{}' fill='none' stroke='var(--s1)' stroke-width='1.5'/>",
                           path);
}

std::string point_svg(const Scatter& scatter, const ScatterPoint& point, const ScatterFrame& frame) {
  const double x = frame.x(point.x), y = frame.y(point.y);
  std::string svg;
  if (point.x_high > point.x_low && point.x_low > 0)
    svg += fmt::format("<path class='spread' d='M{:.1f} {:.1f}H{:.1f}'/>", frame.x(point.x_low), y,
                       frame.x(point.x_high));
  svg += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{}' fill='var(--s{})'{} stroke='var(--s{})'>", x, y,
                     point.is_on_front ? 5 : 4, point.is_on_front ? 1 : 0,
                     point.is_predicted ? " fill-opacity='.25'" : "", point.is_on_front ? 1 : 0);
  svg += fmt::format("<title>{}: {:.4g} {}, {:.4g} {}{}</title></circle>", escaped(point.label), point.x,
                     escaped(scatter.x_title), point.y, escaped(scatter.y_title),
                     point.is_predicted ? " (predicted)" : "");
  if (point.is_on_front)
    svg += fmt::format("<text class='above' x='{:.1f}' y='{:.1f}'>{}</text>", x + 8, y + 4,
                       escaped(point.label));
  return svg;
}

}  // namespace

std::string to_svg(const Scatter& scatter) {
  const ScatterFrame frame = frame_of(scatter);
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' class='plot' role='img' aria-label='{}' viewBox='0 0 {} {}' "
      "width='100%'>{}",
      escaped(scatter.title), kScatterWidth, kScatterHeight, plot_style());
  svg += axes_svg(scatter, frame) + front_svg(scatter, frame);
  for (const ScatterPoint& point : scatter.points) svg += point_svg(scatter, point, frame);
  return svg + "</svg>\n";
}

}  // namespace cornu::inline v0::study
