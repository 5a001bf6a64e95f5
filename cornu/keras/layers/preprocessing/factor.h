#pragma once

namespace cornu::inline v0::keras {

class Config;
namespace saving {
struct Place;
}

/// The range of a random change of images, as a fraction: between two bounds, `{-0.1, 0.2}`, or up to one
/// number in both directions, `0.2` (RandomContrast: in one direction).
class Factor {
 public:
  Factor() : Factor(0.0) {}
  Factor(double most) : first_(most), second_(most), is_number_(true) {}
  Factor(double one, double other) : first_(one), second_(other), is_number_(false) {}

  double lower() const;
  double upper() const;
  /// True if one number was given; `number()` returns it.
  bool is_number() const { return is_number_; }
  double number() const { return first_; }
  /// The two numbers as given.
  double first() const { return first_; }
  double second() const { return second_; }

 private:
  double first_, second_;
  bool is_number_;
};

/// Conversion to and from a configuration: a number, or a list of two. See config/values_support.h.
Config write_value(const Factor& value, const saving::Place& place);
void read_value(const Config& config, const saving::Place& place, Factor& value);

}  // namespace cornu::inline v0::keras
