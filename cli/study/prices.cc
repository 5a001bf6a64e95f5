#include "cli/study/prices.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/text/suggestion.h"
#include "cornu/base/check.h"
#include "cornu/base/nearest_names.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::study {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostFileBytes = 1 << 20;
constexpr double kMostNumber = 1e9;
constexpr int kOldYears = 2;  // of prices: from here on a warning

/// The fields of one object of a price file, taken one by one.
class Fields {
 public:
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object())
      invalid_argument("[study] {} must be an object; it is {}", where_, object.type_name());
  }

  std::string text(const char* name) {
    const Json* const value = take(name);
    if (value == nullptr) invalid_argument("[study] {} lacks \"{}\"", where_, name);
    return as_text(*value, name);
  }
  std::string text(const char* name, const std::string& otherwise) {
    const Json* const value = take(name);
    return value == nullptr ? otherwise : as_text(*value, name);
  }
  double number(const char* name, double least, double most) {
    const Json* const value = take(name);
    if (value == nullptr) invalid_argument("[study] {} lacks \"{}\"", where_, name);
    return as_number(*value, name, least, most);
  }
  double number(const char* name, double least, double most, double otherwise) {
    const Json* const value = take(name);
    return value == nullptr ? otherwise : as_number(*value, name, least, most);
  }
  int whole_number(const char* name, int least, int most) {
    const double value = number(name, least, most);
    if (value != std::floor(value))
      invalid_argument("[study] {}: \"{}\" must be a whole number; got {}", where_, name, value);
    return static_cast<int>(value);
  }
  const Json& list(const char* name) {
    const Json* const value = take(name);
    if (value == nullptr || !value->is_array() || value->empty())
      invalid_argument("[study] {} lacks \"{}\", a list with at least one machine", where_, name);
    return *value;
  }
  /// After all fields: what is left is unknown.
  void end() const {
    for (const auto& [name, value] : object_.items())
      if (std::find(known_.begin(), known_.end(), name) == known_.end())
        invalid_argument("[study] {}: unknown field \"{}\"; {}", where_, name.substr(0, 60),
                         name_proposal(name.substr(0, 60), known_));
  }

 private:
  const Json* take(const char* name) {
    known_.emplace_back(name);
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  std::string as_text(const Json& value, const char* name) const {
    if (!value.is_string() || value.get<std::string>().empty())
      invalid_argument("[study] {}: \"{}\" must be a text that is not empty; it is {}", where_, name,
                       value.dump());
    return value.get<std::string>();
  }
  double as_number(const Json& value, const char* name, double least, double most) const {
    if (!value.is_number())
      invalid_argument("[study] {}: \"{}\" must be a number; it is {}", where_, name, value.dump());
    const double number = value.get<double>();
    if (!(number >= least && number <= most))
      invalid_argument("[study] {}: \"{}\" must be from {} to {}; got {}", where_, name, least, most, number);
    return number;
  }

  const Json& object_;
  std::string where_;
  std::vector<std::string> known_;
};

PricedMachine parse_machine(const Json& json, const std::string& list, std::size_t index) {
  std::string where = fmt::format("prices \"{}\", machine {}", list, index + 1);
  if (json.is_object() && json.contains("name") && json["name"].is_string())
    where += fmt::format(" (\"{}\")", json["name"].get<std::string>());
  Fields fields(json, where);
  PricedMachine machine;
  machine.name = fields.text("name");
  machine.vcpus = fields.whole_number("vcpus", 1, 4096);
  machine.device = fields.text("device", "");
  machine.price_per_hour = fields.number("price_per_hour", 0, kMostNumber);
  machine.spot_share = fields.number("spot_share", 0, 1, 0);
  machine.spot_longest_life_hours = fields.number("spot_longest_life_hours", 0, kMostNumber, 0);
  machine.spot_interruptions_per_hour = fields.number("spot_interruptions_per_hour", 0, kMostNumber, 0);
  fields.end();
  return machine;
}

