#pragma once

#include <cmath>

namespace cornu::inline v0::keras {

class Config;
namespace saving {
struct Place;
}

/// How much a layer changes images at random, as a share: between two bounds,
/// `{-0.1, 0.2}`, or up to one number to both sides, `0.2` (RandomContrast: to
/// one).
class Factor {
 public:
  Factor() : Factor(0.0) {}
  Factor(double most) : first_(most), second_(most), is_number_(true) {}
  Factor(double one, double other) : first_(one), second_(other), is_number_(false) {}

  double lower() const { return is_number_ ? -std::abs(first_) : std::fmin(first_, second_); }
  double upper() const { return is_number_ ? std::abs(first_) : std::fmax(first_, second_); }
  /// Whether it was one number, and which.
  bool is_number() const { return is_number_; }
  double number() const { return first_; }
  /// Of two numbers, as they were given.
  double first() const { return first_; }
  double second() const { return second_; }

 private:
  double first_, second_;
  bool is_number_;
};

/// As a configuration: a number, or a list of two. See config/values_support.h.
Config write_value(const Factor& value, const saving::Place& place);
void read_value(const Config& config, const saving::Place& place, Factor& value);

}  // namespace cornu::inline v0::keras
