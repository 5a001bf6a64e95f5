#pragma once

#include <cstdint>

#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// The values of rows of different lengths, one after the other, as a tensor with one row for each of theirs.
struct PackedRows {
  /// (n, k): the values in row-major order; the rest is filled with -1 (integers) or 0 (other numbers).
  Tensor values;
  /// (n, k) int32: the row of each value; -1 where there is none.
  Tensor rows;
};

struct PackedRowsOptions {  // options/data.toml
  /// Number of values that there is room for; must be positive.
  std::int64_t capacity = 0;
};

/// Packs rows of different lengths without padding each to the longest: for batches of which a few rows are
/// much longer than the others. A feature of layers::DistributedEmbedding with `packed` takes both results as
/// its inputs.
///
///     batches.map([](const data::Element& batch) {
///       const data::PackedRows seen = data::packed_rows(batch[0].ragged(), {.capacity = 4096});
///       return data::Element({{seen.values, seen.rows}, batch[1]});
///     });
///
/// Shapes: n rows of numbers -> (n, k), k = capacity / n rounded up.
/// Errors: InvalidArgument if capacity is not positive, the rows have more values than the capacity, there
///         are no rows, or the values are not numbers of one axis or are unsigned.
PackedRows packed_rows(const Ragged& rows, const PackedRowsOptions& options);

}  // namespace cornu::inline v0::data
