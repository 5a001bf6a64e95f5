#pragma once

#include <memory>
#include <string>

#include "cornu/data/prepared/features.h"

namespace cornu::inline v0::data::tfds {

/// Makes the records of prepared data sets into elements: a structure by the features' names, in it numbers,
/// texts, tensors and images as the features say.
///
/// Errors:  InvalidArgument and DataLoss as data::ParseExample and data::decode_image;
///          DataLoss, naming the feature, for numbers that its type or number of classes does not hold,
///          and images of another shape.
/// Threads: safe.
class ExampleDecoder {
 public:
  /// `name` stands in errors.
  ExampleDecoder(const Feature& features, std::string name);
  Element operator()(const Element& record) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace cornu::inline v0::data::tfds
