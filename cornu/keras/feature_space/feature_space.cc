#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/rows.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/feature_space/feature_space_support.h"
#include "cornu/keras/layers/core/input_layer.h"
#include "cornu/keras/layers/merging/merging.h"
#include "cornu/keras/layers/preprocessing/categories_support.h"
#include "cornu/keras/layers/preprocessing/category_encoding.h"
#include "cornu/keras/layers/preprocessing/element_layer_support.h"
#include "cornu/keras/layers/preprocessing/hashing.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::utils {
namespace {

using data::Element;

/// Rows of arrays that a layer adapts to at a time, as in Keras: quantiles depend on it.
constexpr std::int64_t kAdaptRows = 32;

/// The features by name of an element, or of the x of (x, y).
const Element& features_in(const Element& element) {
  const bool is_pair = element.is_structure() && element.names().empty() && element.size() > 0;
  const Element& features = is_pair ? element[0] : element;
  if (!features.is_structure() || features.names().empty())
    invalid_argument("[feature_space] takes features by name: data::Element({{{{\"age\", ages}}}}); got {}",
                     element.type_str());
  return features;
}

Dims shape_of(const Element& values) { return values.is_ragged() ? Dims(2) : layers::leaf_shape(values); }

bool is_single_row(const Element& features) {
  return std::any_of(features.parts().begin(), features.parts().end(),
                     [](const Element& each) { return shape_of(each).empty(); });
}

/// Values as [rows, 1], unless they have two axes or more.
Element as_column(const Element& values) {
  const Dims shape = shape_of(values);
  if (shape.size() >= 2) return values;
  const Dims column = {shape.empty() ? 1 : shape[0], 1};
  if (values.is_text()) return data::Strings(column, {std::string(values.text())});
  if (values.is_strings()) return data::Strings(column, values.strings().to_vector());
  return ops::reshape(values.tensor(), column);
}

/// A value without the axis of its single row.
Element without_rows(const Element& value) {
  if (!value.is_numeric() || value.tensor().rank() != 2 || value.tensor().shape()[0] != 1) return value;
  return ops::squeeze(value.tensor(), {.axis = 0});
}

bool is_integer(const Element& value) {
  return value.is_numeric() &&
         ir::is_integer(value.is_number() ? value.number().dtype : value.tensor().dtype());
}

layers::AdaptableLayer* adaptable(const LayerHandle& layer) {
  auto* const found = dynamic_cast<layers::AdaptableLayer*>(layer.get());
  return found != nullptr && found->is_adaptable() ? found : nullptr;
}

LayerSettings settings_of(const FeatureSpaceOptions& options) {
  return {.class_name = "FeatureSpace", .name = options.name};
}

}  // namespace

FeatureSpaceLayer::FeatureSpaceLayer(const FeatureSpaceOptions& options)
    : Layer(settings_of(options)),
      output_mode_(options.output_mode),
      crossing_dim_(options.crossing_dim),
      hashing_dim_(options.hashing_dim),
      num_discretization_bins_(options.num_discretization_bins) {
  if (options.features.empty()) option_error("features must not be empty");
  if (output_mode_ != "concat" && output_mode_ != "dict")
    option_error("output_mode", "must be \"concat\" or \"dict\"", fmt::format("\"{}\"", output_mode_));
  std::vector<LayerHandle> preprocessors;
  for (const NamedFeature& given : options.features) {
    if (features_.contains(given.first)) option_error(fmt::format("features has \"{}\" twice", given.first));
    features_.set(given.first, feature_of(given, options));
    preprocessors.push_back(features_[given.first].preprocessor());
  }
  track(preprocessors, "preprocessors");
  check_crosses(options);
  std::vector<LayerHandle> crossers;
  for (const Cross& cross : crosses_) {
    crossers.emplace_back(layers::HashedCrossing(
        {.num_bins = cross.crossing_dim().value_or(crossing_dim_), .name = cross.name()}));
    crossers_.set(cross.name(), crossers.back());
  }
  track(crossers, "crossers");
  is_adapted_ = std::none_of(preprocessors.begin(), preprocessors.end(),
                             [](const LayerHandle& layer) { return adaptable(layer) != nullptr; });
}

