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

/// A value of some arrays that is not finite.
struct NonFinite {
  std::int64_t row;   // of the arrays
  std::string value;  // "x, element 2, is nan"
};

/// In-memory arrays that a run works on; rows r of all arrays belong together.
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
  /// A batch of copies of these rows of each array.
  ArrayData gathered(const std::int64_t* row_indices, std::int64_t count) const;
  std::size_t size_bytes() const;
  /// The bases of the defined arrays.
  std::vector<const std::byte*> bases() const;
  /// The first non-finite value in these rows; nothing when all are finite.
  std::optional<NonFinite> find_non_finite(std::span<const std::int64_t> row_indices) const;
};

/// Checks that the arrays are there, concrete, not empty and of one number of rows. `caller` ("fit") stands
/// in the messages. Errors: InvalidArgument; Unimplemented for float16 and bfloat16 rows of a worker.
void check_arrays(const ArrayData& data, const std::string& caller);

/// The data with float16 and bfloat16 arrays converted to float32, since steps take no narrower floats.
/// Others share their memory with `data`.
ArrayData with_wide_floats(const ArrayData& data);

/// "x" for the only one, else "x[1]" or the name.
std::string array_name(const char* group, const Tensors& arrays, std::size_t index);

/// Keras's split: the last ceil part of the rows is for validation. Errors: InvalidArgument unless 0 < split
/// < 1 and both parts have rows.
std::pair<ArrayData, ArrayData> split_for_validation(const ArrayData& data, double validation_split);

/// Checks the labels of one output against its loss and against what the model gives, and class ids one by
/// one.
/// Errors: InvalidArgument for shapes and types, OutOfRange naming value and row for a class id outside [0,
///         classes).
void check_labels(const Tensor& labels, const Loss& loss, const TensorType& output, const std::string& caller,
                  const std::string& what);

/// Errors: InvalidArgument unless there is a weight for each row, or for each row and step of an output of
///         several.
void check_sample_weight(const Tensor& weight, const std::string& name, const TensorType& output,
                         const std::string& caller);

/// Whether rows are all that a run has, or a batch of them, in which classes may be missing.
enum class RowsGiven { kAll, kBatch };

/// The weight of each row by the class that its label tells: an id, or the largest of a one-hot row.
/// Errors: InvalidArgument for labels that are neither, such as an id a step of an output [batch, steps,
///         classes], for weights that are not finite or are negative, and for a class that neither the output
///         nor the labels have.
///         In a batch, unknown classes of a one-column output are not refused: other batches may have them.
Tensor weights_of_classes(const ClassWeight& class_weight, const Tensor& labels, const TensorType& output,
                          RowsGiven given, const std::string& caller);

/// The number of rows of a step: `batch_size`, else what cuts `num_rows` into `steps`, else 32, as in Keras.
std::int64_t resolve_batch_size(const std::optional<std::int64_t>& batch_size,
                                const std::optional<std::int64_t>& steps, std::int64_t num_rows);

/// The number of rows that a step of the program takes. A batch that is much larger than the data is cut down
/// to a power of two, so that hardly any work goes into padding and growing data seldom need another program.
std::int64_t program_batch_size(std::int64_t batch_size, std::int64_t num_rows);

/// The same for predict, also for a few rows: two images that were padded to a batch of 32 would take 16
/// times as long.
std::int64_t predict_batch_size(std::int64_t batch_size, std::int64_t num_rows);

}  // namespace cornu::inline v0::keras
