#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/base/tensors.h"
#include "cornu/keras/losses/loss.h"
#include "cornu/keras/trainer/options.h"

namespace cornu::inline v0::keras {

/// A non-finite value in the arrays.
struct NonFinite {
  std::int64_t row;   // of the arrays
  std::string value;  // "x, element 2, is nan"
};

/// In-memory arrays of a run; row r of one array belongs to row r of every other.
struct ArrayData {
  Tensors x;
  Tensors y;              // one for each output; empty for predict
  Tensors sample_weight;  // empty, or one for each output, undefined where all weights are 1

  std::int64_t num_rows() const { return x[0].num_rows(); }
  /// The defined arrays in the order in which programs take them.
  template <typename F>
  void for_each(F&& f) const {
    for (const Tensors* group : {&x, &y, &sample_weight})
      for (const Tensor& array : *group)
        if (array.defined()) f(array);
  }
  /// Rows [begin, end) of each array.
  ArrayData rows(std::int64_t begin, std::int64_t end) const;
  /// Copies the given rows of each array into a batch.
  ArrayData gathered(const std::int64_t* row_indices, std::int64_t count) const;
  std::size_t size_bytes() const;
  /// The base addresses of the defined arrays.
  std::vector<const std::byte*> bases() const;
  /// The first non-finite value in these rows; nullopt if all values are finite.
  std::optional<NonFinite> find_non_finite(std::span<const std::int64_t> row_indices) const;
};

/// Checks that the arrays are defined, concrete and not empty, and that all have the same number of rows.
/// Error messages begin with `caller` ("fit").
/// Errors: InvalidArgument; Unimplemented for float16 and bfloat16 rows of a worker.
void check_arrays(const ArrayData& data, const std::string& caller);

/// Returns the data with float16 and bfloat16 arrays converted to float32, the narrowest float that steps
/// take. Other arrays share their memory with `data`.
ArrayData with_wide_floats(const ArrayData& data);

/// The array's name in messages: "x" if it is the only one of its group, else "x[1]" or its own name.
std::string array_name(const char* group, const Tensors& arrays, std::size_t index);

/// Splits the data as Keras does: the last ceil(num_rows * validation_split) rows are for validation.
/// Errors: InvalidArgument unless 0 < validation_split < 1 and both parts have rows.
std::pair<ArrayData, ArrayData> split_for_validation(const ArrayData& data, double validation_split);

/// Checks the labels of one output against its loss and against the type of the model's output, including
/// each class id.
/// Errors: InvalidArgument for shapes and types, OutOfRange naming value and row for a class id outside [0,
///         classes).
void check_labels(const Tensor& labels, const Loss& loss, const TensorType& output, const std::string& caller,
                  const std::string& what);

/// Errors: InvalidArgument unless there is a weight for each row, or, for outputs of several steps, for each
///         row and step.
void check_sample_weight(const Tensor& weight, const std::string& name, const TensorType& output,
                         const std::string& caller);

/// The rows given to a check: all rows of a run, or one batch, in which some classes may be missing.
enum class RowsGiven { kAll, kBatch };

/// The weight of each row, looked up by its class: the label itself if labels are ids, the largest element of
/// a one-hot row.
/// Errors: InvalidArgument for labels of another form, such as one id for each step of an output [batch,
///         steps, classes]; for weights that are negative or not finite; and for a class that neither the
///         output nor the labels have. With RowsGiven::kBatch, unknown classes of a one-column output are
///         accepted, since other batches may have them.
Tensor weights_of_classes(const ClassWeight& class_weight, const Tensor& labels, const TensorType& output,
                          RowsGiven given, const std::string& caller);

/// The number of rows of a step: `batch_size` if given, else `num_rows` divided by `steps`, else 32, as in
/// Keras.
std::int64_t resolve_batch_size(const std::optional<std::int64_t>& batch_size,
                                const std::optional<std::int64_t>& steps, std::int64_t num_rows);

/// The number of rows that a step of the program takes. A batch size much larger than the data is reduced to
/// a power of two: little work goes into padding, and growing data rarely need another program.
std::int64_t program_batch_size(std::int64_t batch_size, std::int64_t num_rows);

/// The same for predict, and for small numbers of rows too: padding two images to a batch of 32 would take 16
/// times as long.
std::int64_t predict_batch_size(std::int64_t batch_size, std::int64_t num_rows);

}  // namespace cornu::inline v0::keras
