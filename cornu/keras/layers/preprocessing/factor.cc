#include "cornu/keras/layers/preprocessing/factor.h"

#include <cmath>

#include "cornu/keras/config/values_support.h"

namespace cornu::inline v0::keras {

double Factor::lower() const { return is_number_ ? -std::abs(first_) : std::fmin(first_, second_); }
double Factor::upper() const { return is_number_ ? std::abs(first_) : std::fmax(first_, second_); }

Config write_value(const Factor& value, const saving::Place&) {
  return value.is_number() ? Config(value.number())
                           : Config(std::vector<double>{value.lower(), value.upper()});
}

void read_value(const Config& config, const saving::Place& place, Factor& value) {
  std::vector<double> bounds;
  saving::read_value(config, place, bounds);
  if (bounds.size() == 1)
    value = Factor(bounds[0]);
  else if (bounds.size() == 2)
    value = Factor(bounds[0], bounds[1]);
  else
    saving::wrong_type(place, "a number or a list of two numbers", config);
}

}  // namespace cornu::inline v0::keras
