#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cornu/data/dataset.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/trainer/batch_source.h"

namespace cornu::inline v0::keras {

/// The way in which a run takes batches from a data set.
struct DatasetUse {
  const char* caller = "fit";  // the name in errors
  bool from_start = false;     // true if each epoch is a new pass, as for validation
  /// True if the model keeps states of rows: batches are then inspected one at a time.
  bool one_by_one = false;
  /// The largest number of rows of a batch, see BatchStreamOptions. If not set, the stages determine it for
  /// rows in memory.
  std::optional<std::int64_t> batch_size = {};
};

/// Makes the source of batches that fit, evaluate and predict use for a data set.
///
/// The data set's elements are batches: x, (x), (x, y) or (x, y, sample_weight); x and y are tensors, or
/// tuples or named structures of tensors. Each pass is one iteration of the data set, so its shuffles
/// continue from pass to pass.
///
/// If the elements are batches of rows in memory, the rows stay there and steps gather them by index.
/// Otherwise the data set makes each element, which is copied once. From the second pass on, a run that has
/// waited for elements more than a tenth of its time then warns once, naming the slowest stage.
/// Errors: InvalidArgument, describing an element and the form it should have; also for batches of rows in
///         memory that may have more rows than `use.batch_size`.
std::unique_ptr<BatchSource> make_dataset_source(const data::Dataset& dataset, const DatasetUse& use = {});

/// Makes the source for a run of `network`. `batch_size`, that of the run's options, moves into the source
/// and is reset.
/// Errors: InvalidArgument for a batch size below 1; those of make_dataset_source.
std::unique_ptr<BatchSource> source_of_run(const data::Dataset& dataset, const Layer& network,
                                           std::optional<std::int64_t>& batch_size, const char* caller);

/// Converts an element to the arrays of a step, or of one row. Errors: InvalidArgument, naming `caller`.
ArrayData arrays_of(const data::Element& element, const char* caller);

/// Checks that the number of steps is given for a data set without end.
/// Errors: InvalidArgument, naming `argument`.
void check_has_end(const data::Dataset& dataset, const std::optional<std::int64_t>& steps, const char* caller,
                   const char* argument);

}  // namespace cornu::inline v0::keras