void FeatureSpaceLayer::check_crosses(const FeatureSpaceOptions& options) {
  for (const Cross& cross : options.crosses) {
    for (const std::string& name : cross.feature_names())
      if (!features_.contains(name))
        option_error("crosses", "must combine names of features",
                     fmt::format("\"{}\"; {}", name, name_proposal(name, features_.keys())));
    if (features_.contains(cross.name()))
      option_error(fmt::format("a feature has the name \"{}\" of a cross", cross.name()));
    crosses_.push_back(cross);
  }
}

void FeatureSpaceLayer::begin_adapt() {
  pending_.clear();
  for (const auto& [name, feature] : features_)
    if (auto* const layer = adaptable(feature.preprocessor())) layer->begin_adapt();
}

void FeatureSpaceLayer::adapt_batch(const Element& given) {
  const Element& features = features_in(given);
  check_names(features);
  if (is_single_row(features)) {
    pending_.push_back(features);
    if (static_cast<std::int64_t>(pending_.size()) < kAdaptRows) return;
    data::BufferPool pool;
    const Element batch = data::stack(pending_, pool);
    pending_.clear();
    return adapt_batch(batch);
  }
  if (!sample_.has_value()) sample_ = data::rows(features, 0, 1);
  for (const auto& [name, feature] : features_)
    if (auto* const layer = adaptable(feature.preprocessor()))
      layer->adapt_batch(column(name, features[name]));
}

void FeatureSpaceLayer::end_adapt() {
  if (!pending_.empty()) {
    data::BufferPool pool;
    const Element batch = data::stack(pending_, pool);
    pending_.clear();
    adapt_batch(batch);
  }
  if (!sample_.has_value()) invalid_argument({.layer = Layer::name()}, "[feature_space] adapt() got no rows");
  for (const auto& [name, feature] : features_)
    if (auto* const layer = adaptable(feature.preprocessor())) layer->end_adapt();
  is_adapted_ = true;
  inputs_.reset();
  encoded_.reset();
}

void FeatureSpaceLayer::check_adapted() const {
  if (!is_adapted_)
    fail(ErrorCode::kFailedPrecondition, {.layer = Layer::name()},
         "[feature_space] call adapt() before you use the space: some of its features need data");
}

void FeatureSpaceLayer::check_names(const Element& given) const {
  for (const std::string& name : given.names())
    if (!features_.contains(name))
      invalid_argument({.layer = Layer::name()}, "[feature_space] there is no feature \"{}\"; {}", name,
                       name_proposal(name, features_.keys()));
  for (const auto& [name, feature] : features_)
    if (std::find(given.names().begin(), given.names().end(), name) == given.names().end())
      invalid_argument({.layer = Layer::name()},
                       "[feature_space] the values of feature \"{}\" are missing; got {}", name,
                       given.type_str());
}

Element FeatureSpaceLayer::column(const std::string& name, const Element& values) const {
  const std::string& dtype = features_[name].dtype();
  if (values.is_structure() || (dtype == "string") == values.is_numeric())
    invalid_argument({.layer = Layer::name()}, "[feature_space] feature \"{}\" has the dtype {}; got {}",
                     name, dtype, values.type_str());
  const Element result = as_column(values);
  if (!values.is_numeric()) return result;
  const DType wanted = *ir::dtype_from_name(dtype);
  if (is_integer(result) || !ir::is_integer(wanted))
    return ir::is_float(wanted) ? Element(ops::cast(result.tensor(), wanted)) : result;
  invalid_argument({.layer = Layer::name()}, "[feature_space] feature \"{}\" takes integers; got {}", name,
                   values.type_str());
}

Element FeatureSpaceLayer::preprocessed(const std::string& name, const Element& values) const {
  const LayerHandle& layer = features_[name].preprocessor();
  if (const auto* on_elements = dynamic_cast<const layers::ElementLayer*>(layer.get()))
    return on_elements->call_element(values);
  return layer(values.tensor());
}

const std::string& FeatureSpaceLayer::output_mode_of(const std::string& name) const {
  if (const Feature* feature = features_.find(name)) return feature->output_mode();
  return std::find_if(crosses_.begin(), crosses_.end(),
                      [&](const Cross& cross) { return cross.name() == name; })
      ->output_mode();
}

