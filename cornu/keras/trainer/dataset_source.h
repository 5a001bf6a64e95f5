#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cornu/data/dataset.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/trainer/batch_source.h"

namespace cornu::inline v0::keras {

/// How a data set gives its batches to a run.
struct DatasetUse {
  const char* caller = "fit";  // stands in errors
  bool from_start = false;     // each epoch is a new pass, as validation's
  /// The model keeps states of rows: batches are looked at one by one.
  bool one_by_one = false;
  /// The most rows that a batch may have, see BatchStreamOptions; without it, of rows in memory, as many as
  /// the stages say.
  std::optional<std::int64_t> batch_size = {};
};

/// The batches of a data set: what fit, evaluate and predict make of one.
///
/// Its elements are batches: x, (x), (x, y) or (x, y, sample_weight); x and y are tensors, or tuples or named
/// structures of them. Each pass is an iteration of the data set, so its shuffles go on from pass to pass.
///
/// Where its elements are batches of rows that lie in memory, those stay where they are and steps gather them
/// by index; otherwise each element is made by the data set and copied once. Then a run that waited for them
/// more than a tenth of its time says so once, and which stage took most of it: that is looked at from the
/// second pass on.
/// Errors: InvalidArgument that says what an element is and what it should be, and for batches of rows in
///         memory that may have more rows than `use.batch_size`.
std::unique_ptr<BatchSource> make_dataset_source(const data::Dataset& dataset, const DatasetUse& use = {});

/// The same for a run of `network`. `batch_size`: that of the run's options, which is taken out of them, as
/// the source says it.
/// Errors: InvalidArgument for one below 1; as above.
std::unique_ptr<BatchSource> source_of_run(const data::Dataset& dataset, const Layer& network,
                                           std::optional<std::int64_t>& batch_size, const char* caller);

/// An element as the arrays of a step, or all rows of one. Errors: InvalidArgument, naming `caller`.
ArrayData arrays_of(const data::Element& element, const char* caller);

/// The steps that a run takes from a data set without end must be said.
/// Errors: InvalidArgument, naming `argument`.
void check_has_end(const data::Dataset& dataset, const std::optional<std::int64_t>& steps, const char* caller,
                   const char* argument);

}  // namespace cornu::inline v0::keras
