#include <string>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/config/keras_form_support.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layer/field_values_support.h"
#include "cornu/keras/layers/core/lambda.h"
#include "cornu/keras/layers/embedding/distributed_embedding.h"
#include "cornu/keras/layers/merging/merging.h"
#include "cornu/keras/layers/normalization/batch_normalization.h"
#include "cornu/keras/layers/reshaping/before_and_after.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"

namespace cornu::inline v0::keras::saving {

using layers::BeforeAndAfter;

Config write_value(const BeforeAndAfter& value, const Place&) {
  if (value.is_number()) return {value.amounts()[0]};
  if (value.given_pairs().empty()) return {value.amounts()};
  Config pairs{Config::List()};
  for (const auto& [before, after] : value.given_pairs()) pairs.append(Config::list({before, after}));
  return pairs;
}

void read_value(const Config& config, const Place& place, BeforeAndAfter& value) {
  constexpr const char* kExpected = "an integer, a list of integers or a list of pairs of integers";
  if (config.is_integer()) {
    value = config.as_integer();
    return;
  }
  if (!config.is_list() || config.size() == 0) wrong_type(place, kExpected, config);
  if (!config.at(std::size_t{0}).is_list()) {
    Dims amounts;
    read_value(config, place, amounts);
    value = BeforeAndAfter(std::move(amounts));
    return;
  }
  std::vector<BeforeAndAfter::Pair> pairs;
  for (const Config& each : config.as_list()) {
    Dims pair;
    if (each.is_list()) read_value(each, place, pair);
    if (pair.size() != 2) wrong_type(place, kExpected, config);
    pairs.emplace_back(pair[0], pair[1]);
  }
  value = BeforeAndAfter(std::move(pairs));
}

Config write_value(const layers::DotAxes& value, const Place&) {
  return value.first == value.second ? Config(value.first) : Config::list({value.first, value.second});
}

void read_value(const Config& config, const Place& place, layers::DotAxes& value) {
  Dims axes;
  if (config.is_integer()) {
    axes = {config.as_integer(), config.as_integer()};
  } else if (config.is_list()) {
    read_value(config, place, axes);
  }
  if (axes.size() != 2) wrong_type(place, "an integer or a list of two", config);
  value = layers::DotAxes(axes[0], axes[1]);
}

Config write_value(const layers::LambdaFunction& value, const Place& place) {
  if (value.defined())
    holds_code(place, "derive a layer of your own that overrides get_config(), or use layers that there are");
  return {};
}

void read_value(const Config& config, const Place& place, layers::LambdaFunction& value) {
  if (!config.is_null())
    invalid_argument(
        "[from_config] {} of {} is code, which is never read; make the layer in the program, or name a "
        "function for \"{}\" in custom_objects",
        place.key, place.class_name, place.class_name);
  value = {};
}

Config write_value(const layers::Recurrent& value, const Place&) {
  const std::shared_ptr<Layer>& layer = value.shared();
  return layer == nullptr ? Config() : serialize(*layer);
}

void read_value(const Config& config, const Place& place, layers::Recurrent& value) {
  value = {};
  if (config.is_null()) return;
  auto layer = std::dynamic_pointer_cast<layers::RecurrentLayer>(deserialize<Layer>(config, place));
  if (layer == nullptr) wrong_type(place, "a recurrent layer", config);
  value = layers::Recurrent(std::move(layer));
}

Config write_value(const layers::RenormClipping& value, const Place& place) {
  Config limits;
  const auto add = [&](const char* name, const std::optional<double>& limit) {
    if (limit.has_value()) limits.set(name, write_value(*limit, place));
  };
  add("rmin", value.rmin);
  add("rmax", value.rmax);
  add("dmax", value.dmax);
  return limits;
}

void read_value(const Config& config, const Place& place, layers::RenormClipping& value) {
  value = {};
  if (config.is_null()) return;
  if (!config.is_dict()) wrong_type(place, "a dict of rmin, rmax and dmax, or null", config);
  const std::string owner = fmt::format("{} of {}", place.key, place.class_name);
  check_keys(config, {.module = "", .class_name = owner}, {"rmin", "rmax", "dmax"});
  const auto read = [&](const char* name, std::optional<double>& limit) {
    if (const Config* given = config.find(name)) read_value(*given, {owner, name}, limit);
  };
  read("rmin", value.rmin);
  read("rmax", value.rmax);
  read("dmax", value.dmax);
}

Config write_value(const layers::TableConfig& value, const Place&) {
  Config config = write_fields(value, "TableConfig");
  config.erase("file");
  return config;
}

void read_value(const Config& config, const Place&, layers::TableConfig& value) {
  if (config.is_dict() && config.contains("file"))
    invalid_argument(
        "[from_config] a configuration must not name files; remove \"file\" from TableConfig, or make the "
        "layer "
        "in the program");
  value = read_fields<layers::TableConfig>(config, {.module = "", .class_name = "TableConfig"});
}

Config write_value(const std::vector<layers::FeatureConfig>& value, const Place&) {
  Config features{Config::List()};
  for (const layers::FeatureConfig& feature : value) features.append(write_fields(feature, "FeatureConfig"));
  return features;
}

void read_value(const Config& config, const Place& place, std::vector<layers::FeatureConfig>& value) {
  if (!config.is_list()) wrong_type(place, "a list of features", config);
  value.clear();
  for (const Config& feature : config.as_list())
    value.push_back(
        read_fields<layers::FeatureConfig>(feature, {.module = "", .class_name = "FeatureConfig"}));
}

Config write_value(const layers::UseCudnn& value, const Place&) {
  return {value.is_set() ? Config(true) : Config("auto")};
}

void read_value(const Config& config, const Place& place, layers::UseCudnn& value) {
  value = {};
  if (config.is_bool()) {
    value = layers::UseCudnn(config.as_bool());
  } else if (!(config == Config("auto"))) {
    wrong_type(place, "true, false or \"auto\"", config);
  }
}

}  // namespace cornu::inline v0::keras::saving
