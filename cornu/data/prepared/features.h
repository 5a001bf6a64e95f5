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

/// A feature of a prepared data set, as features.json says it: TensorFlow Datasets' FeatureConnectors.
struct Feature {
  FeatureKind kind = FeatureKind::kTensor;
  /// "label"; "meta/id" for a feature inside a dict.
  std::string path = {};
  /// The shape of its values, with the length of a sequence in front; kUnknownExtent where examples differ.
  Dims shape = {};
  /// The dtype of numbers; nothing for texts.
  std::optional<DType> dtype = DType::kF32;
  /// The number of classes of a ClassLabel; 0 where it is not said.
  std::int64_t num_classes = 0;
  /// The names of the classes of a ClassLabel, where there is a file of them.
  std::vector<std::string> class_names = {};
  /// The names of the parts of a dict.
  std::vector<std::string> names = {};
  std::vector<Feature> parts = {};

  /// The part of a dict, or of one in it ("meta/id"). Errors: InvalidArgument with the names that there are.
  const Feature& at(StringViewArgument path) const;
};

/// Reads features.json; `name` stands in errors.
/// Errors: DataLoss for what is no such file; Unimplemented, with the feature's name, for kinds that are
///         not read: of all there are, Tensor, Scalar, Text, ClassLabel, Image (uint8), BBoxFeature,
///         FeaturesDict, and Sequence of these but of images and sequences, are.
Feature parse_features(StringViewArgument json, StringViewArgument name);

}  // namespace cornu::inline v0::data::tfds
