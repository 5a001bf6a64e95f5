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
#include "cornu/keras/trainer/resident_rows.h"

namespace cornu::inline v0::keras {

/// The batches of one execution: rows of some arrays by their indices. Only the last batch may have fewer
/// than `batch_size` rows; what is left of it is padding, which repeats its first row.
/// Lifetime: until the source that gave them is asked for others.
struct Batches {
  const ArrayData* arrays = nullptr;  // where the rows lie
  /// Where the defined arrays begin, one each; empty where some of them are a worker's (worker_arrays.h).
  std::span<const std::byte* const> bases = {};
  const std::int64_t* row_indices = nullptr;  // num_steps * batch_size
  std::int64_t batch_size = 0;
  std::int64_t num_rows = 0;   // in all steps, without padding
  std::int64_t num_steps = 0;  // 0: the pass over the data has ended
  /// The rows of arrays that stay as they are; null where the rows are other ones each time.
  ResidentRows* resident = nullptr;

  std::int64_t num_rows_of(std::int64_t step) const {
    return std::min(batch_size, num_rows - step * batch_size);
  }
  /// The rows of one step, without padding.
  std::span<const std::int64_t> rows_of(std::int64_t step) const {
    return {row_indices + step * batch_size, static_cast<std::size_t>(num_rows_of(step))};
  }
  /// Whether the last batch is a partial one.
  bool ends_partial() const { return num_rows < num_steps * batch_size; }
  /// Steps [first, first + count) of them.
  Batches part(std::int64_t first, std::int64_t count) const {
    Batches some = *this;
    some.row_indices += first * batch_size;
    some.num_rows = std::min(count * batch_size, num_rows - first * batch_size);
    some.num_steps = count;
    return some;
  }
};

/// The numbers of rows that some batches have: that of full ones and that of a partial one, 0 where there is
/// none.
struct BatchSizes {
  std::int64_t full = 0;
  std::int64_t partial = 0;

  /// The number of rows of the first of them.
  std::int64_t first() const { return full > 0 ? full : partial; }

  static BatchSizes of(const Batches& batches) {
    const std::int64_t num_full = batches.num_rows / batches.batch_size;
    return {.full = num_full > 0 ? batches.batch_size : 0,
            .partial = batches.num_rows - num_full * batches.batch_size};
  }
};

/// Where the training stands when an epoch begins: what a shuffle follows from.
struct EpochStart {
  std::int64_t epoch = 0;
  std::uint64_t seed = 0;
  std::uint64_t steps_trained = 0;
};

/// Brings rows into the model's order, gives each output its labels and weights, and checks them.
using ArrangeRows = std::function<ArrayData(const ArrayData& rows)>;

/// Where the rows of a run come from, batch by batch: what fit, evaluate and predict take beside arrays.
///
/// A pass over the data ends when there is no batch left; an epoch ends with the pass or after
/// steps_per_epoch batches, and then the next one goes on in the pass.
/// Threads: one thread.
class BatchSource {
 public:
  virtual ~BatchSource() = default;

  /// The number of rows of a full batch; where they differ, of one like the first.
  virtual std::int64_t batch_size() const = 0;
  /// Whether all batches are of batch_size() and have arrays of one dtype and shape of rows. False: those of
  /// one next() do, and the next ones may differ.
  virtual bool has_one_shape() const { return true; }
  /// Some rows as they are given, to build a model for; they are not used up. Errors: FailedPrecondition when
  /// there are none.
  virtual ArrayData examples() = 0;
  /// Until end_run(), next() gives rows as `arrange` makes them of the rows of the source. It throws for rows
  /// that are wrong.
  virtual void begin_run(ArrangeRows arrange) = 0;
  virtual void end_run() {}
  /// Says that so many passes over the data are planned: rows that will be used again may be kept where they
  /// are worked on from the first pass on.
  virtual void expect_passes(std::int64_t num_passes) { (void)num_passes; }
  /// How many batches a whole pass has; nothing where only its end tells.
  virtual std::optional<std::int64_t> num_steps() const = 0;
  /// Before an epoch's first batch: goes on in the pass, or begins another when it has ended.
  virtual void begin_epoch(const EpochStart& start) = 0;
  /// How many batches are left of this pass; nothing where only its end tells.
  virtual std::optional<std::int64_t> num_steps_left() const = 0;
  /// The rows of the next `num_steps` batches, where those are known.
  virtual std::int64_t num_rows_ahead(std::int64_t num_steps) const = 0;
  /// The sizes of the next `num_steps` batches, as far as they are known, so that programs can be made for
  /// them in time.
  virtual BatchSizes sizes_ahead(std::int64_t num_steps) const = 0;
  /// The next batches, `max_steps` at most; the position stays where it is.
  virtual Batches next(std::int64_t max_steps) = 0;
  /// Moves the position on: so many of the batches that next() gave have been worked on.
  virtual void advance(std::int64_t num_steps) = 0;
  /// Moves the position on without working on the batches.
  virtual void skip(std::int64_t num_steps) = 0;
  /// The position after the last advance(). Another source of the same data, or this one later, can be set to
  /// it: a run that lost its worker goes back.
  virtual StateList state() = 0;
  /// What errors call a row of what next() gave last: "row 17". `index`: one of its row_indices.
  virtual std::string row_name(std::int64_t index) const = 0;
};

}  // namespace cornu::inline v0::keras
