#include "cornu/keras/trainer/dataset_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/saturate.h"
#include "cornu/data/profile.h"
#include "cornu/data/rows.h"
#include "cornu/data/stage.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/trainer/batch_order.h"
#include "cornu/keras/trainer/batch_stream.h"
#include "cornu/keras/trainer/device_data_cache.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/worker_arrays.h"

namespace cornu::inline v0::keras {
namespace {

Tensor tensor_of(const data::Element& leaf, const char* caller, const char* what) {
  if (leaf.is_numeric()) return leaf.tensor();
  invalid_argument(
      "[{}] {} of the data set is {}; models take tensors: map() texts to numbers, and ragged rows to dense "
      "ones by data::dense_rows",
      caller, what, leaf.type_str());
}

Tensors tensors_of(const data::Element& part, const char* caller, const char* what) {
  if (!part.is_structure()) return tensor_of(part, caller, what);
  std::vector<Tensor> tensors;
  for (const data::Element& leaf : part.parts()) tensors.push_back(tensor_of(leaf, caller, what));
  if (part.names().empty()) return Tensors(std::move(tensors));
  std::vector<Tensors::Named> named;
  named.reserve(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) named.emplace_back(part.names()[i], std::move(tensors[i]));
  return Tensors(named);
}

/// A source of rows in memory, in the order of the data set's stages.
class ResidentSource : public BatchSource {
 public:
  ResidentSource(data::StagePointer stage, const DatasetUse& use)
      : stage_(std::move(stage)),
        use_(use),
        given_(arrays_of(*stage_->batched_rows(), use.caller)),
        data_(given_) {
    check_arrays(given_, use.caller);
    begin_pass();
    const bool is_one_batch = stage_->cardinality() == 1 && pull(1) == 1;
    batch_size_ =
        is_one_batch ? static_cast<std::int64_t>(pending_.front().rows.size()) : stage_->batch_size();
    if (batch_size_ > use.batch_size.value_or(batch_size_))
      invalid_argument(
          {.argument = "batch_size"},
          "[{}] the data set's batches have up to {} rows, more than batch_size = {}, the most that one may "
          "have: the data set's batch() determines their rows",
          use.caller, batch_size_, *use.batch_size);
  }

  std::int64_t batch_size() const override { return batch_size_; }
  ArrayData examples() override { return given_; }
  void begin_run(ArrangeRows arrange) override {
    data_ = arrange(given_);
    bases_ = bases_here(data_);
    resident_ = {};
  }
  /// Counts passes over the arrays: a pass of the stages may take rows several times, or only some of them.
  void expect_passes(std::int64_t num_passes) override {
    const std::int64_t count = stage_->cardinality(), num_rows = std::max<std::int64_t>(data_.num_rows(), 1);
    if (count < 0) return;
    const double taken = static_cast<double>(count) * static_cast<double>(batch_size_);
    const double passes = std::floor(taken / static_cast<double>(num_rows));
    resident_.expect_passes(saturated<std::int64_t>(static_cast<double>(num_passes) * passes));
  }
  std::optional<std::int64_t> num_steps() const override {
    const std::int64_t count = stage_->cardinality();
    return count >= 0 ? std::optional(count) : std::nullopt;
  }
  void begin_epoch(const EpochStart&) override {
    if (num_done_ > 0 && (use_.from_start || pull(1) == 0)) begin_pass();
  }
  std::optional<std::int64_t> num_steps_left() const override { return std::nullopt; }
  std::int64_t num_rows_ahead(std::int64_t num_steps) const override { return num_steps * batch_size_; }
  BatchSizes sizes_ahead(std::int64_t num_steps) const override {
    return {.full = num_steps > 0 ? batch_size_ : 0};
  }
  Batches next(std::int64_t max_steps) override;
  void advance(std::int64_t num_steps) override {
    const auto count = static_cast<std::ptrdiff_t>(num_steps);
    std::rotate(pending_.begin(), pending_.begin() + count, pending_.begin() + num_pending_);
    num_pending_ -= num_steps;
    num_done_ += num_steps;
  }
  void skip(std::int64_t num_steps) override {
    const std::int64_t from_pending = std::min(num_steps, num_pending_);
    advance(from_pending);
    const std::int64_t left = num_steps - from_pending;
    if (left > 0) num_done_ += cursor_->skip(left);
  }
  StateList state() override;
  std::string row_name(std::int64_t index) const override { return fmt::format("row {}", index); }

