#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/losses/loss.h"
#include "cornu/tensor/tensor.h"

namespace cornu::keras {

/// In-memory arrays that a run works on; row r of each belongs together.
struct ArrayData {
  Tensor x;
  Tensor y;              // undefined for predict
  Tensor sample_weight;  // undefined: 1 each

  std::int64_t num_rows() const { return x.num_rows(); }
  /// Rows [begin, end) of each.
  ArrayData rows(std::int64_t begin, std::int64_t end) const;
  std::size_t size_bytes() const;
  /// The bases of the defined arrays, in the order x, y, sample_weight.
  std::vector<const std::byte*> bases() const;
  /// "row 17 of x, element 2 is nan": the first non-finite value in these rows; nothing when all are finite.
  std::optional<std::string> find_non_finite(const std::int64_t* row_indices, std::int64_t count) const;
};

/// Checks that the arrays are there, concrete, not empty, of one number of rows and of a dtype that programs take.
/// `caller` ("fit") stands in the messages. Errors: InvalidArgument.
void check_arrays(const ArrayData& data, const std::string& caller, bool needs_labels);

/// Keras's split: the last ceil part of the rows is for validation. Errors: InvalidArgument unless 0 < split < 1 and both parts have rows.
std::pair<ArrayData, ArrayData> split_for_validation(const ArrayData& data, double validation_split);

/// Checks the labels against the loss and the model's output, class ids one by one.
/// Errors: InvalidArgument for shapes and types, OutOfRange naming value and row for a class id outside [0, classes).
void check_labels(const ArrayData& data, const Loss& loss, const TensorType& output, const std::string& caller, const std::string& what);

/// Rows a step: `batch_size`, else what cuts `num_rows` into `steps`, else 32, as in Keras.
std::int64_t resolve_batch_size(const std::optional<std::int64_t>& batch_size, const std::optional<std::int64_t>& steps,
                                std::int64_t num_rows);

/// The rows a step of the program takes. A batch that is much larger than the data is cut down to a power of two, so that hardly any work
/// goes into padding and growing data seldom need another program.
std::int64_t program_batch_size(std::int64_t batch_size, std::int64_t num_rows);

}  // namespace cornu::keras