std::int64_t FeatureSpaceLayer::num_categories(const std::string& name) const {
  const Feature* const feature = features_.find(name);
  const LayerHandle& layer = feature != nullptr ? feature->preprocessor() : crossers_[name];
  if (const auto* on_elements = dynamic_cast<const layers::ElementLayer*>(layer.get()))
    return on_elements->num_categories();
  if (layer->class_name() == "Discretization") {
    const Config config = layer.get_config();
    const Config &bins = config.at("num_bins"), &boundaries = config.at("bin_boundaries");
    return bins.is_null() ? static_cast<std::int64_t>(boundaries.size()) + 1 : bins.as_integer();
  }
  invalid_argument({.layer = Layer::name()},
                   "[feature_space] feature \"{}\" cannot be encoded as \"one_hot\": the number of different "
                   "results of its layer, a {}, is not known; use output_mode = \"int\"",
                   name, layer->class_name());
}

Element FeatureSpaceLayer::in_output_mode(const std::string& name, const Element& value) const {
  if (output_mode_of(name) == "one_hot") {
    if (!is_integer(value))
      invalid_argument({.layer = Layer::name()},
                       "[feature_space] the layer of feature \"{}\" must return integers for output_mode = "
                       "\"one_hot\"; it returns {}",
                       name, value.type_str());
    return layers::CategoryEncoding({.num_tokens = num_categories(name)})(value.tensor());
  }
  if (output_mode_ == "concat" && (!value.is_numeric() || is_integer(value)))
    invalid_argument(
        {.layer = Layer::name()},
        "[feature_space] feature \"{}\" is not encoded ({}), so it cannot be part of one vector; "
        "use output_mode = \"one_hot\" for it, or \"dict\" for the space",
        name, value.type_str());
  return value;
}

std::vector<std::string> FeatureSpaceLayer::encoded_names() const {
  std::vector<std::string> names = features_.keys(), crosses = crossers_.keys();
  std::sort(names.begin(), names.end());
  std::sort(crosses.begin(), crosses.end());
  names.insert(names.end(), crosses.begin(), crosses.end());
  return names;
}

Element FeatureSpaceLayer::encoded(const Element& given) const {
  check_adapted();
  const Element& features = features_in(given);
  check_names(features);
  const bool is_row = is_single_row(features);
  ByName<Element> values("feature_space");
  for (const auto& [name, feature] : features_)
    values.set(name, preprocessed(name, column(name, features[name])));
  for (const Cross& cross : crosses_) {
    std::vector<Element> parts;
    for (const std::string& name : cross.feature_names()) parts.push_back(values[name]);
    const auto& crosser = dynamic_cast<const layers::ElementLayer&>(*crossers_[cross.name()]);
    values.set(cross.name(), crosser.call_element(Element(std::move(parts))));
  }
  const std::vector<std::string> names = encoded_names();
  std::vector<Element> parts;
  for (const std::string& name : names) parts.push_back(in_output_mode(name, values[name]));
  if (output_mode_ == "dict") {
    if (is_row) std::transform(parts.begin(), parts.end(), parts.begin(), without_rows);
    return Element(names, std::move(parts));
  }
  std::vector<Tensor> tensors;
  for (const Element& part : parts) tensors.push_back(part.tensor());
  const Element joined = ops::concatenate(tensors, {.axis = -1});
  return is_row ? without_rows(joined) : joined;
}

bool FeatureSpaceLayer::runs_in_programs() const {
  return crosses_.empty() && std::all_of(features_.begin(), features_.end(), [](const auto& each) {
           return each.second.dtype() != "string" && utils::runs_in_programs(each.second.preprocessor());
         });
}

ByName<KerasTensor> FeatureSpaceLayer::inputs() {
  check_adapted();
  if (!runs_in_programs())
    fail(ErrorCode::kUnimplemented, {.layer = Layer::name()},
         "[feature_space] texts, hashes and crosses are no part of programs: encode in the map() of the data "
         "set, and begin the model with get_encoded_features()");
  if (!inputs_.has_value()) {
    inputs_.emplace("feature_space");
    for (const auto& [name, feature] : features_)
      inputs_->set(name, Input({.shape = {1}, .dtype = *ir::dtype_from_name(feature.dtype()), .name = name}));
  }
  return *inputs_;
}

