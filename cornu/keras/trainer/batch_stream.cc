#include "cornu/keras/trainer/batch_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/position.h"
#include "cornu/keras/trainer/state_counts.h"

namespace cornu::inline v0::keras {
namespace {

TensorType type_of_row(const Tensor& array) {
  return {array.dtype(), Dims(array.shape().begin() + 1, array.shape().end())};
}

std::vector<TensorType> types_of(const ArrayData& batch) {
  std::vector<TensorType> types;
  batch.for_each([&](const Tensor& array) { types.push_back(array.type()); });
  return types;
}

bool has_rows_of(const TensorType& type, const Tensor& array) {
  const Dims& shape = array.shape();
  return std::equal(shape.begin() + 1, shape.end(), type.dims.begin() + 1, type.dims.end());
}

/// A hash of the extents of the batch's rows; dtypes and ranks are the same in all batches.
std::uint64_t fingerprint_of_rows(const ArrayData& batch) {
  std::uint64_t result = 0xcbf29ce484222325u;  // FNV-1a by words
  batch.for_each([&](const Tensor& array) {
    for (std::size_t i = 1; i < array.shape().size(); ++i)
      result = (result ^ static_cast<std::uint64_t>(array.shape()[i])) * 0x100000001b3u;
  });
  return result;
}

}  // namespace

BatchStream::BatchStream(Next next, BatchStreamOptions options)
    : next_(std::move(next)), options_(std::move(options)) {
  if (!next_) invalid_argument("[batch_stream] the function that gives the batches is empty");
  if (static_cast<bool>(options_.save) != static_cast<bool>(options_.load))
    invalid_argument("[batch_stream] save and load belong together; only one is given");
  for (const auto& [name, value] :
       {std::pair{"batch_size", options_.batch_size}, std::pair{"num_batches", options_.num_batches}})
    if (value.has_value() && *value < 1)
      invalid_argument({.argument = name}, "[batch_stream] {} must be at least 1; got {} = {}", name, name,
                       *value);
}

std::int64_t BatchStream::batch_size() const { return options_.batch_size.value_or(first_rows_); }

bool BatchStream::pull() {
  if (has_ended_) return false;
  std::optional<StreamBatch> batch = next_();
  if (!batch.has_value()) {
    has_ended_ = true;
    return false;
  }
  append({std::move(batch->x), std::move(batch->y), std::move(batch->sample_weight)});
  return true;
}

void BatchStream::append(ArrayData arrays) {
  Waiting batch{.arrays = std::move(arrays)};
  const bool is_first = first_rows_ == 0;
  try {
    check_arrays(batch.arrays, names().caller);
    if (is_first) {
      first_rows_ = batch.arrays.num_rows();
      first_ = batch.arrays;
    }
    check_like_first(batch.arrays);
  } catch (const Error& error) {
    if (is_first) first_rows_ = 0;
    batch.error = error;
  }
  waiting_.push_back(std::move(batch));
}

void BatchStream::drop_first() {
  waiting_.pop_front();
  ++num_done_;
}

void BatchStream::clear_ring() {
  if (failed_waits_) failed_ = nullptr;  // it is found again
  ring_.pop(ring_.size());
}

std::string BatchStream::number_of(std::int64_t waiting) const {
  return fmt::format("in batch {} of {}", num_done_ + waiting + 1, names().stream);
}

void BatchStream::check_like_first(const ArrayData& batch) const {
  const Names said = names();
  if (batch.num_rows() > options_.batch_size.value_or(batch.num_rows()))
    invalid_argument("[{}] a batch has {} rows, more than {} = {}, the most that one may have", said.caller,
                     batch.num_rows(), said.most_rows, *options_.batch_size);
  const std::tuple<const char*, const Tensors*, const Tensors*> groups[] = {
      {"x", &batch.x, &first_.x},
      {"y", &batch.y, &first_.y},
      {"sample_weight", &batch.sample_weight, &first_.sample_weight}};
  for (const auto& [group, arrays, firsts] : groups) {
    if (arrays->size() != firsts->size() || arrays->names() != firsts->names())
      invalid_argument(
          "[{}] every batch must have the arrays of the first one; {} holds {} where that had {}",
          said.caller, group, arrays->size(), firsts->size());
    for (std::size_t i = 0; i < arrays->size(); ++i) {
      const Tensor &array = (*arrays)[i], &first = (*firsts)[i];
      if (array.defined() != first.defined())
        invalid_argument("[{}] {} is {}, unlike in the first batch", said.caller,
                         array_name(group, *arrays, i), array.defined() ? "there" : "missing");
      if (!array.defined() || (array.dtype() == first.dtype() && array.rank() == first.rank())) continue;
      invalid_argument(
          "[{}] rows of {} are {}; those of the first batch were {}: extents may differ from batch to batch, "
          "dtype and number of axes may not",
          said.caller, array_name(group, *arrays, i), type_str(type_of_row(array)),
          type_str(type_of_row(first)));
    }
  }
}

bool BatchStream::is_for_ring(const ArrayData& batch) const {
  if (batch.num_rows() > ring_batch_size_) return false;
  auto type = ring_rows_.begin();
  bool fits = true;
  batch.for_each([&](const Tensor& array) { fits = has_rows_of(*type++, array) && fits; });
  return fits;
}

// A shape that was seen before gets at least as many rows as then, so that its program is reused.
std::int64_t BatchStream::size_for(const ArrayData& batch) {
  const std::int64_t num_rows = batch.num_rows();
  if (options_.batch_size.has_value()) return *options_.batch_size;
  const std::uint64_t fingerprint = fingerprint_of_rows(batch);
  const auto found = std::find_if(shapes_.begin(), shapes_.end(),
                                  [&](const RowShape& shape) { return shape.fingerprint == fingerprint; });
  if (found == shapes_.end()) {
    varies_ = varies_ || !shapes_.empty();
    if (shapes_.size() == kKeptShapes) shapes_.erase(shapes_.begin());
    shapes_.push_back({fingerprint, num_rows});
  } else {
    varies_ = varies_ || num_rows > found->most_rows;
    found->most_rows = std::max(found->most_rows, num_rows);
    std::rotate(found, found + 1, shapes_.end());
  }
  const std::int64_t most_rows = shapes_.back().most_rows;
  if (fingerprint == fingerprint_of_rows(first_)) first_rows_ = most_rows;
  return most_rows;
}

ArrayData BatchStream::examples() {
  if (waiting_.empty() && (is_over() || !pull())) {
    begin_pass();
    if (!pull())
      fail(ErrorCode::kFailedPrecondition, "[{}] {} gives no batch: it is over, and {}", names().caller,
           names().stream, options_.restart ? "gives none after restart either" : "has no restart function");
  }
  const std::optional<Error> fault = waiting_.front().error;
  if (first_rows_ > 0 || !fault.has_value()) return first_;
  const std::string number = number_of(0);
  drop_first();
  throw fault->with({.notes = number});
}

void BatchStream::begin_run(ArrangeRows arrange) {
  const ArrayData first = arrange(examples());  // also determines the batch size
  ring_batch_size_ = size_for(first_);
  ring_rows_ = types_of(first_);
  ring_.reset(first, ring_batch_size_);
  arrange_ = std::move(arrange);
}

void BatchStream::end_run() {
  clear_ring();
  arrange_ = nullptr;
  failed_ = nullptr;
}

bool BatchStream::is_over() const {
  const bool has_all = options_.num_batches.has_value() && num_done_ >= *options_.num_batches;
  return waiting_.empty() && (has_ended_ || has_all);
}

bool BatchStream::goes_on() {
  if (!waiting_.empty() || failed_ != nullptr) return true;
  try {
    return pull();
  } catch (...) {
    failed_ = std::current_exception();
    failed_waits_ = false;
    return true;
  }
}

void BatchStream::begin_pass() {
  if (!options_.restart) return;
  options_.restart();
  ring_.pop(ring_.size());
  waiting_.clear();
  failed_ = nullptr;
  has_ended_ = false;
  num_done_ = 0;
}

// Pulls a batch if needed: a run that took exactly the batches of a pass has not yet seen its end.
void BatchStream::begin_epoch(const EpochStart&) {
  if (!options_.restart) return;
  const bool is_left = options_.from_start && num_done_ > 0;
  if (is_left || is_over() || !goes_on()) begin_pass();
}

bool BatchStream::push_next(std::int64_t max_steps) {
  const auto at = static_cast<std::size_t>(ring_.size());
  if (at == waiting_.size() && !pull()) return false;
  try {
    const Waiting& batch = waiting_[at];
    if (batch.error.has_value()) throw Error(*batch.error);
    const bool is_alike = is_for_ring(batch.arrays);
    if (!is_alike && at > 0) return false;
    const ArrayData arranged = arrange_(batch.arrays);
    if (!is_alike) {
      ring_batch_size_ = size_for(batch.arrays);
      ring_rows_ = types_of(batch.arrays);
      ring_.reset(arranged, ring_batch_size_);
      ring_.reserve(max_steps);
    }
    ring_.push(arranged);
  } catch (const Error& error) {
    throw error.with({.notes = number_of(ring_.size())});
  }
  return true;
}

bool BatchStream::is_at_failure() const {
  return failed_ != nullptr && (failed_waits_ || std::cmp_equal(ring_.size(), waiting_.size()));
}

// The error of a batch is thrown when the batches before it are done. The next call then continues with the
// next batch.
void BatchStream::fill(std::int64_t max_steps) {
  ring_.reserve(max_steps);
  try {
    while (!is_at_failure() && ring_.size() < max_steps && !ring_.is_full() && !ring_.ends_partial() &&
           push_next(max_steps)) {
    }
  } catch (...) {
    failed_ = std::current_exception();
    failed_waits_ = std::cmp_less(ring_.size(), waiting_.size());
  }
  if (!is_at_failure() || ring_.size() > 0) return;
  if (failed_waits_) drop_first();
  std::rethrow_exception(std::exchange(failed_, nullptr));
}

Batches BatchStream::next(std::int64_t max_steps) {
  fill(max_steps);
  return ring_.first(max_steps);
}

void BatchStream::skip(std::int64_t num_steps) {
  clear_ring();
  for (; num_steps > 0; --num_steps) {
    if (waiting_.empty()) {
      if (failed_ != nullptr) std::rethrow_exception(std::exchange(failed_, nullptr));
      if (!pull()) return;
    }
    drop_first();
  }
}

std::string BatchStream::why_not_at(std::int64_t num_done) const {
  if (num_done < 0) return fmt::format("the batches done of a pass must not be negative; found {}", num_done);
  if (num_done >= num_done_ || options_.restart) return {};
  return fmt::format(
      "the stream has given {} batches and cannot go back to where it had given {}: it has neither a restart "
      "function nor save and load",
      num_done_, num_done);
}

void BatchStream::go_to(std::int64_t num_done) {
  const std::string why_not = why_not_at(num_done);
  if (!why_not.empty()) fail(ErrorCode::kFailedPrecondition, "[batch_stream] {}", why_not);
  failed_ = nullptr;
  if (num_done < num_done_) begin_pass();
  skip(num_done - num_done_);
}

namespace {

data::Element element_of(const Tensors& tensors) {
  std::vector<data::Element> parts;
  for (const Tensor& tensor : tensors)
    parts.push_back(tensor.defined() ? data::Element(tensor) : data::Element());
  return tensors.is_named() ? data::Element(tensors.names(), std::move(parts))
                            : data::Element(std::move(parts));
}

Tensors tensors_of_state(const data::Element& element) {
  std::vector<Tensor> tensors;
  for (const data::Element& part : element.parts())
    tensors.push_back(part.is_numeric() ? part.tensor() : Tensor());
  if (element.names().empty()) return Tensors(std::move(tensors));
  std::vector<Tensors::Named> named;
  named.reserve(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    named.emplace_back(element.names()[i], std::move(tensors[i]));
  return Tensors(named);
}

}  // namespace

StateEntry BatchStream::place_state() {
  const auto save = [this] {
    data::PositionWriter writer;
    const std::vector<std::byte> place = options_.save();
    writer.write_text({reinterpret_cast<const char*>(place.data()), place.size()});
    writer.write(static_cast<std::uint64_t>(waiting_.size()));
    for (const Waiting& batch : waiting_)
      writer.write(data::Element(
          {element_of(batch.arrays.x), element_of(batch.arrays.y), element_of(batch.arrays.sample_weight)}));
    auto bytes = std::make_shared<const std::vector<std::byte>>(writer.take());
    const TensorType type{DType::kU8, {static_cast<std::int64_t>(bytes->size())}};
    return Tensor::from_bytes(type, bytes->data(), bytes->size(), bytes);
  };
  const auto load = [this](const Tensor& value) {
    data::PositionReader reader({value.bytes(), static_cast<std::size_t>(value.num_elements())});
    const std::string_view place = reader.read_text();
    options_.load({reinterpret_cast<const std::byte*>(place.data()), place.size()});
    ring_.pop(ring_.size());
    waiting_.clear();
    failed_ = nullptr;
    for (const data::Element& batch : reader.read_items<data::Element>())
      append({tensors_of_state(batch[0]), tensors_of_state(batch[1]), tensors_of_state(batch[2])});
    reader.expect_end();
  };
  return {.path = "place", .type = {DType::kU8, {-1}}, .save = save, .load = load};
}

// 0 if batches vary; shapes_state() then has their sizes.
StateEntry BatchStream::batch_size_state() {
  static constexpr const char* kWhat = "the rows of a batch";
  if (options_.batch_size.has_value()) return fixed_state("batch_size", *options_.batch_size, kWhat);
  StateEntry entry = fixed_state("batch_size", varies_ ? 0 : batch_size(), kWhat);
  entry.check = [this](const Tensor& value) -> std::string {
    const std::int64_t found = value.data<std::int64_t>()[0];
    if (found == 0 || varies_ || found == batch_size()) return {};
    return fmt::format("{} must be {}; the state was of {}", kWhat, batch_size(), found);
  };
  entry.load = [this](const Tensor& value) {
    ring_batch_size_ = 0;
    const std::int64_t found = value.data<std::int64_t>()[0];
    if (found <= 0) return;
    first_rows_ = found;
    shapes_ = {{fingerprint_of_rows(first_), found}};
    varies_ = false;
  };
  return entry;
}

StateEntry BatchStream::shapes_state() {
  const auto save = [this] {
    std::vector<std::int64_t> words;
    for (const RowShape& shape : shapes_) {
      words.push_back(static_cast<std::int64_t>(shape.fingerprint));
      words.push_back(shape.most_rows);
    }
    return varies_ ? state_words(std::span<const std::int64_t>(words)) : Tensor();
  };
  const auto load = [this](const Tensor& value) {
    if (!value.defined()) return;
    const std::vector<std::int64_t> words = value.to_vector<std::int64_t>();
    shapes_.clear();
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
      shapes_.push_back({static_cast<std::uint64_t>(words[i]), words[i + 1]});
      if (shapes_.back().fingerprint == fingerprint_of_rows(first_)) first_rows_ = words[i + 1];
    }
    varies_ = true;
  };
  const auto check = [](const Tensor& value) -> std::string {
    const std::vector<std::int64_t> words = value.to_vector<std::int64_t>();
    constexpr std::int64_t kMostRows = std::numeric_limits<std::int32_t>::max();  // as StepCache::get
    bool is_wrong = words.size() % 2 != 0 || words.size() > 2 * kKeptShapes;
    for (std::size_t i = 1; i < words.size(); i += 2)
      is_wrong = is_wrong || words[i] < 1 || words[i] > kMostRows;
    return is_wrong ? "it must hold pairs of a shape's fingerprint and its most rows" : "";
  };
  return {.path = "shapes",
          .type = {DType::kI64, {-1}},
          .save = save,
          .load = load,
          .is_optional = true,
          .check = check};
}

StateList BatchStream::state() {
  if (options_.from_start) return {};
  StateEntry done = state_of("num_done", num_done_), ended = state_of("has_ended", has_ended_);
  StateList list = {batch_size_state()};
  if (!options_.batch_size.has_value()) list.push_back(shapes_state());
  if (options_.save) {
    done.check = [](const Tensor& value) { return wrong_count(value, {}, "the batches done of a pass"); };
    list.push_back(place_state());
  } else {
    done.check = [this](const Tensor& value) { return why_not_at(value.data<std::int64_t>()[0]); };
    done.load = [this](const Tensor& value) { go_to(value.data<std::int64_t>()[0]); };
    ended.save = [this] {  // waiting batches are pulled again
      const std::int64_t has_ended = has_ended_ && waiting_.empty() ? 1 : 0;
      return state_words(std::span<const std::int64_t>(&has_ended, 1));
    };
    ended.load = [this](const Tensor& value) {
      if (value.data<std::int64_t>()[0] == 0) return;
      waiting_.clear();
      has_ended_ = true;
    };
  }
  list.push_back(std::move(done));
  list.push_back(std::move(ended));
  return list;
}

void BatchStream::advance(std::int64_t num_steps) {
  ring_.pop(num_steps);
  waiting_.erase(waiting_.begin(), waiting_.begin() + num_steps);
  num_done_ += num_steps;
}

std::string BatchStream::row_name(std::int64_t index) const {
  const BatchRing::Place place = ring_.place_of(index);
  return fmt::format("row {} of batch {}", place.row, num_done_ + place.batch + 1);
}

}  // namespace cornu::inline v0::keras
