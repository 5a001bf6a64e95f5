#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::study {

/// A machine that can be rented.
struct PricedMachine {
  std::string name;
  int vcpus = 0;
  /// The device that stands for it, as `--device` takes it; empty: its processors.
  std::string device;
  double price_per_hour = 0;  // on demand
  /// The share of that price which a machine costs that can be taken away; 0: it is not offered so.
  double spot_share = 0;
  double spot_longest_life_hours = 0;  // 0: not limited
  double spot_interruptions_per_hour = 0;
};

/// The current month, in UTC.
std::chrono::year_month this_month();

struct PriceList {
  std::string name;  // of the file, for messages
  std::string date;
  std::string currency;
  std::string source;
  double billing_seconds = 1;  // an interval of this length that has begun is paid whole
  /// The machine whose time and cost the others are compared with.
  std::string reference;
  std::vector<PricedMachine> machines;

  /// A warning if the prices are two years old or older in month `today`; empty if they are newer, or if
  /// `date` does not begin with a year and a month.
  std::string age_warning(std::chrono::year_month today) const;
  /// Errors: NotFound for a machine that is not there, with those that are.
  const PricedMachine& find(const std::string& machine) const;
  /// Errors: InvalidArgument that names all of the missing machines, with the nearest names.
  void require(std::span<const std::string> names) const;
  /// The cost of `seconds` on demand, or as a spot machine.
  double cost(const PricedMachine& machine, double seconds, bool is_spot) const;
};

/// Reads a price list: a JSON object as docs/guide/cloud-cost.md describes.
/// Errors: InvalidArgument, naming the list, the machine and the field, for what is no such object, an
///         unknown or missing field, a value of the wrong type, negative or not finite, two machines of one
///         name, a reference that is no machine.
PriceList parse_prices(std::string_view text, const std::string& name);
/// That of a file. Errors: those of reading; as parse_prices.
PriceList read_prices(const std::string& path);
/// The prices of the study of 2017 that this one follows.
const PriceList& default_prices();

}  // namespace cornu::inline v0::study