KerasTensor FeatureSpaceLayer::graph_of(const std::string& name, const KerasTensor& input) const {
  const KerasTensor value = features_[name].preprocessor()(input);
  if (output_mode_of(name) != "one_hot") return value;
  return layers::CategoryEncoding({.num_tokens = num_categories(name)})(value);
}

KerasTensors FeatureSpaceLayer::encoded_features() {
  check_adapted();
  if (encoded_.has_value()) return *encoded_;
  const Element row = encoded(sample());  // checks that the features can be encoded
  KerasTensors result;
  if (runs_in_programs()) {
    const ByName<KerasTensor> given = inputs();
    for (const std::string& name : encoded_names()) result.push_back(graph_of(name, given[name]));
    if (output_mode_ == "concat" && result.size() > 1) result = layers::Concatenate()(result);
  } else {
    const auto input = [](const Element& value, const std::string& name) {
      const Dims& shape = value.tensor().shape();
      return Input(
          {.shape = Dims(shape.begin() + 1, shape.end()), .dtype = value.tensor().dtype(), .name = name});
    };
    if (output_mode_ == "concat") result = input(row, "encoded_features");
    if (output_mode_ == "dict")
      for (const std::string& name : encoded_names()) result.push_back(input(row[name], name));
  }
  encoded_ = result;
  return result;
}

Element FeatureSpaceLayer::sample() const {
  if (sample_.has_value()) return *sample_;
  std::vector<Element> values;
  for (const auto& [name, feature] : features_) {
    if (feature.dtype() == "string")
      values.emplace_back(data::Strings{""});
    else
      values.emplace_back(ops::zeros({1}, *ir::dtype_from_name(feature.dtype())));
  }
  return Element(features_.keys(), std::move(values));
}

Config FeatureSpaceLayer::get_config() const {
  Config features = Config::dict(), crosses{Config::List()};
  for (const auto& [name, feature] : features_) features.set(name, feature_config(feature));
  for (const Cross& cross : crosses_) crosses.append(cross_config(cross, crossing_dim_));
  return Config::dict({{"features", std::move(features)},
                       {"output_mode", output_mode_},
                       {"crosses", std::move(crosses)},
                       {"crossing_dim", crossing_dim_},
                       {"hashing_dim", hashing_dim_},
                       {"num_discretization_bins", num_discretization_bins_}});
}

FeatureSpace::FeatureSpace(const FeatureSpaceOptions& options)
    : layer_(std::make_shared<FeatureSpaceLayer>(options)) {}
FeatureSpace FeatureSpace::from_config(const Config& config) { return FeatureSpace(read_options(config)); }

void FeatureSpace::adapt(const Element& features) const {
  begin_adapt();
  const std::int64_t count = data::num_rows(features_in(features), "feature_space");
  for (std::int64_t i = 0; i < count; i += kAdaptRows)
    adapt_batch(data::rows(features_in(features), i, std::min(i + kAdaptRows, count)));
  end_adapt();
}
void FeatureSpace::begin_adapt() const { layer_->begin_adapt(); }
void FeatureSpace::adapt_batch(const Element& batch) const { layer_->adapt_batch(batch); }
void FeatureSpace::end_adapt() const { layer_->end_adapt(); }

Element FeatureSpace::operator()(const Element& features) const { return layer_->encoded(features); }
ByName<KerasTensor> FeatureSpace::get_inputs() const { return layer_->inputs(); }
KerasTensors FeatureSpace::get_encoded_features() const { return layer_->encoded_features(); }
std::vector<std::string> FeatureSpace::encoded_names() const { return layer_->encoded_names(); }
const std::string& FeatureSpace::name() const { return layer_->name(); }
ByName<LayerHandle> FeatureSpace::crossers() const { return layer_->crossers(); }
ByName<LayerHandle> FeatureSpace::preprocessors() const {
  ByName<LayerHandle> layers("feature_space");
  for (const auto& [name, feature] : layer_->features()) layers.set(name, feature.preprocessor());
  return layers;
}
Config FeatureSpace::get_config() const { return layer_->get_config(); }

}  // namespace cornu::inline v0::keras::utils
