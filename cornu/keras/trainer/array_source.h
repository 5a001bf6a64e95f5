#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/divide_up.h"
#include "cornu/keras/trainer/batch_order.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/device_data_cache.h"

namespace cornu::inline v0::keras {

/// The order in which an ArraySource returns its rows. At most one of `repeat_steps` and `row_order` is set.
struct ArrayOrder {
  bool shuffle = false;
  /// If set, each epoch is this number of full batches, taken from an endless stream of passes.
  std::optional<std::int64_t> repeat_steps = {};
  /// If set, returns the rows of an epoch; it may repeat rows and leave rows out.
  std::function<std::vector<std::int64_t>(std::int64_t epoch)> row_order = {};
  /// True if each epoch begins a new pass, also when the last pass has not ended; validation then always sees
  /// the same rows.
  bool from_start = false;
};

/// Arrays in memory: the rows stay where they are, and programs gather them by indices, which are computed
/// for a few steps at a time. A step allocates and copies nothing here.
class ArraySource : public BatchSource {
 public:
  ArraySource(ArrayData data, std::int64_t batch_size, ArrayOrder how = {});
  // `bases_` and the results of next() point into this object's arrays, so a copy would refer to the
  // original.
  ArraySource(const ArraySource&) = delete;
  ArraySource& operator=(const ArraySource&) = delete;

  ArrayData examples() override { return given_; }
  void begin_run(ArrangeRows arrange) override;
  void expect_passes(std::int64_t num_passes) override { resident_.expect_passes(num_passes); }
  std::int64_t batch_size() const override { return order_.batch_size(); }
  std::optional<std::int64_t> num_steps() const override { return divide_up(data_.num_rows(), batch_size()); }
  void begin_epoch(const EpochStart& start) override;
  std::optional<std::int64_t> num_steps_left() const override { return order_.num_steps() - next_step_; }
  std::int64_t num_rows_ahead(std::int64_t num_steps) const override { return num_rows_of(num_steps); }
  BatchSizes sizes_ahead(std::int64_t num_steps) const override;
  Batches next(std::int64_t max_steps) override {
    const std::int64_t count = std::min(max_steps, order_.num_steps() - next_step_);
    if (count <= 0) return {.batch_size = batch_size()};
    return {.arrays = &data_,
            .bases = bases_,
            .row_indices = order_.steps(next_step_, count),
            .batch_size = batch_size(),
            .num_rows = num_rows_of(count),
            .num_steps = count,
            .resident = &resident_};
  }
  void advance(std::int64_t num_steps) override { next_step_ += num_steps; }
  void skip(std::int64_t num_steps) override {
    next_step_ = std::min(next_step_ + num_steps, order_.num_steps());
  }
  StateList state() override;
  std::string row_name(std::int64_t index) const override;

 private:
  /// The number of rows of the next `num_steps` steps.
  std::int64_t num_rows_of(std::int64_t num_steps) const {
    return std::min(num_steps * batch_size(), order_.num_rows() - next_step_ * batch_size());
  }

  /// Computes the order of the pass.
  void begin_pass();

  ArrayData given_;
  ArrayData data_;                       // as the model takes them
  std::vector<const std::byte*> bases_;  // empty if some arrays are a worker's, see Batches::bases
  DeviceDataCache resident_;
  ArrayOrder how_;
  BatchOrder order_;
  std::int64_t next_step_ = 0;  // of the pass
  // The inputs that determine the pass's order.
  std::uint64_t pass_seed_ = 0;
  std::uint64_t pass_position_ = 0;
  std::vector<std::int64_t> pass_rows_;  // the result of row_order
};

}  // namespace cornu::inline v0::keras
