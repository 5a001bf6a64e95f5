#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cornu/data/element.h"
#include "cornu/keras/feature_space/feature_space.h"
#include "cornu/keras/layer/layer.h"

/// The layer of a FeatureSpace; not part of the interface.
namespace cornu::inline v0::keras::utils {

/// The feature of a name with its options, as a space with these options has it.
/// Errors: InvalidArgument for an unknown type.
Feature feature_of(const NamedFeature& given, const FeatureSpaceOptions& options);

// Configurations in Keras's form: {"module": ..., "class_name": "Feature", "config": {...}, ...}. Errors of
// reading: InvalidArgument, naming the key.
Config feature_config(const Feature& feature);
Config cross_config(const Cross& cross, std::int64_t crossing_dim);
Feature read_feature(const Config& config, const std::string& name);
Cross read_cross(const Config& config);
FeatureSpaceOptions read_options(const Config& config);

/// True if the layer can be part of a program.
bool runs_in_programs(const LayerHandle& layer);

class FeatureSpaceLayer : public Layer {
 public:
  explicit FeatureSpaceLayer(const FeatureSpaceOptions& options);

  // Adapting.
  void begin_adapt();
  void adapt_batch(const data::Element& given);
  void end_adapt();
  /// Declares that the layers have what adapt() would give, as those of a file do.
  void set_adapted() { is_adapted_ = true; }

  data::Element encoded(const data::Element& given) const;
  ByName<KerasTensor> inputs();
  KerasTensors encoded_features();
  std::vector<std::string> encoded_names() const;

  const ByName<Feature>& features() const { return features_; }
  const ByName<LayerHandle>& crossers() const { return crossers_; }
  Config get_config() const override;

 private:
  bool runs_in_programs() const;
  void check_adapted() const;
  void check_crosses(const FeatureSpaceOptions& options);
  /// The values of a feature as a column, in its dtype.
  data::Element column(const std::string& name, const data::Element& values) const;
  /// Errors: InvalidArgument for other names than those of the features.
  void check_names(const data::Element& given) const;
  data::Element preprocessed(const std::string& name, const data::Element& values) const;
  /// A feature or cross in its output mode; `name` is one of encoded_names().
  data::Element in_output_mode(const std::string& name, const data::Element& value) const;
  std::int64_t num_categories(const std::string& name) const;
  const std::string& output_mode_of(const std::string& name) const;
  /// A row of the data of adapt(), else of zeros and empty texts.
  data::Element sample() const;
  KerasTensor graph_of(const std::string& name, const KerasTensor& input) const;

  ByName<Feature> features_{"feature_space"};
  std::vector<Cross> crosses_;
  ByName<LayerHandle> crossers_{"feature_space"};
  std::string output_mode_;
  std::int64_t crossing_dim_, hashing_dim_, num_discretization_bins_;
  bool is_adapted_ = false;
  std::vector<data::Element> pending_;   // single rows that wait for a batch
  std::optional<data::Element> sample_;  // a row of the data
  std::optional<ByName<KerasTensor>> inputs_;
  std::optional<KerasTensors> encoded_;
};

}  // namespace cornu::inline v0::keras::utils
