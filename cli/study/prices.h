#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::study {

/// Speed of one virtual processor as a multiple of that of a processor that was measured.
struct MeasuredSpeed {
  double factor = 0;      // 0: nobody measured it
  std::string processor;  // the name of the processor with factor 1
  std::string source;     // the measurement
};

/// A machine that can be rented.
struct PricedMachine {
  std::string name;
  std::string provider;
  int vcpus = 0;
  std::string architecture;  // as uname gives it: "x86_64", "aarch64"; empty: not given
  double memory_gib = 0;     // 0: not given
  std::string processor;     // its name as /proc/cpuinfo gives it; empty: not given
  MeasuredSpeed speed;
  /// True if one of its processors is assumed to be as fast as one of the machine that was measured.
  bool is_like_measured = false;
  std::string accelerator;  // its name; empty: none
  int num_accelerators = 0;
  /// The device that stands for one accelerator, as `--device` takes it; empty: none.
  std::string device;
  double price_per_hour = 0;  // on demand
  std::string price_source, price_date;
  std::string note;
  /// The share of that price which a machine costs that can be taken away; 0: it is not offered so.
  double spot_share = 0;
  double spot_longest_life_hours = 0;  // 0: not limited
  double spot_interruptions_per_hour = 0;
  std::string spot_source, spot_date;
};

/// The machine on which a program was measured.
struct MeasuredMachine {
  std::string processor, architecture;
  std::string instance_type;  // of the cloud; empty: none, or not known
};
/// This machine, from the description that a log has (study::describe_machine()).
MeasuredMachine measured_machine(const nlohmann::ordered_json& description);

/// Speed of a virtual processor relative to that of `measured`, with its basis in words; without a factor the
/// basis states why the speed is not known.
struct RelativeSpeed {
  std::optional<double> factor;
  std::string basis;
};
RelativeSpeed relative_speed(const PricedMachine& machine, const MeasuredMachine& measured);

/// The current day, in UTC.
std::chrono::sys_days today();

struct PriceList {
  std::string name;  // of the file, for messages
  std::string date;  // "2026-11" or "2026-11-29"
  std::string provider, region;
  std::string currency;
  std::string source;
  double billing_seconds = 1;  // an interval of this length that has begun is paid whole
  /// The machine whose time and cost the others are compared with.
  std::string reference;
  std::vector<PricedMachine> machines;

  /// A warning that names the list if it is more than 90 days old at `day`, or else the number of its prices
  /// that are that old; empty if there is nothing to warn of.
  std::string age_warning(std::chrono::sys_days day) const;
  /// Errors: NotFound for a machine that is not there, with those that are.
  const PricedMachine& find(const std::string& machine) const;
  /// Errors: InvalidArgument that names all of the missing machines, with the nearest names.
  void require(std::span<const std::string> names) const;
  /// The cost of `seconds` on demand, or as a spot machine.
  double cost(const PricedMachine& machine, double seconds, bool is_spot) const;
};

/// Reads a price list: a JSON object as docs/guide/cloud-cost.md describes.
/// Errors: InvalidArgument, naming the list, the machine and the field, for what is no such object, a version
///         other than 1, an unknown or missing field, a value of the wrong type, negative or not finite, no
///         date, two machines of one name, a reference that is no machine.
PriceList parse_prices(std::string_view text, const std::string& name);
/// The lists of several names as one, with the first one's reference. A name is a file, or a list that comes
/// with Cornu: "aws-2026-11", or "aws" for the newest one of that name.
/// Errors: those of reading; as parse_prices; NotFound for a name that is neither, with the known ones;
///         InvalidArgument for no name, and for lists with different currencies or the same machine.
PriceList read_prices(std::span<const std::string> names);
/// The folder of the lists that come with Cornu: share/cornu/prices beside the folder of the running program.
std::filesystem::path prices_folder();

}  // namespace cornu::inline v0::study
