#include "cornu/keras/trainer/batch_stream.h"

#include <fmt/format.h>

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
    check_arrays(batch.arrays, "batch_stream");
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
  if (failed_waits_) failed_ = nullptr;  // it is found anew
  ring_.pop(ring_.size());
}

std::string BatchStream::number_of(std::int64_t waiting) const {
  return fmt::format("in batch {} of the stream", num_done_ + waiting + 1);
}

void BatchStream::check_like_first(const ArrayData& batch) const {
  if (batch.num_rows() > batch_size())
    invalid_argument(
        "[batch_stream] a batch has {} rows, but the largest may have {}: say the most rows with {}",
        batch.num_rows(), batch_size(), most_rows_option());
  const std::tuple<const char*, const Tensors*, const Tensors*> groups[] = {
      {"x", &batch.x, &first_.x},
      {"y", &batch.y, &first_.y},
      {"sample_weight", &batch.sample_weight, &first_.sample_weight}};
  for (const auto& [group, arrays, firsts] : groups) {
    if (arrays->size() != firsts->size() || arrays->names() != firsts->names())
      invalid_argument(
          "[batch_stream] every batch must have the arrays of the first one; {} holds {} where that had {}",
          group, arrays->size(), firsts->size());
    for (std::size_t i = 0; i < arrays->size(); ++i) {
      const Tensor &array = (*arrays)[i], &first = (*firsts)[i];
      if (array.defined() != first.defined())
        invalid_argument("[batch_stream] {} is {}, unlike in the first batch", array_name(group, *arrays, i),
                         array.defined() ? "there" : "missing");
      if (!array.defined()) continue;
      const TensorType row = type_of_row(array), first_row = type_of_row(first);
      if (row == first_row) continue;
      invalid_argument("[batch_stream] rows of {} are {}; those of the first batch were {}",
                       array_name(group, *arrays, i), type_str(row), type_str(first_row));
    }
  }
}

ArrayData BatchStream::examples() {
  if (waiting_.empty() && (is_over() || !pull())) {
    begin_pass();
    if (!pull())
      fail(ErrorCode::kFailedPrecondition, "[batch_stream] the stream gives no batch: it is over, and {}",
           options_.restart ? "gives none after restart either" : "has no restart function");
  }
  const std::optional<Error> fault = waiting_.front().error;
  if (first_rows_ > 0 || !fault.has_value()) return first_;
  const std::string number = number_of(0);
  drop_first();
  throw fault->with({.notes = number});
}

void BatchStream::begin_run(ArrangeRows arrange) {
  const ArrayData first = arrange(examples());  // which tells the size of a batch
  ring_.reset(first, batch_size());
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

// A run that took the last batch of a pass, and no more, has not seen that it was the last.
void BatchStream::begin_epoch(const EpochStart&) {
  if (!options_.restart) return;
  const bool is_left = options_.from_start && num_done_ > 0;
  if (is_left || is_over() || !goes_on()) begin_pass();
}

bool BatchStream::push_next() {
  const auto at = static_cast<std::size_t>(ring_.size());
  if (at == waiting_.size() && !pull()) return false;
  try {
    const Waiting& batch = waiting_[at];
    if (batch.error.has_value()) throw Error(*batch.error);
    ring_.push(arrange_(batch.arrays));
  } catch (const Error& error) {
    throw error.with({.notes = number_of(ring_.size())});
  }
  return true;
}

bool BatchStream::is_at_failure() const {
  return failed_ != nullptr && (failed_waits_ || std::cmp_equal(ring_.size(), waiting_.size()));
}

// What is wrong with a batch waits until those before it have been worked on. Whoever goes on then does so
// with the next batch.
void BatchStream::fill(std::int64_t max_steps) {
  ring_.reserve(max_steps);
  try {
    while (!is_at_failure() && ring_.size() < max_steps && !ring_.is_full() && !ring_.ends_partial() &&
           push_next()) {
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

StateList BatchStream::state() {
  if (options_.from_start) return {};
  StateEntry done = state_of("num_done", num_done_), ended = state_of("has_ended", has_ended_);
  if (options_.save) {
    done.check = [](const Tensor& value) { return wrong_count(value, {}, "the batches done of a pass"); };
    return {fixed_state("batch_size", batch_size(), "the rows of a batch"), place_state(), std::move(done),
            std::move(ended)};
  }
  done.check = [this](const Tensor& value) { return why_not_at(value.data<std::int64_t>()[0]); };
  done.load = [this](const Tensor& value) { go_to(value.data<std::int64_t>()[0]); };
  ended.load = [this](const Tensor& value) {
    if (value.data<std::int64_t>()[0] == 0) return;
    waiting_.clear();
    has_ended_ = true;
  };
  return {fixed_state("batch_size", batch_size(), "the rows of a batch"), std::move(done), std::move(ended)};
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
