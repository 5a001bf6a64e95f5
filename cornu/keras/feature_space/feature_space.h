#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/data/element.h"
#include "cornu/keras/base/by_name.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/batches.h"

namespace cornu::inline v0::keras::utils {

class FeatureSpaceLayer;

struct FloatOptions {  // options/feature_space.toml
  /// Name of the feature, of which its layer's name is made; empty: a name that is new in the process.
  std::string name = {};
};
struct FloatRescaledOptions {  // options/feature_space.toml
  /// Factor of the values.
  double scale = 1.0;
  /// Number that is added to the scaled values.
  double offset = 0.0;
  /// Name of the feature, of which its layer's name is made; empty: a name that is new in the process.
  std::string name = {};
};
struct FloatDiscretizedOptions {  // options/feature_space.toml
  /// Boundaries of the bins, rising; unset: adapt() finds them.
  std::optional<std::vector<double>> bin_boundaries = {};
  /// "one_hot": a vector with 1 at the index; "int": the index.
  std::string output_mode = "one_hot";
  /// Name of the feature, of which its layer's name is made; empty: a name that is new in the process.
  std::string name = {};
};
struct CategoricalOptions {  // options/feature_space.toml
  /// Largest size of the vocabulary, with the tokens of unknown terms; unset: no limit.
  std::optional<std::int64_t> max_tokens = {};
  /// Number of indices of unknown terms.
  std::int64_t num_oov_indices = 1;
  /// "one_hot": a vector with 1 at the index; "int": the index.
  std::string output_mode = "one_hot";
  /// Name of the feature, of which its layer's name is made; empty: a name that is new in the process.
  std::string name = {};
};
struct HashedOptions {  // options/feature_space.toml
  /// "one_hot": a vector with 1 at the index; "int": the index.
  std::string output_mode = "one_hot";
  /// Name of the feature, of which its layer's name is made; empty: a name that is new in the process.
  std::string name = {};
};
struct FeatureOptions {  // options/feature_space.toml
  /// Dtype of the values: "string", or a name such as "float32"; required.
  std::string dtype;
  /// Layer that maps the values; required.
  LayerHandle preprocessor;
  /// "float": the results as they are; "int": integers; "one_hot": vectors with 1 at the integer; required.
  std::string output_mode;
};
struct CrossOptions {  // options/feature_space.toml
  /// Number of bins; must be positive.
  std::int64_t crossing_dim = 32;
  /// "one_hot": a vector with 1 at the index; "int": the index.
  std::string output_mode = "one_hot";
};

/// A feature of a FeatureSpace: the dtype of its values, the layer that maps them, and the form of its output.
/// Errors: InvalidArgument for an unknown dtype or output mode; FailedPrecondition for an undefined layer.
class Feature {
 public:
  explicit Feature(FeatureOptions options);

  const std::string& dtype() const { return options_.dtype; }
  const LayerHandle& preprocessor() const { return options_.preprocessor; }
  const std::string& output_mode() const { return options_.output_mode; }

 private:
  FeatureOptions options_;
};

/// A feature, or the name of a type with its default options: "float", "float_normalized", "float_rescaled",
/// "float_discretized", "integer_categorical", "string_categorical", "integer_hashed" or "string_hashed".
class FeatureSpec {
 public:
  FeatureSpec(const char* type) : type_(type) {}
  FeatureSpec(std::string type) : type_(std::move(type)) {}
  FeatureSpec(Feature feature) : feature_(std::move(feature)) {}

  const std::string& type() const { return type_; }
  const std::optional<Feature>& feature() const { return feature_; }

 private:
  std::string type_;  // empty for a Feature
  std::optional<Feature> feature_;
};
using NamedFeature = std::pair<std::string, FeatureSpec>;

/// Features that are combined into one by a hash of their values.
/// Errors: InvalidArgument for an unknown output mode, and for fewer than two names.
class Cross {
 public:
  /// With the crossing_dim of the FeatureSpace.
  Cross(std::initializer_list<std::string_view> feature_names);
  explicit Cross(std::vector<std::string> feature_names);
  Cross(std::vector<std::string> feature_names, const CrossOptions& options);

  /// "city_X_job"
  std::string name() const;
  const std::vector<std::string>& feature_names() const { return feature_names_; }
  /// Unset: that of the FeatureSpace.
  const std::optional<std::int64_t>& crossing_dim() const { return crossing_dim_; }
  const std::string& output_mode() const { return output_mode_; }

