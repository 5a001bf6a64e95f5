#include "cornu/keras/config/keras_form_support.h"

#include <algorithm>
#include <span>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras::saving {
namespace {

/// Keras's way of writing an option; the column `keras` of the tables of options names it in snake_case
/// (tools/keras_form_rows.py).
enum class Rule {
  kAlways,          // as it is
  kNever,           // not written, though it is read
  kUnlessDefault,   // written where it is not the default: Keras forgets it, or its base class writes it
  kFloat32,         // a number that went through float32 in Keras
  kOneAnAxis,       // one number stands for one an axis: Keras writes the list
  kPairAnAxis,      // the same for amounts before and after
  kChannelsLast,    // "channels_last" when nothing was said
  kWithThresholds,  // the number of thresholds: Keras counts those that were given, and one at each end
  kNullIfEmpty,     // null for a list without elements
  kPolicyName,      // the name of the policy in place of the policy
  kNull,            // Keras writes null for an argument that is not here
  kFalse,           // the same for false
};

/// The first row that fits counts. An option without a row is written as it is.
struct Row {
  std::string_view module;
  std::string_view classes;  // names with a space between; "*": all
  std::string_view key;
  Rule rule;
};

constexpr Row kRows[] = {
#include "cornu/keras/config/keras_form_rows.inc"
};

Rule rule_of(const ClassId& id, std::string_view key) {
  for (const Row& row : kRows)
    if (row.module == id.module && row.key == key && is_among(row.classes, id.class_name)) return row.rule;
  return Rule::kAlways;
}

/// The number of spatial axes in the class's name: 2 of "Conv2DTranspose"; 0 of "Dense".
std::size_t num_spatial(std::string_view class_name) {
  for (std::size_t i = 0; i + 1 < class_name.size(); ++i)
    if (class_name[i] >= '1' && class_name[i] <= '3' && class_name[i + 1] == 'D')
      return static_cast<std::size_t>(class_name[i] - '0');
  return 0;
}

Config one_an_axis(const Config& value, std::size_t num_axes) {
  if (!value.is_integer() || num_axes == 0) return value;
  return {Config::List(num_axes, value)};
}

Config pair_an_axis(const Config& value, std::size_t num_axes) {
  if (num_axes == 0 || value.is_string()) return value;
  if (num_axes == 1) return value.is_integer() ? Config::list({value, value}) : value;
  if (value.is_integer()) return {Config::List(num_axes, Config::list({value, value}))};
  Config::List pairs;
  for (const Config& each : value.as_list())
    pairs.push_back(each.is_integer() ? Config::list({each, each}) : each);
  return {std::move(pairs)};
}

Config with_thresholds(const Config& number, const Config& thresholds) {
  return thresholds.is_null() ? number : Config(static_cast<std::int64_t>(thresholds.size()) + 2);
}

/// The value that Keras derives from the other arguments, if this one is null.
Config resolved(const Config& fields, std::string_view key) {
  const Config& value = fields.at(key);
  if (!value.is_null()) return value;
  if (key == "strides" && fields.contains("pool_size")) return fields.at("pool_size");
  if (key == "lora_alpha") return fields.at("lora_rank");
  return value;
}

}  // namespace

bool is_among(std::string_view words, std::string_view word) {
  if (words == "*") return true;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

Config in_keras_form(const ClassId& id, const Config& fields, const Config& defaults) {
  Config config = Config::dict();
  for (const auto& [key, given] : fields.as_dict()) {
    const Config value = resolved(fields, key);
    switch (rule_of(id, key)) {
      case Rule::kNever: break;
      case Rule::kUnlessDefault:
        if (!(value == defaults.at(key))) config.set(key, value);
        break;
      case Rule::kFloat32: config.set(key, static_cast<double>(static_cast<float>(value.as_number()))); break;
      case Rule::kOneAnAxis: config.set(key, one_an_axis(value, num_spatial(id.class_name))); break;
      case Rule::kPairAnAxis: config.set(key, pair_an_axis(value, num_spatial(id.class_name))); break;
      case Rule::kChannelsLast: config.set(key, value.is_null() ? Config("channels_last") : value); break;
      case Rule::kWithThresholds: config.set(key, with_thresholds(value, fields.at("thresholds"))); break;
      case Rule::kNullIfEmpty: config.set(key, value.size() == 0 ? Config() : value); break;
      case Rule::kPolicyName: config.set(key, value.is_dict() ? value.at("config").at("name") : value); break;
      default: config.set(key, value);
    }
  }
  for (const Row& row : kRows) {
    if (row.module != id.module || !is_among(row.classes, id.class_name)) continue;
    if (row.rule == Rule::kNull) config.set(row.key, nullptr);
    if (row.rule == Rule::kFalse) config.set(row.key, false);
  }
  return config;
}

bool writes_build_config(const ClassId& id) { return rule_of(id, "build_config") != Rule::kNever; }

void check_keys(const Config& config, const ClassId& id, const std::vector<std::string>& known) {
  if (!config.is_dict())
    invalid_argument("[from_config] the config of {} must be a dict; got {}", id.class_name,
                     config.kind_name());
  for (const auto& [key, value] : config.as_dict()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const Rule rule = rule_of(id, key);
    if (rule != Rule::kNull && rule != Rule::kFalse) {
      if (known.empty())
        invalid_argument("[from_config] {} has no key \"{}\"; it takes none", id.class_name, key);
      invalid_argument("[from_config] {} has no key \"{}\"; {}", id.class_name, key,
                       name_proposal(key, known));
    }
    if (!(value == (rule == Rule::kNull ? Config() : Config(false))))
      invalid_argument("[from_config] {} of {} is not supported and must be {}; got {}", key, id.class_name,
                       rule == Rule::kNull ? "null" : "false", value.json());
  }
}

}  // namespace cornu::inline v0::keras::saving
