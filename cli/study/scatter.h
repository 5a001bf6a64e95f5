#pragma once

#include <string>
#include <vector>

namespace cornu::inline v0::study {

/// A point with its name, and 90 % intervals where low < high.
struct ScatterPoint {
  std::string label;
  double x = 0, y = 0;
  double x_low = 0, x_high = 0;
  bool is_on_front = false;
  bool is_predicted = true;
};

/// Points on two logarithmic axes, for example cost against time, with a line through those of the front.
struct Scatter {
  std::string title;
  std::string x_title, y_title;
  std::vector<ScatterPoint> points;
};

/// The plot as SVG, in the style of to_svg(Plot). Points of the front have their names beside them, others
/// as titles.
/// Errors: InvalidArgument for no points, and for coordinates that are not positive and finite.
std::string to_svg(const Scatter& scatter);

}  // namespace cornu::inline v0::study