 private:
  static constexpr std::int64_t kMostIndices = std::int64_t{1} << 20;  // in one execution

  void begin_pass() {
    cursor_ = data::open<data::RowBatch>(*stage_, {});
    num_pending_ = num_done_ = 0;
    has_ended_ = false;
  }
  /// Reads ahead until `count` batches are pending, if the pass has them; returns the number of pending
  /// batches.
  std::int64_t pull(std::int64_t count) {
    if (static_cast<std::int64_t>(pending_.size()) < count) pending_.resize(static_cast<std::size_t>(count));
    if (count > num_pending_ && !has_ended_) {
      const auto room = std::span(pending_).subspan(static_cast<std::size_t>(num_pending_),
                                                    static_cast<std::size_t>(count - num_pending_));
      const std::size_t got = cursor_->next(room);
      has_ended_ = got < room.size();
      num_pending_ += static_cast<std::int64_t>(got);
    }
    return std::min(count, num_pending_);
  }

  data::StagePointer stage_;
  DatasetUse use_;
  ArrayData given_;
  ArrayData data_;  // as the model takes them
  std::vector<const std::byte*> bases_;
  DeviceDataCache resident_;
  std::int64_t batch_size_ = 0;
  data::BatchCursor cursor_;
  std::vector<data::RowBatch> pending_;  // the first num_pending_ were read and not yet used
  std::int64_t num_pending_ = 0;
  bool has_ended_ = false;
  std::int64_t num_done_ = 0;  // in this pass
  std::vector<std::int64_t> indices_;
};

Batches ResidentSource::next(std::int64_t max_steps) {
  const std::int64_t wanted =
      std::min(max_steps, std::max<std::int64_t>(1, kMostIndices / std::max<std::int64_t>(batch_size_, 1)));
  const std::int64_t count = pull(wanted);
  indices_.resize(static_cast<std::size_t>(count * batch_size_));
  Batches batches{.arrays = &data_,
                  .bases = bases_,
                  .row_indices = indices_.data(),
                  .batch_size = batch_size_,
                  .resident = &resident_};
  while (batches.num_steps < count) {
    const std::vector<std::int64_t>& rows = pending_[static_cast<std::size_t>(batches.num_steps)].rows;
    const auto to = indices_.begin() + batches.num_steps * batch_size_;
    std::copy(rows.begin(), rows.end(), to);
    std::fill(to + static_cast<std::ptrdiff_t>(rows.size()), to + batch_size_,
              rows.front());  // padding
    batches.num_rows += static_cast<std::int64_t>(rows.size());
    ++batches.num_steps;
    if (static_cast<std::int64_t>(rows.size()) < batch_size_) break;
  }
  return batches;
}

/// Bytes as a state entry.
StateEntry bytes_state(std::string path, std::function<std::vector<std::byte>()> save,
                       std::function<void(std::span<const std::byte>)> load) {
  return {.path = std::move(path),
          .type = {DType::kU8, {-1}},
          .save =
              [save = std::move(save)] {
                auto bytes = std::make_shared<const std::vector<std::byte>>(save());
                return Tensor::from_bytes({DType::kU8, {static_cast<std::int64_t>(bytes->size())}},
                                          bytes->data(), bytes->size(), bytes);
              },
          .load =
              [load = std::move(load)](const Tensor& value) {
                load({value.bytes(), static_cast<std::size_t>(value.num_elements())});
              }};
}

StateList ResidentSource::state() {
  if (use_.from_start) return {};
  const auto save = [this] {
    data::PositionWriter writer;
    writer.write(num_done_);
    writer.write(has_ended_);
    writer.write(std::span<const data::RowBatch>(pending_.data(), static_cast<std::size_t>(num_pending_)));
    cursor_->save(writer);
    return writer.take();
  };
  const auto load = [this](std::span<const std::byte> bytes) {
    data::PositionReader reader(bytes);
    if (num_done_ + num_pending_ > 1) begin_pass();  // stages can only move forward
    num_done_ = reader.read_between(0, std::numeric_limits<std::int64_t>::max());
    has_ended_ = reader.read<bool>();
    pending_ = reader.read_items<data::RowBatch>();
    num_pending_ = static_cast<std::int64_t>(pending_.size());
    const std::int64_t num_rows = data_.num_rows();
    for (const data::RowBatch& batch : pending_) {
      const auto is_wrong = [&](std::int64_t row) { return row < 0 || row >= num_rows; };
      if (batch.rows.empty() || static_cast<std::int64_t>(batch.rows.size()) > batch_size_ ||
          std::any_of(batch.rows.begin(), batch.rows.end(), is_wrong))
        reader.corrupt("a batch of other rows than there are");
    }
    cursor_->load(reader);
    reader.expect_end();
  };
  return {fixed_state("num_rows", data_.num_rows(), "the number of rows"),
          fixed_state("batch_size", batch_size_, "batch_size"), bytes_state("place", save, load)};
}

/// The reader of a data set's elements, pass after pass, for a BatchStream.
class ElementReader {
 public:
  ElementReader(data::StagePointer stage, const char* caller) : stage_(std::move(stage)), caller_(caller) {
    open_pass();
  }
  void restart() {
    if (profile_ != nullptr) warn_of_waiting();
    if (!has_warned_ && is_waiting()) profile_ = std::make_shared<data::Profile>();
    open_pass();
  }
  std::optional<StreamBatch> next() {
    data::Element element;
    const Clock::time_point begin = Clock::now();
    ++num_asked_;
    const bool is_there = cursor_->next_one(element);
    waited_ += Clock::now() - begin;
    if (!is_there) return std::nullopt;
    ArrayData arrays = arrays_of(element, caller_);
    return StreamBatch{std::move(arrays.x), std::move(arrays.y), std::move(arrays.sample_weight)};
  }
  std::vector<std::byte> save() {
    data::PositionWriter writer;
    cursor_->save(writer);
    return writer.take();
  }
  /// Stages can only move forward. The first element, which a run takes before it loads a state, precedes
  /// every saved position.
  void load(std::span<const std::byte> place) {
    data::PositionReader reader(place);
    if (num_asked_ > 1) open_pass();
    cursor_->load(reader);
    reader.expect_end();
  }

