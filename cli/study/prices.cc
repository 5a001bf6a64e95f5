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

using PriceJson = nlohmann::json;

constexpr std::int64_t kMostPriceBytes = 1 << 20;
constexpr double kMostNumber = 1e9;
constexpr int kVersion = 1;
constexpr std::chrono::days kOldPrices{90};  // older ones are named

/// The fields of one object of a price file, taken one by one.
class Fields {
 public:
  Fields(const PriceJson& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object())
      invalid_argument("[study] {} must be an object; it is {}", where_, object.type_name());
  }

  std::string text(const char* name) {
    const PriceJson* const value = take(name);
    if (value == nullptr) invalid_argument("[study] {} lacks \"{}\"", where_, name);
    return as_text(*value, name);
  }
  std::string text(const char* name, const std::string& otherwise) {
    const PriceJson* const value = take(name);
    return value == nullptr ? otherwise : as_text(*value, name);
  }
  double number(const char* name, double least, double most) {
    const PriceJson* const value = take(name);
    if (value == nullptr) invalid_argument("[study] {} lacks \"{}\"", where_, name);
    return as_number(*value, name, least, most);
  }
  double number(const char* name, double least, double most, double otherwise) {
    const PriceJson* const value = take(name);
    return value == nullptr ? otherwise : as_number(*value, name, least, most);
  }
  int whole_number(const char* name, int least, int most) {
    const double value = number(name, least, most);
    if (value != std::floor(value))
      invalid_argument("[study] {}: \"{}\" must be a whole number; got {}", where_, name, value);
    return static_cast<int>(value);
  }
  /// False without it.
  bool flag(const char* name) {
    const PriceJson* const value = take(name);
    if (value != nullptr && !value->is_boolean())
      invalid_argument("[study] {}: \"{}\" must be true or false; it is {}", where_, name, value->dump());
    return value != nullptr && value->get<bool>();
  }
  const PriceJson& list(const char* name) {
    const PriceJson* const value = take(name);
    if (value == nullptr || !value->is_array() || value->empty())
      invalid_argument("[study] {} lacks \"{}\", a list with at least one machine", where_, name);
    return *value;
  }
  const std::string& where() const { return where_; }
  /// The value of a field; null without it.
  const PriceJson* take(const char* name) {
    known_.emplace_back(name);
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  /// After all fields: what is left is unknown.
  void end() const {
    for (const auto& [name, value] : object_.items())
      if (std::find(known_.begin(), known_.end(), name) == known_.end())
        invalid_argument("[study] {}: unknown field \"{}\"; {}", where_, name.substr(0, 60),
                         name_proposal(name.substr(0, 60), known_));
  }

 private:
  std::string as_text(const PriceJson& value, const char* name) const {
    if (!value.is_string() || value.get<std::string>().empty())
      invalid_argument("[study] {}: \"{}\" must be a text that is not empty; it is {}", where_, name,
                       value.dump());
    return value.get<std::string>();
  }
  double as_number(const PriceJson& value, const char* name, double least, double most) const {
    if (!value.is_number())
      invalid_argument("[study] {}: \"{}\" must be a number; it is {}", where_, name, value.dump());
    const double number = value.get<double>();
    if (!(number >= least && number <= most))
      invalid_argument("[study] {}: \"{}\" must be from {} to {}; got {}", where_, name, least, most, number);
    return number;
  }

  const PriceJson& object_;
  std::string where_;
  std::vector<std::string> known_;
};

/// A day, or the first day of a month.
std::optional<std::chrono::sys_days> day_of(const std::string& date) {
  int year = 0, read = 0;
  unsigned month = 0, day = 1;
  const auto is_whole = [&] { return read == static_cast<int>(date.size()); };
  const bool is_day =
      std::sscanf(date.c_str(), "%4d-%2u-%2u%n", &year, &month, &day, &read) == 3 && is_whole();
  if (!is_day) {
    day = 1;
    read = 0;
    if (std::sscanf(date.c_str(), "%4d-%2u%n", &year, &month, &read) != 2 || !is_whole()) return std::nullopt;
  }
  const std::chrono::year_month_day found{std::chrono::year(year), std::chrono::month(month),
                                          std::chrono::day(day)};
  return found.ok() ? std::optional(std::chrono::sys_days(found)) : std::nullopt;
}

/// Reads a field "date" or the like. Errors: InvalidArgument for what is no date.
std::string date_of(Fields& fields, const char* name, const std::string& otherwise) {
  std::string date = otherwise.empty() ? fields.text(name) : fields.text(name, otherwise);
  if (!day_of(date).has_value())
    invalid_argument("[study] {}: \"{}\" must be a date such as 2026-11 or 2026-11-29; got \"{}\"",
                     fields.where(), name, date.substr(0, 40));
  return date;
}

