#pragma once

#include <memory>
#include <string>

#include "cornu/data/prepared/features.h"

namespace cornu::inline v0::data::tfds {

/// Decodes the records of prepared data sets into elements: structures by the features' names, with numbers,
/// texts, tensors and images as the features describe.
///
/// Errors:  InvalidArgument and DataLoss as in data::ParseExample and data::decode_image; DataLoss, with the
///          feature's name, for numbers outside its type or number of classes, and images of another shape.
/// Threads: safe.
class ExampleDecoder {
 public:
  /// `name` is used in errors.
  ExampleDecoder(const Feature& features, std::string name);
  Element operator()(const Element& record) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace cornu::inline v0::data::tfds