  void begin_run() {
    begin_ = Clock::now();
    waited_ = {};
    has_warned_ = false;
  }
  void end_run() {
    if (is_waiting()) warn_of_waiting();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void open_pass() {
    cursor_ = data::open(*stage_, {.profile = profile_});
    num_asked_ = 0;
  }
  /// True if more than a tenth of the run's time was spent waiting, and the run is long enough to notice.
  bool is_waiting() const {
    constexpr double kLeastSeconds = 1.0, kMostShare = 0.1;
    const std::chrono::duration<double> whole = Clock::now() - begin_, waited = waited_;
    return whole.count() > kLeastSeconds && waited.count() > kMostShare * whole.count();
  }
  void warn_of_waiting() {
    if (!has_warned_) {
      const std::chrono::duration<double> whole = Clock::now() - begin_, waited = waited_;
      const std::string which =
          profile_ != nullptr ? fmt::format(", most of it for {}", profile_->slowest(*stage_).name()) : "";
      log_warning(
          "[{}] {:.0f} % of the time the model waited for its data set{}; dataset.explain() shows more, and "
          "prefetch(), num_parallel_calls or cache() may help",
          caller_, 100 * waited.count() / whole.count(), which);
    }
    has_warned_ = true;
    profile_ = nullptr;
  }

  data::StagePointer stage_;
  const char* caller_;
  data::ElementCursor cursor_;
  std::int64_t num_asked_ = 0;              // the number of requests in this pass
  std::shared_ptr<data::Profile> profile_;  // of this pass; null if it is not profiled
  Clock::time_point begin_ = Clock::now();  // the start of the run
  Clock::duration waited_ = {};             // since begin_
  bool has_warned_ = false;
};

/// A stream of a data set's elements, which warns if runs wait for it.
class ElementStream : public BatchStream {
 public:
  ElementStream(std::shared_ptr<ElementReader> reader, const BatchStreamOptions& options, const char* caller)
      : BatchStream([reader] { return reader->next(); }, options),
        reader_(std::move(reader)),
        names_{.caller = caller,
               .stream = "the data set",
               .most_rows = options.from_start ? ".validation_batch_size" : ".batch_size"} {}
  void begin_run(ArrangeRows arrange) override {
    BatchStream::begin_run(std::move(arrange));
    reader_->begin_run();
  }
  void end_run() override {
    reader_->end_run();
    BatchStream::end_run();
  }