constexpr std::string_view kDefaultPrices = R"json({
  "date": "2017-07",
  "currency": "USD",
  "source": "M. Woolf, Benchmarking TensorFlow on Cloud CPUs, July 2017 (Google Compute Engine): a K80 with n1-standard-1 0.745 an hour; n1-highcpu-64 preemptible 0.509 an hour, fewer processors in proportion; preemptible machines cost about a fifth of the list price and live 24 hours at most. Assumed: spot_interruptions_per_hour (the source says very rarely).",
  "billing_seconds": 1,
  "reference": "k80",
  "machines": [
    {"name": "k80", "vcpus": 1, "device": "sim:k80", "price_per_hour": 0.745},
    {"name": "highcpu-8", "vcpus": 8, "price_per_hour": 0.318, "spot_share": 0.2, "spot_longest_life_hours": 24, "spot_interruptions_per_hour": 0.01},
    {"name": "highcpu-16", "vcpus": 16, "price_per_hour": 0.636, "spot_share": 0.2, "spot_longest_life_hours": 24, "spot_interruptions_per_hour": 0.01},
    {"name": "highcpu-32", "vcpus": 32, "price_per_hour": 1.2725, "spot_share": 0.2, "spot_longest_life_hours": 24, "spot_interruptions_per_hour": 0.01},
    {"name": "highcpu-64", "vcpus": 64, "price_per_hour": 2.545, "spot_share": 0.2, "spot_longest_life_hours": 24, "spot_interruptions_per_hour": 0.01}
  ]
})json";

}  // namespace

const PricedMachine& PriceList::find(const std::string& machine) const {
  std::vector<std::string> names;
  for (const PricedMachine& each : machines) {
    if (each.name == machine) return each;
    names.push_back(each.name);
  }
  fail(ErrorCode::kNotFound, "[study] prices \"{}\" have no machine \"{}\"; {}", name, machine,
       name_proposal(machine, names));
}

void PriceList::require(std::span<const std::string> names) const {
  std::vector<std::string> known, missing;
  for (const PricedMachine& each : machines) known.push_back(each.name);
  for (const std::string& wanted : names)
    if (std::find(known.begin(), known.end(), wanted) == known.end()) missing.push_back(wanted);
  if (missing.empty()) return;
  const std::string otherwise = fmt::format("known: {}", fmt::join(known, ", "));
  invalid_argument("[study] prices \"{}\" lack the machines {}: add them to the file, or leave them out; {}",
                   name, fmt::join(missing, ", "), cli::suggestion(missing[0], known, otherwise));
}

std::string PriceList::age_warning(std::chrono::year_month today) const {
  int year = 0;
  unsigned month = 0;
  if (std::sscanf(date.c_str(), "%4d-%2u", &year, &month) != 2 || month < 1 || month > 12) return "";
  const std::chrono::year_month then = std::chrono::year(year) / std::chrono::month(month);
  const auto years = (today - then).count() / 12;
  if (years < kOldYears) return "";
  return fmt::format(
      "The prices are of {}, {} years old: machines and prices have changed since. Give a list of your own "
      "with --prices.",
      date, years);
}

std::chrono::year_month this_month() {
  const std::chrono::year_month_day today(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return today.year() / today.month();
}

double PriceList::cost(const PricedMachine& machine, double seconds, bool is_spot) const {
  const double paid = std::ceil(seconds / billing_seconds) * billing_seconds;
  return paid / 3600 * machine.price_per_hour * (is_spot ? machine.spot_share : 1);
}

PriceList parse_prices(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    invalid_argument("[study] the prices in \"{}\" are not JSON; docs/guide/cloud-cost.md shows such a file",
                     name);
  Fields fields(json, fmt::format("prices \"{}\"", name));
  PriceList list;
  list.name = name;
  list.date = fields.text("date");
  list.currency = fields.text("currency");
  list.source = fields.text("source", "not given");
  list.billing_seconds = fields.number("billing_seconds", 1e-3, 86400, 1);
  list.reference = fields.text("reference");
  const Json& machines = fields.list("machines");
  fields.end();
  std::set<std::string> names;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    list.machines.push_back(parse_machine(machines[i], name, i));
    if (!names.insert(list.machines.back().name).second)
      invalid_argument("[study] prices \"{}\": machine \"{}\" is listed twice", name,
                       list.machines.back().name);
  }
  list.require(std::vector<std::string>{list.reference});
  return list;
}

PriceList read_prices(const std::string& path) {
  return parse_prices(io::read_text_file(path, {.max_size_bytes = kMostFileBytes}), path);
}

const PriceList& default_prices() {
  static const PriceList list = parse_prices(kDefaultPrices, "default");
  return list;
}

}  // namespace cornu::inline v0::study
