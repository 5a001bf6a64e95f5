#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "cornu/keras/base/state.h"
#include "cornu/keras/trainer/array_data.h"

namespace cornu::inline v0::keras {

class DeviceDataCache;

/// The batches of one execution: rows of some arrays, given by their indices. Only the last batch may have
/// fewer than `batch_size` rows; its remaining indices are padding and repeat its first row.
/// Lifetime: until the source's next call of next().
struct Batches {
  const ArrayData* arrays = nullptr;  // the arrays that hold the rows
  /// The base addresses of the defined arrays; empty if some arrays are a worker's (worker_arrays.h).
  std::span<const std::byte* const> bases = {};
  const std::int64_t* row_indices = nullptr;  // num_steps * batch_size
  std::int64_t batch_size = 0;
  std::int64_t num_rows = 0;   // in all steps, without padding
  std::int64_t num_steps = 0;  // 0: the pass over the data has ended
  /// The device cache of the arrays; null if rows differ from execution to execution.
  DeviceDataCache* resident = nullptr;

  std::int64_t num_rows_of(std::int64_t step) const {
    return std::min(batch_size, num_rows - step * batch_size);
  }
  /// The rows of one step, without padding.
  std::span<const std::int64_t> rows_of(std::int64_t step) const {
    return {row_indices + step * batch_size, static_cast<std::size_t>(num_rows_of(step))};
  }
  /// True if the last batch is partial.
  bool ends_partial() const { return num_rows < num_steps * batch_size; }
  /// Steps [first, first + count) of the batches.
  Batches part(std::int64_t first, std::int64_t count) const {
    Batches some = *this;
    some.row_indices += first * batch_size;
    some.num_rows = std::min(count * batch_size, num_rows - first * batch_size);
    some.num_steps = count;
    return some;
  }
};

/// The numbers of rows in a range of batches: that of the full batches, and that of the partial one; 0 if
/// there is none.
struct BatchSizes {
  std::int64_t full = 0;
  std::int64_t partial = 0;

  /// The number of rows of the first batch.
  std::int64_t first() const { return full > 0 ? full : partial; }

  static BatchSizes of(const Batches& batches) {
    const std::int64_t num_full = batches.num_rows / batches.batch_size;
    return {.full = num_full > 0 ? batches.batch_size : 0,
            .partial = batches.num_rows - num_full * batches.batch_size};
  }
};

/// The inputs that determine an epoch's shuffle.
struct EpochStart {
  std::int64_t epoch = 0;
  std::uint64_t seed = 0;
  std::uint64_t steps_trained = 0;
};

/// Reorders rows as the model takes them, gives each output its labels and weights, and checks them.
using ArrangeRows = std::function<ArrayData(const ArrayData& rows)>;

/// The source of a run's rows, batch by batch; fit, evaluate and predict take one in place of arrays.
///
/// A pass over the data ends when no batch is left. An epoch ends with the pass, or after steps_per_epoch
/// batches; in the second case the next epoch continues the pass.
/// Threads: one thread.
class BatchSource {
 public:
  virtual ~BatchSource() = default;

  /// The number of rows of a full batch; if batches differ, that of a batch like the first.
  virtual std::int64_t batch_size() const = 0;
  /// True if all batches are of batch_size() and their arrays have one dtype and shape of rows. If false,
  /// this holds only for the batches of one next().
  virtual bool has_one_shape() const { return true; }
  /// Some rows as the caller gave them, for building a model; they stay in the source. Errors:
  /// FailedPrecondition if there are none.
  virtual ArrayData examples() = 0;
  /// Until end_run(), next() returns rows that `arrange` has prepared; it throws for wrong rows.
  virtual void begin_run(ArrangeRows arrange) = 0;
  virtual void end_run() {}
  /// Tells the source the number of planned passes over the data: a device may cache rows from the first pass
  /// on if they are used again.
  virtual void expect_passes(std::int64_t num_passes) { (void)num_passes; }
  /// The number of batches of a whole pass; nullopt if it is not known before the pass ends.
  virtual std::optional<std::int64_t> num_steps() const = 0;
  /// Called before an epoch's first batch: continues the pass, or begins a new one if the last has ended.
  virtual void begin_epoch(const EpochStart& start) = 0;
  /// The number of batches left in this pass; nullopt if it is not known before the pass ends.
  virtual std::optional<std::int64_t> num_steps_left() const = 0;
  /// The number of rows of the next `num_steps` batches, as far as it is known.
  virtual std::int64_t num_rows_ahead(std::int64_t num_steps) const = 0;
  /// The sizes of the next `num_steps` batches, as far as they are known, so that programs can be compiled in
  /// time.
  virtual BatchSizes sizes_ahead(std::int64_t num_steps) const = 0;
  /// The next batches, at most `max_steps`; the position does not move.
  virtual Batches next(std::int64_t max_steps) = 0;
  /// Moves the position forward by `num_steps` batches that next() returned and that were used.
  virtual void advance(std::int64_t num_steps) = 0;
  /// Moves the position forward without using the batches.
  virtual void skip(std::int64_t num_steps) = 0;
  /// The position after the last advance(). It can be loaded into another source of the same data, or later
  /// into this one: a run that lost its worker goes back to it.
  virtual StateList state() = 0;
  /// The name in errors of a row that next() last returned: "row 17". `index` is one of its row_indices.
  virtual std::string row_name(std::int64_t index) const = 0;
};

}  // namespace cornu::inline v0::keras