 protected:
  Names names() const override { return names_; }

 private:
  std::shared_ptr<ElementReader> reader_;
  Names names_;
};

}  // namespace

ArrayData arrays_of(const data::Element& element, const char* caller) {
  const bool is_tuple = element.is_structure() && element.names().empty();
  if (is_tuple && (element.size() == 0 || element.size() > 3))
    invalid_argument(
        "[{}] the data set's elements must be x, (x, y) or (x, y, "
        "sample_weight); got a tuple of {}: {}",
        caller, element.size(), element.type_str());
  ArrayData arrays;
  arrays.x = tensors_of(is_tuple ? element[0] : element, caller, "x");
  if (is_tuple && element.size() > 1) arrays.y = tensors_of(element[1], caller, "y");
  if (is_tuple && element.size() > 2) arrays.sample_weight = tensors_of(element[2], caller, "sample_weight");
  for (const Tensor& array : arrays.x)
    if (array.rank() == 0)
      invalid_argument(
          "[{}] the data set's elements are single numbers, {}: "
          "put rows together with batch()",
          caller, element.type_str());
  return arrays;
}

std::unique_ptr<BatchSource> make_dataset_source(const data::Dataset& dataset, const DatasetUse& use) {
  const data::StagePointer& stage = dataset.stage();
  if (stage->cardinality() == 0) invalid_argument("[{}] the data set is empty", use.caller);
  if (stage->batched_rows() != nullptr && !use.one_by_one)
    return std::make_unique<ResidentSource>(stage, use);
  auto reader = std::make_shared<ElementReader>(stage, use.caller);
  BatchStreamOptions options{.restart = [reader] { reader->restart(); },
                             .batch_size = use.batch_size,
                             .save = [reader] { return reader->save(); },
                             .load = [reader](std::span<const std::byte> place) { reader->load(place); },
                             .from_start = use.from_start};
  if (stage->cardinality() > 0) options.num_batches = stage->cardinality();
  return std::make_unique<ElementStream>(reader, options, use.caller);
}

std::unique_ptr<BatchSource> source_of_run(const data::Dataset& dataset, const Layer& network,
                                           std::optional<std::int64_t>& batch_size, const char* caller) {
  require_at_least_one(batch_size, "batch_size", caller);
  return make_dataset_source(dataset, {.caller = caller,
                                       .one_by_one = keeps_row_states(network),
                                       .batch_size = std::exchange(batch_size, std::nullopt)});
}

void check_has_end(const data::Dataset& dataset, const std::optional<std::int64_t>& steps, const char* caller,
                   const char* argument) {
  if (dataset.cardinality() != data::kInfiniteCardinality || steps.has_value()) return;
  invalid_argument(
      "[{}] the data set repeats without end: set {} to the "
      "number of steps to take of it",
      caller, argument);
}

}  // namespace cornu::inline v0::keras