MeasuredSpeed parse_speed(const PriceJson& json, const std::string& where) {
  Fields fields(json, where + ", \"vcpu_speed\"");
  MeasuredSpeed speed{.factor = fields.number("factor", 1e-3, 1e3),
                      .processor = fields.text("relative_to"),
                      .source = fields.text("source")};
  fields.end();
  return speed;
}

PricedMachine parse_machine(const PriceJson& json, const PriceList& list, bool is_like_measured) {
  std::string where = fmt::format("prices \"{}\", machine {}", list.name, list.machines.size() + 1);
  if (json.is_object() && json.contains("name") && json["name"].is_string())
    where += fmt::format(" (\"{}\")", json["name"].get<std::string>());
  Fields fields(json, where);
  PricedMachine machine;
  machine.name = fields.text("name");
  machine.provider = list.provider;
  machine.vcpus = fields.whole_number("vcpus", 1, 4096);
  machine.architecture = fields.text("architecture", "");
  machine.memory_gib = fields.number("memory_gib", 0, kMostNumber, 0);
  machine.processor = fields.text("processor", "");
  machine.is_like_measured = is_like_measured;
  machine.accelerator = fields.text("accelerator", "");
  if (const PriceJson* const speed = fields.take("vcpu_speed"); speed != nullptr)
    machine.speed = parse_speed(*speed, where);
  machine.device = fields.text("device", "");
  machine.num_accelerators =
      static_cast<int>(fields.number("num_accelerators", 0, 4096, machine.device.empty() ? 0 : 1));
  machine.price_per_hour = fields.number("price_per_hour", 0, kMostNumber);
  machine.price_source = fields.text("price_source", list.source);
  machine.price_date = date_of(fields, "price_date", list.date);
  machine.note = fields.text("note", "");
  machine.spot_share = fields.number("spot_share", 0, 1, 0);
  machine.spot_longest_life_hours = fields.number("spot_longest_life_hours", 0, kMostNumber, 0);
  machine.spot_interruptions_per_hour = fields.number("spot_interruptions_per_hour", 0, kMostNumber, 0);
  machine.spot_source = fields.text("spot_source", machine.price_source);
  machine.spot_date = date_of(fields, "spot_date", machine.price_date);
  fields.end();
  return machine;
}

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

std::string PriceList::age_warning(std::chrono::sys_days day) const {
  const auto is_old = [&](const std::string& of) {
    const std::optional<std::chrono::sys_days> then = day_of(of);
    return then.has_value() && day - *then > kOldPrices;
  };
  const auto age = [&](const std::string& of) {
    const auto days = static_cast<double>((day - *day_of(of)).count());
    return days >= 730 ? fmt::format("{:.0f} years", std::floor(days / 365.25))
                       : fmt::format("{:.0f} days", days);
  };
  if (is_old(date))
    return fmt::format(
        "The prices \"{}\" are of {}, {} old: machines and prices have changed since. Give a list of your "
        "own "
        "with --prices.",
        name, date, age(date));
  std::size_t num_old = 0;
  std::string oldest = date;
  for (const PricedMachine& machine : machines) {
    if (!is_old(machine.price_date)) continue;
    ++num_old;
    if (*day_of(machine.price_date) < *day_of(oldest)) oldest = machine.price_date;
  }
  if (num_old == 0) return "";
  return fmt::format(
      "{} of the {} prices of \"{}\" are more than {} days old, the oldest one is of {}: the table of prices "
      "gives "
      "the date of each.",
      num_old, machines.size(), name, kOldPrices.count(), oldest);
}

std::chrono::sys_days today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

MeasuredMachine measured_machine(const nlohmann::ordered_json& description) {
  return {.processor = description.value("processor", ""),
          .architecture = description.value("architecture", ""),
          .instance_type = description.value("instance_type", "")};
}

RelativeSpeed relative_speed(const PricedMachine& machine, const MeasuredMachine& measured) {
  if (!measured.instance_type.empty() && measured.instance_type == machine.name)
    return {1, "this type was measured"};
  if (!machine.architecture.empty() && machine.architecture != measured.architecture)
    return {std::nullopt, fmt::format("not known: it is {}, {} was measured", machine.architecture,
                                      measured.architecture.empty() ? "none" : measured.architecture)};
  if (!machine.processor.empty() && machine.processor == measured.processor)
    return {1, "its processor was measured"};
  if (machine.speed.factor > 0 && machine.speed.processor == measured.processor)
    return {machine.speed.factor,
            fmt::format("a processor {:g} times as fast by {}", machine.speed.factor, machine.speed.source)};
  if (machine.is_like_measured) return {1, "processors assumed to be like the measured ones"};
  return {std::nullopt, "not known: its processor was not measured"};
}

