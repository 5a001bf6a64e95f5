#pragma once

#include <memory>

#include "cornu/data/files.h"

namespace cornu::inline v0::data {

/// Parses serialized tf.train.SequenceExamples, one or a batch (texts), into a pair of structures by name:
/// the features of the context and the lists of features.
///
///     TFRecordDataset("clips.tfrecord").map(ParseSequenceExample(
///         {{"label", FixedLenFeature{.dtype = DType::kI64}}},
///         {{"frames", FixedLenFeature{.shape = {1024}}}}));
///
/// Semantics: the context is parsed like ParseExample. A list with steps of FixedLenFeature is a tensor
///            [steps, ...shape], for a batch ragged rows (TensorFlow pads them). Steps of VarLenFeature are
///            ragged rows.
/// Errors:  those of ParseExample; InvalidArgument for a default of a step, and for a missing list, unless
///          its steps are VarLenFeatures: then it is empty.
/// Threads: safe.
class ParseSequenceExample {
 public:
  explicit ParseSequenceExample(const FeatureDescriptions& context_features,
                                const FeatureDescriptions& sequence_features);
  Element operator()(const Element& serialized) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace cornu::inline v0::data
