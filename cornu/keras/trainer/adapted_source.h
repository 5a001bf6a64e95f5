#pragma once

#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/data_adapter.h"

namespace cornu::inline v0::keras {

/// Settings for bringing a source's rows into a model's order and checking them.
struct AdaptedSourceOptions {
  bool has_labels = true;  // false for predictions, which take x alone
  ClassWeight class_weight = {};
  const char* caller;       // "fit"
  const char* labels_name;  // stands for y in messages
};

/// Prepares a source for a model during a run: the network is built for the source's first rows, and each
/// batch is reordered and checked as the model takes it. Must live under a DataAdapter::Guard.
class AdaptedSource {
 public:
  AdaptedSource(BatchSource& source, DataAdapter& data_adapter, AdaptedSourceOptions options);
  ~AdaptedSource() { source_.end_run(); }
  AdaptedSource(const AdaptedSource&) = delete;
  AdaptedSource& operator=(const AdaptedSource&) = delete;

  BatchSource& source() const { return source_; }
  /// Some of the source's rows, prepared for the model.
  const ArrayData& examples() const { return examples_; }

 private:
  ArrayData arranged(const ArrayData& rows) const;

  BatchSource& source_;
  DataAdapter& data_adapter_;
  AdaptedSourceOptions options_;
  ArrayData examples_;
};

}  // namespace cornu::inline v0::keras
