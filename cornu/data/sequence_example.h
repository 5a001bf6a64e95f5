#pragma once

#include <memory>

#include "cornu/data/files.h"

namespace cornu::inline v0::data {

/// Parses serialized tf.train.SequenceExamples: one, or a batch of them (the texts of a dataset that was
/// batched), into a pair of structures by name, the features of their context and the lists of features.
///
///     TFRecordDataset("clips.tfrecord").map(ParseSequenceExample(
///         {{"label", FixedLenFeature{.dtype = DType::kI64}}},
///         {{"frames", FixedLenFeature{.shape = {1024}}}}));
///
/// Semantics: the context is what ParseExample gives. A list whose steps are FixedLenFeatures is a tensor
///            [steps, ...shape], of a batch ragged rows of such (TensorFlow pads them).
///            Steps of VarLenFeatures are ragged rows.
/// Errors:  as ParseExample; InvalidArgument for a default of a step, and for a list that is missing unless
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
