#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cornu::inline v0::study {

/// A bar, or a point of a line.
struct Mark {
  std::string label;  // on the axis of groups; of points their `x` as text
  double value = 0;
  double low = 0, high = 0;   // the spread; equal: none is drawn
  bool is_predicted = false;  // drawn in a light color
};

struct Series {
  std::string name;
  std::vector<Mark> marks;
};

/// A plot of series over common labels, in one style for all studies.
struct Plot {
  std::string title;
  std::string unit;  // of the values
  std::vector<Series> series;
  bool has_lines = false;  // lines through points instead of bars
  /// A dashed line across, with its name.
  std::optional<double> reference = {};
  std::string reference_name = {};
  /// Name of the marks that are drawn in a light color.
  std::string predicted_name = "predicted";
  /// False: the axis begins at 0 however far the values are apart, as shares in percent need it.
  bool may_be_logarithmic = true;
};

/// The plot as SVG that scales with the page and follows the reader's light or dark setting. The axis is
/// logarithmic where the values are all positive and the largest is 50 times the smallest or more: on a
/// linear axis the smallest would be invisible. Its bars begin at the reference, if there is one.
/// Errors: InvalidArgument for a plot without marks, or with values that are negative or not finite.
std::string to_svg(const Plot& plot);

/// Colors and fonts of all plots, as the element `style` of an SVG.
const char* plot_style();

/// A text for XML and HTML.
std::string escaped(const std::string& text);

}  // namespace cornu::inline v0::study
