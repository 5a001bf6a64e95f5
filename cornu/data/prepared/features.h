#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/data/element.h"

namespace cornu::inline v0::data::tfds {

enum class FeatureKind { kTensor, kText, kClassLabel, kImage, kDict };

/// A feature of a prepared data set, as features.json describes it: TensorFlow Datasets' FeatureConnectors.
struct Feature {
  FeatureKind kind = FeatureKind::kTensor;
  /// "label"; "meta/id" for a feature inside a dict.
  std::string path = {};
  /// The shape of its values; a sequence's length comes first. kUnknownExtent if examples differ.
  Dims shape = {};
  /// The dtype of numbers; empty for texts.
  std::optional<DType> dtype = DType::kF32;
  /// The number of classes of a ClassLabel; 0 if unknown.
  std::int64_t num_classes = 0;
  /// The names of the classes of a ClassLabel, if there is a file of them.
  std::vector<std::string> class_names = {};
  /// The names of the parts of a dict.
  std::vector<std::string> names = {};
  std::vector<Feature> parts = {};

  /// The part of a dict, or of a nested one ("meta/id"). Errors: InvalidArgument with the existing names.
  const Feature& at(StringViewArgument path) const;
};

/// Parses features.json; `name` is used in errors.
/// Errors: DataLoss for invalid content; Unimplemented, with the feature's name, for unsupported kinds.
///         Supported are Tensor, Scalar, Text, ClassLabel, Image (uint8), BBoxFeature, FeaturesDict, and
///         Sequence of these except of images and sequences.
Feature parse_features(StringViewArgument json, StringViewArgument name);

}  // namespace cornu::inline v0::data::tfds
