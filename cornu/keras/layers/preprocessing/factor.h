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
  Factor(double most) : lower_(-std::abs(most)), upper_(std::abs(most)), number_(most), is_number_(true) {}
  Factor(double one, double other)
      : lower_(std::fmin(one, other)), upper_(std::fmax(one, other)), number_(0), is_number_(false) {}

  double lower() const { return lower_; }
  double upper() const { return upper_; }
  /// Whether it was one number, and which.
  bool is_number() const { return is_number_; }
  double number() const { return number_; }

 private:
  double lower_, upper_, number_;
  bool is_number_;
};

/// As a configuration: a number, or a list of two. See config/values_support.h.
Config write_value(const Factor& value, const saving::Place& place);
void read_value(const Config& config, const saving::Place& place, Factor& value);

}  // namespace cornu::inline v0::keras
