#include <array>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/feature_space/feature_space_support.h"
#include "cornu/keras/layers/core/identity.h"
#include "cornu/keras/layers/preprocessing/discretization.h"
#include "cornu/keras/layers/preprocessing/element_layer_support.h"
#include "cornu/keras/layers/preprocessing/hashing.h"
#include "cornu/keras/layers/preprocessing/lookup.h"
#include "cornu/keras/layers/preprocessing/normalization.h"
#include "cornu/keras/layers/preprocessing/rescaling.h"

namespace cornu::inline v0::keras::utils {
namespace {

constexpr const char* kModule = "keras.src.layers.preprocessing.feature_space";
/// Keras's class of a layer that returns its input.
constexpr const char* kIdentity = "TFDIdentity";

std::string layer_name(const std::string& name, const char* type) {
  return (name.empty() ? unique_name(type) : name) + "_preprocessor";
}

Config object_config(const char* class_name, Config config) {
  return Config::dict({{"module", kModule},
                       {"class_name", class_name},
                       {"config", std::move(config)},
                       {"registered_name", class_name}});
}

/// The configuration of an object of the class. Errors: InvalidArgument.
const Config& config_of(const Config& object, const char* class_name) {
  const Config* const name = object.find("class_name");
  if (name == nullptr || !(*name == Config(class_name)) || !object.contains("config"))
    invalid_argument(
        "[feature_space] expected a {} as {{\"class_name\": \"{}\", \"config\": {{...}}}}; got {}",
        class_name, class_name, object.json().substr(0, 80));
  return object.at("config");
}

std::string text_at(const Config& config, const char* key) {
  std::string text;
  saving::read_value(config.at(key), {"FeatureSpace", key}, text);
  return text;
}

LayerHandle read_preprocessor(const Config& object) {
  const Config* const class_name = object.find("class_name");
  if (class_name != nullptr && *class_name == Config(kIdentity))
    return layers::Identity({.name = text_at(object.at("config"), "name")});
  return LayerHandle(saving::deserialize<Layer>(object, {"Feature", "preprocessor"}));
}

}  // namespace

Feature::Feature(FeatureOptions options) : options_(std::move(options)) {
  (void)*options_.preprocessor;  // throws if it is undefined
  const std::string& mode = options_.output_mode;
  if (mode != "int" && mode != "one_hot" && mode != "float")
    invalid_argument(
        "[feature_space] output_mode of a feature must be \"int\", \"one_hot\" or \"float\"; got "
        "output_mode = \"{}\"",
        mode);
  if (options_.dtype != "string" && !ir::dtype_from_name(options_.dtype).has_value())
    invalid_argument(
        "[feature_space] dtype of a feature must be \"string\" or a dtype such as \"float32\"; got dtype = "
        "\"{}\"",
        options_.dtype);
}

Cross::Cross(std::initializer_list<std::string_view> feature_names)
    : Cross(std::vector<std::string>(feature_names.begin(), feature_names.end())) {}

Cross::Cross(std::vector<std::string> feature_names)
    : feature_names_(std::move(feature_names)), output_mode_("one_hot") {
  if (feature_names_.size() < 2)
    invalid_argument("[feature_space] a cross combines two features or more; got {}", feature_names_.size());
}

Cross::Cross(std::vector<std::string> feature_names, const CrossOptions& options)
    : Cross(std::move(feature_names)) {
  crossing_dim_ = options.crossing_dim;
  output_mode_ = options.output_mode;
  if (output_mode_ != "int" && output_mode_ != "one_hot")
    invalid_argument(
        "[feature_space] output_mode of a cross must be \"int\" or \"one_hot\"; got output_mode = \"{}\"",
        output_mode_);
}

std::string Cross::name() const { return fmt::format("{}", fmt::join(feature_names_, "_X_")); }

Feature FeatureSpace::float_(const FloatOptions& options) {
  return Feature({.dtype = "float32",
                  .preprocessor = layers::Identity({.name = layer_name(options.name, "float")}),
                  .output_mode = "float"});
}

Feature FeatureSpace::float_rescaled(const FloatRescaledOptions& options) {
  return Feature({.dtype = "float32",
                  .preprocessor = layers::Rescaling({.scale = options.scale,
                                                     .offset = options.offset,
                                                     .name = layer_name(options.name, "float_rescaled")}),
                  .output_mode = "float"});
}

Feature FeatureSpace::float_normalized(const FloatOptions& options) {
  return Feature({.dtype = "float32",
                  .preprocessor = layers::Normalization(
                      {.axis = -1, .name = layer_name(options.name, "float_normalized")}),
                  .output_mode = "float"});
}

Feature FeatureSpace::float_discretized(std::int64_t num_bins, const FloatDiscretizedOptions& options) {
  return Feature(
      {.dtype = "float32",
       .preprocessor = layers::Discretization({.bin_boundaries = options.bin_boundaries,
                                               .num_bins = num_bins,
                                               .name = layer_name(options.name, "float_discretized")}),
       .output_mode = options.output_mode});
}

Feature FeatureSpace::integer_categorical(const CategoricalOptions& options) {
  return Feature(
      {.dtype = "int32",
       .preprocessor = layers::IntegerLookup({.max_tokens = options.max_tokens,
                                              .num_oov_indices = options.num_oov_indices,
                                              .name = layer_name(options.name, "integer_categorical")}),
       .output_mode = options.output_mode});
}

Feature FeatureSpace::string_categorical(const CategoricalOptions& options) {
  return Feature(
      {.dtype = "string",
       .preprocessor = layers::StringLookup({.max_tokens = options.max_tokens,
                                             .num_oov_indices = options.num_oov_indices,
                                             .name = layer_name(options.name, "string_categorical")}),
       .output_mode = options.output_mode});
}

Feature FeatureSpace::integer_hashed(std::int64_t num_bins, const HashedOptions& options) {
  return Feature({.dtype = "int32",
                  .preprocessor = layers::Hashing(
                      {.num_bins = num_bins, .name = layer_name(options.name, "integer_hashed")}),
                  .output_mode = options.output_mode});
}

Feature FeatureSpace::string_hashed(std::int64_t num_bins, const HashedOptions& options) {
  return Feature({.dtype = "string",
                  .preprocessor = layers::Hashing(
                      {.num_bins = num_bins, .name = layer_name(options.name, "string_hashed")}),
                  .output_mode = options.output_mode});
}

Cross FeatureSpace::cross(std::initializer_list<std::string_view> feature_names,
                          const CrossOptions& options) {
  return {std::vector<std::string>(feature_names.begin(), feature_names.end()), options};
}

Feature feature_of(const NamedFeature& given, const FeatureSpaceOptions& options) {
  const auto& [name, spec] = given;
  if (spec.feature().has_value()) return *spec.feature();
  const std::string& type = spec.type();
  if (type == "float") return FeatureSpace::float_({.name = name});
  if (type == "float_normalized") return FeatureSpace::float_normalized({.name = name});
  if (type == "float_rescaled") return FeatureSpace::float_rescaled({.name = name});
  if (type == "float_discretized")
    return FeatureSpace::float_discretized(options.num_discretization_bins, {.name = name});
  if (type == "integer_categorical") return FeatureSpace::integer_categorical({.name = name});
  if (type == "string_categorical") return FeatureSpace::string_categorical({.name = name});
  if (type == "integer_hashed") return FeatureSpace::integer_hashed(options.hashing_dim, {.name = name});
  if (type == "string_hashed") return FeatureSpace::string_hashed(options.hashing_dim, {.name = name});
  static const std::array<std::string, 8> known = {
      "float",          "float_normalized",   "float_rescaled", "float_discretized", "integer_categorical",
      "integer_hashed", "string_categorical", "string_hashed"};
  unknown_name({"feature_space", name}, type, known);
}

Config feature_config(const Feature& feature) {
  const LayerHandle& layer = feature.preprocessor();
  Config preprocessor = saving::serialize(*layer);
  if (layer->class_name() == "Identity")
    preprocessor = object_config(
        kIdentity, Config::dict({{"name", layer.name()}, {"trainable", true}, {"dtype", "float32"}}));
  return object_config("Feature", Config::dict({{"dtype", feature.dtype()},
                                                {"preprocessor", std::move(preprocessor)},
                                                {"output_mode", feature.output_mode()}}));
}

Config cross_config(const Cross& cross, std::int64_t crossing_dim) {
  return object_config("Cross", Config::dict({{"feature_names", Config(cross.feature_names())},
                                              {"crossing_dim", cross.crossing_dim().value_or(crossing_dim)},
                                              {"output_mode", cross.output_mode()}}));
}

Feature read_feature(const Config& config, const std::string& name) {
  const Config& options = config_of(config, "Feature");
  try {
    return Feature({.dtype = text_at(options, "dtype"),
                    .preprocessor = read_preprocessor(options.at("preprocessor")),
                    .output_mode = text_at(options, "output_mode")});
  } catch (const Error& error) {
    throw error.with({.notes = fmt::format("in feature \"{}\"", name)});
  }
}

Cross read_cross(const Config& config) {
  const Config& options = config_of(config, "Cross");
  std::vector<std::string> names;
  saving::read_value(options.at("feature_names"), {"Cross", "feature_names"}, names);
  CrossOptions cross{.output_mode = text_at(options, "output_mode")};
  saving::read_value(options.at("crossing_dim"), {"Cross", "crossing_dim"}, cross.crossing_dim);
  return {std::move(names), cross};
}

FeatureSpaceOptions read_options(const Config& config) {
  FeatureSpaceOptions options;
  const Config& features = config.at("features");
  if (!features.is_dict()) saving::wrong_type({"FeatureSpace", "features"}, "a dict", features);
  for (const auto& [name, feature] : features.as_dict())
    options.features.emplace_back(name, read_feature(feature, name));
  options.output_mode = text_at(config, "output_mode");
  if (const Config* crosses = config.find("crosses"); crosses != nullptr && !crosses->is_null())
    for (const Config& cross : crosses->as_list()) options.crosses.push_back(read_cross(cross));
  const auto read = [&](const char* key, std::int64_t& value) {
    if (const Config* given = config.find(key)) saving::read_value(*given, {"FeatureSpace", key}, value);
  };
  read("crossing_dim", options.crossing_dim);
  read("hashing_dim", options.hashing_dim);
  read("num_discretization_bins", options.num_discretization_bins);
  if (const Config* name = config.find("name"))
    saving::read_value(*name, {"FeatureSpace", "name"}, options.name);
  return options;
}

bool runs_in_programs(const LayerHandle& layer) {
  return layer->class_name() == "IntegerLookup" ||
         dynamic_cast<const layers::ElementLayer*>(layer.get()) == nullptr;
}

}  // namespace cornu::inline v0::keras::utils