 private:
  std::vector<std::string> feature_names_;
  std::optional<std::int64_t> crossing_dim_;
  std::string output_mode_;
};

struct FeatureSpaceOptions {  // options/feature_space.toml
  /// Features by name: `{{"age", "float_normalized"}, {"city", FeatureSpace::string_categorical({.max_tokens
  /// = 10})}}`; required.
  std::vector<NamedFeature> features;
  /// "concat": one vector a row of all features; "dict": each by its name.
  std::string output_mode = "concat";
  /// Features that are combined by a hash of their values: `{{"city", "job"}}`.
  std::vector<Cross> crosses = {};
  /// Number of bins of crosses that are given as a list of names; must be positive.
  std::int64_t crossing_dim = 32;
  /// Number of bins of "integer_hashed" and "string_hashed"; must be positive.
  std::int64_t hashing_dim = 32;
  /// Number of bins of "float_discretized"; must be positive.
  std::int64_t num_discretization_bins = 32;
  /// Name of the space; empty: "feature_space", with a number if it is taken.
  std::string name = {};
};

/// Encodes tables with columns of numbers and texts: normalizes, discretizes, looks up, hashes and crosses
/// features by name, and joins the results to one vector a row.
///
///     utils::FeatureSpace space({.features = {{"age", "float_normalized"}, {"city", "string_categorical"}},
///                                .crosses = {{"age_group", "city"}}});
///     space.adapt(table);                                   // a data set or arrays by name
///     train = rows.batch(32).map(
///         [space](const data::Element& x, const Tensor& y) { return std::pair(space(x), y); });
///
/// Semantics: values are (), [batch] or [batch, columns]; results have a row for each row, and none for
///            single values. Features come in the order of their names, then crosses in that of theirs.
///            Numbers equal those of Keras on TensorFlow.
/// Errors:    InvalidArgument for options that Keras refuses, for values by other names than those of the
///            features, and with "concat" for a feature of integers or texts, which must be encoded;
///            FailedPrecondition for use before adapt(), if a feature needs data.
/// Threads:   concurrent calls are safe, except with adapt().
class FeatureSpace {
 public:
  explicit FeatureSpace(const FeatureSpaceOptions& options);
  // A move copies the handle, so that no space is ever without its layer.
  FeatureSpace(const FeatureSpace&) = default;
  FeatureSpace& operator=(const FeatureSpace&) = default;
  /// Makes the space that get_config() describes. Errors: InvalidArgument, naming the key.
  static FeatureSpace from_config(const Config& config);
  /// Reads a file that save() or Keras wrote. Errors: those of load_model().
  static FeatureSpace load(const StringArgument& path);

  // The types of features. Keras's `float` is a keyword of C++.
  static Feature float_(const FloatOptions& options = {});
  /// scale * value + offset
  static Feature float_rescaled(const FloatRescaledOptions& options = {});
  /// (value - mean) / sqrt(variance)
  static Feature float_normalized(const FloatOptions& options = {});
  /// The index of the value's range, of `num_bins` with as many values of the data each.
  static Feature float_discretized(std::int64_t num_bins, const FloatDiscretizedOptions& options = {});
  static Feature integer_categorical(const CategoricalOptions& options = {});
  static Feature string_categorical(const CategoricalOptions& options = {});
  static Feature integer_hashed(std::int64_t num_bins, const HashedOptions& options = {});
  static Feature string_hashed(std::int64_t num_bins, const HashedOptions& options = {});
  /// A feature with a layer of your choice.
  static Feature feature(const FeatureOptions& options) { return Feature(options); }
  static Cross cross(std::initializer_list<std::string_view> feature_names, const CrossOptions& options = {});

  /// Adapts the layers to arrays by name: `space.adapt(data::Element({{"age", ages}, {"city", cities}}))`.
  void adapt(const data::Element& features) const;
  /// Adapts to each element, or each x of (x, y), of a data set or a range, in one pass.
  template <ElementRange Batches>
  void adapt(const Batches& batches, const AdaptOptions& options = {}) const {
    begin_adapt();
    std::int64_t left = options.steps.value_or(-1);
    for (const auto& batch : batches) {
      if (left-- == 0) break;
      adapt_batch(batch);
    }
    end_adapt();
  }

  /// Returns the rows' vectors, or with "dict" the features by name.
  data::Element operator()(const data::Element& features) const;

  /// Inputs of a functional model that encodes inside of its programs, by feature.
  /// Errors: Unimplemented if the space has texts, hashes or crosses, which are no part of programs: encode
  ///         in the map() of the data set, and begin the model with get_encoded_features().
  ByName<KerasTensor> get_inputs() const;
  /// The encoded features as tensors of a functional model: one, or with "dict" each in the order of
  /// encoded_names(). They are functions of get_inputs(), or new inputs if there can be none.
  ///
  ///     keras::KerasTensors encoded = space.get_encoded_features();
  ///     keras::Model model({.inputs = encoded, .outputs = layers::Dense({.units = 1})(encoded[0])});
  KerasTensors get_encoded_features() const;
  /// The names of the features and crosses in the order of the output.
  std::vector<std::string> encoded_names() const;

  const std::string& name() const;
  /// The layer of each feature, and of each cross.
  ByName<LayerHandle> preprocessors() const;
  ByName<LayerHandle> crossers() const;
  Config get_config() const;
  /// Writes a file ".keras" that load() and Keras's load_model() read, with what the layers adapted to.
  void save(const StringArgument& path) const;

 private:
  explicit FeatureSpace(std::shared_ptr<FeatureSpaceLayer> layer) : layer_(std::move(layer)) {}
  void begin_adapt() const;
  void adapt_batch(const data::Element& batch) const;
  void end_adapt() const;

  std::shared_ptr<FeatureSpaceLayer> layer_;
};

}  // namespace cornu::inline v0::keras::utils