double PriceList::cost(const PricedMachine& machine, double seconds, bool is_spot) const {
  const double paid = std::ceil(seconds / billing_seconds) * billing_seconds;
  return paid / 3600 * machine.price_per_hour * (is_spot ? machine.spot_share : 1);
}

PriceList parse_prices(std::string_view text, const std::string& name) {
  const PriceJson json = PriceJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    invalid_argument("[study] the prices in \"{}\" are not JSON; docs/guide/cloud-cost.md shows such a file",
                     name);
  Fields fields(json, fmt::format("prices \"{}\"", name));
  PriceList list;
  list.name = name;
  if (const int version = fields.whole_number("version", 0, 1 << 20); version != kVersion)
    invalid_argument(
        "[study] prices \"{}\" have version {}, and this program reads version {}; docs/guide/cloud-cost.md "
        "describes it",
        name, version, kVersion);
  list.date = date_of(fields, "date", "");
  list.provider = fields.text("provider", "");
  list.region = fields.text("region", "");
  list.currency = fields.text("currency");
  list.source = fields.text("source", "not given");
  list.billing_seconds = fields.number("billing_seconds", 1e-3, 86400, 1);
  const bool is_like_measured = fields.flag("assume_measured_processor");
  list.reference = fields.text("reference");
  const PriceJson& machines = fields.list("machines");
  fields.end();
  std::set<std::string> names;
  for (const PriceJson& machine : machines) {
    list.machines.push_back(parse_machine(machine, list, is_like_measured));
    if (!names.insert(list.machines.back().name).second)
      invalid_argument("[study] prices \"{}\": machine \"{}\" is listed twice", name,
                       list.machines.back().name);
  }
  list.require(std::vector<std::string>{list.reference});
  return list;
}

std::filesystem::path prices_folder() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return program.parent_path().parent_path() / "share" / "cornu" / "prices";
}

namespace {

/// The file of a list that comes with Cornu. Errors: NotFound.
std::string shipped_file(const std::string& name) {
  std::error_code error;
  std::vector<std::string> known;
  for (const auto& entry : std::filesystem::directory_iterator(prices_folder(), error))
    if (entry.path().extension() == ".json") known.push_back(entry.path().stem().string());
  std::sort(known.begin(), known.end());
  // The newest one is the last: names end with their date.
  for (auto each = known.rbegin(); each != known.rend(); ++each)
    if (*each == name || each->starts_with(name + "-")) return (prices_folder() / (*each + ".json")).string();
  if (known.empty())
    fail(ErrorCode::kNotFound,
         "[study] there is no price list \"{}\": \"{}\" has no lists; give a file with --prices", name,
         prices_folder().string());
  fail(ErrorCode::kNotFound, "[study] there is no price list \"{}\", and no such file; the lists are {}",
       name, fmt::join(known, ", "));
}

PriceList read_list(const std::string& name) {
  std::error_code ignored;
  const bool is_file = name.find('/') != std::string::npos || name.ends_with(".json") ||
                       std::filesystem::is_regular_file(name, ignored);
  return parse_prices(
      io::read_text_file(is_file ? name : shipped_file(name), {.max_size_bytes = kMostPriceBytes}), name);
}

}  // namespace

PriceList read_prices(std::span<const std::string> names) {
  if (names.empty()) invalid_argument("[study] there is no price list: name one with --prices");
  PriceList all = read_list(names[0]);
  for (const std::string& name : names.subspan(1)) {
    const PriceList next = read_list(name);
    if (next.currency != all.currency)
      invalid_argument("[study] prices \"{}\" are in {}, prices \"{}\" in {}: they cannot be compared",
                       all.name, all.currency, next.name, next.currency);
    for (const PricedMachine& machine : next.machines)
      if (std::any_of(all.machines.begin(), all.machines.end(),
                      [&](const PricedMachine& each) { return each.name == machine.name; }))
        invalid_argument("[study] machine \"{}\" is in the prices \"{}\" and \"{}\": leave one of them out",
                         machine.name, all.name, next.name);
    all.machines.insert(all.machines.end(), next.machines.begin(), next.machines.end());
    all.date = std::min(all.date, next.date);
    all.billing_seconds = std::max(all.billing_seconds, next.billing_seconds);
    all.name += ", " + next.name;
    all.region += ", " + next.region;
    if (all.source.find(next.source) == std::string::npos) all.source += " " + next.source;
  }
  return all;
}

}  // namespace cornu::inline v0::study
