#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/data/stacked_rows.h"
#include "cornu/data/stages/elements_stage.h"
#include "cornu/data/stages/selection.h"
#include "cornu/data/stages/stages.h"

namespace cornu::inline v0::data {
namespace {

/// Batches of row indices.
class OrderBatchCursor : public Cursor<RowBatch> {
 public:
  OrderBatchCursor(OrderCursor order, std::int64_t batch_size, bool drop_remainder)
      : order_(std::move(order)), batch_size_(batch_size), drop_remainder_(drop_remainder) {}
  std::size_t next(std::span<RowBatch> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      std::vector<std::int64_t>& rows = items[i].rows;
      rows.resize(static_cast<std::size_t>(batch_size_));
      rows.resize(order_->next(rows));
      if (rows.empty() || (drop_remainder_ && rows.size() < static_cast<std::size_t>(batch_size_))) return i;
    }
    return items.size();
  }
  // Skips full batches whole; after them may be a smaller one.
  std::int64_t skip(std::int64_t count) override {
    const CheckedSize wanted = CheckedSize(count) * batch_size_;
    if (wanted.is_beyond()) return Cursor<RowBatch>::skip(count);
    const std::int64_t rows = order_->skip(wanted.value("rows"));
    const bool has_partial = rows % batch_size_ != 0 && !drop_remainder_;
    return rows / batch_size_ + (has_partial ? 1 : 0);
  }
  void save(PositionWriter& writer) override {
    writer.begin("batch");
    order_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("batch");
    order_->load(reader);
  }

 private:
  OrderCursor order_;
  std::int64_t batch_size_;
  bool drop_remainder_;
};

class StackCursor : public Cursor<Element> {
 public:
  StackCursor(ElementCursor input, const BatchParameters& parameters)
      : input_(std::move(input)), parameters_(parameters) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t got = pull();
      if (got == 0 || (parameters_.drop_remainder && got < wanted())) return i;
      const auto elements = std::span(elements_).first(got);
      items[i] = has_stacks_ ? stacks_.finish(elements, pool_) : make_batch(elements, parameters_, pool_);
      std::fill_n(elements_.begin(), got, Element());
    }
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("batch");
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("batch");
    input_->load(reader);
  }

 private:
  std::size_t wanted() const { return static_cast<std::size_t>(parameters_.batch_size); }
  // Grows with the elements, so that a batch size beyond the data allocates no memory.
  std::size_t pull() {
    constexpr std::size_t kGrowth = 4096;
    if (elements_.empty()) elements_.resize(1);
    std::size_t got = input_->next(std::span(elements_).first(1));
    has_stacks_ = got == 1 && parameters_.kind == BatchKind::kEqual &&
                  StackedRows::gain(elements_[0], parameters_.batch_size);
    if (has_stacks_) return pull_into_stacks();
    if (got == 0 || got == wanted()) return got;
    for (;;) {
      const std::size_t room = std::min(wanted(), got + kGrowth);
      if (elements_.size() < room) elements_.resize(room);
      const std::size_t more = input_->next(std::span(elements_).subspan(got, room - got));
      got += more;
      if (got < room || got == wanted()) return got;
    }
  }
  // The first element has been read.
  std::size_t pull_into_stacks() {
    elements_.resize(std::max(elements_.size(), wanted()));
    std::size_t got = 1;
    for (stacks_.put(elements_[0], 0, parameters_.batch_size, pool_); got < wanted(); ++got) {
      if (!input_->next_one(elements_[got])) break;
      stacks_.put(elements_[got], got, parameters_.batch_size, pool_);
    }
    return got;
  }

  ElementCursor input_;
  BatchParameters parameters_;
  std::vector<Element> elements_;
  StackedRows stacks_;
  bool has_stacks_ = false;
  BufferPool pool_;
};

class BatchStage : public UnaryStage {
 public:
  BatchStage(StagePointer input, BatchParameters parameters)
      : UnaryStage(std::move(input)), parameters_(std::move(parameters)) {}
  const char* name() const override {
    switch (parameters_.kind) {
      case BatchKind::kPadded: return "padded_batch";
      case BatchKind::kRagged: return "ragged_batch";
      default: return "batch";
    }
  }
  std::int64_t cardinality() const override {
    const std::int64_t count = input_->cardinality(), size = parameters_.batch_size;
    if (count < 0) return count;
    return count / size + (count % size != 0 && !parameters_.drop_remainder ? 1 : 0);
  }
  ElementCursor iterate(const Iteration& iteration) const override {
    if (auto in_memory = batched_rows()) return gather_cursor(std::move(in_memory), batches(iteration));
    return std::make_unique<StackCursor>(open(*input_, iteration), parameters_);
  }
  std::shared_ptr<const Element> batched_rows() const override {
    return parameters_.kind == BatchKind::kEqual ? input_->rows() : nullptr;
  }
  std::int64_t batch_size() const override { return parameters_.batch_size; }
  BatchCursor batches(const Iteration& iteration) const override {
    // Read no more indices at a time than there are rows.
    const std::int64_t most = std::max<std::int64_t>(num_rows(*input_->rows(), "batch"), 1);
    const bool is_larger = parameters_.batch_size > most && input_->cardinality() >= 0 &&
                           input_->cardinality() <= most && !parameters_.drop_remainder;
    return std::make_unique<OrderBatchCursor>(open<std::int64_t>(*input_, iteration),
                                              is_larger ? most : parameters_.batch_size,
                                              parameters_.drop_remainder);
  }

 private:
  BatchParameters parameters_;
};

/// The rows of each element, one by one.
class UnbatchCursor : public Cursor<Element> {
 public:
  explicit UnbatchCursor(ElementCursor input) : input_(std::move(input)) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      while (place_ == count_) {
        if (!input_->next_one(batch_)) return i;
        place_ = count_ = 0;  // num_rows() may throw: the batch then has no rows
        count_ = num_rows(batch_, "unbatch");
      }
      items[i] = row(batch_, place_++);
    }
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("unbatch");
    writer.write(place_ < count_ ? rows(batch_, place_, count_) : Element());
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("unbatch");
    batch_ = reader.read_element();
    place_ = 0;
    count_ = batch_.is_structure() && batch_.size() == 0 ? 0 : num_rows(batch_, "unbatch");
    input_->load(reader);
  }

 private:
  ElementCursor input_;
  Element batch_;
  std::int64_t place_ = 0, count_ = 0;
};

class UnbatchStage : public UnaryStage {
 public:
  using UnaryStage::UnaryStage;
  const char* name() const override { return "unbatch"; }
  std::int64_t cardinality() const override {
    const std::int64_t count = input_->cardinality();
    if (const std::vector<Element>* held = held_elements(*input_)) {
      std::int64_t all = 0;
      for (const Element& element : *held) all += num_rows(element, "unbatch");
      return all;
    }
    return count == 0 || count == kInfiniteCardinality ? count : kUnknownCardinality;
  }
  ElementCursor iterate(const Iteration& iteration) const override {
    return std::make_unique<UnbatchCursor>(open(*input_, iteration));
  }
};

/// Splits batches into new ones whose sizes cycle.
class RebatchCursor : public Cursor<Element> {
 public:
  RebatchCursor(ElementCursor input, const std::vector<std::int64_t>& sizes, bool drop_remainder)
      : input_(std::move(input)), sizes_(sizes), drop_remainder_(drop_remainder) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::int64_t wanted = sizes_[turn_];
      pull(wanted);
      if (held_ == 0 || (drop_remainder_ && held_ < wanted)) return i;
      items[i] = cut(std::min(wanted, held_));
      turn_ = (turn_ + 1) % sizes_.size();
    }
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("rebatch");
    writer.write(static_cast<std::int64_t>(turn_));
    writer.write(std::span<const Element>(parts_));
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("rebatch");
    turn_ = static_cast<std::size_t>(reader.read_between(0, static_cast<std::int64_t>(sizes_.size()) - 1));
    parts_ = reader.read_items<Element>();
    held_ = 0;
    for (const Element& part : parts_) held_ += num_rows(part, "rebatch");
    input_->load(reader);
  }

 private:
  void pull(std::int64_t wanted) {
    Element batch;
    while (held_ < wanted && input_->next_one(batch)) {
      held_ += num_rows(batch, "rebatch");
      parts_.push_back(std::move(batch));
    }
  }
  Element cut(std::int64_t count) {
    std::vector<Element> taken;
    std::int64_t left = count;
    while (left > 0) {
      const std::int64_t here = num_rows(parts_.front(), "rebatch");
      if (here <= left) {
        taken.push_back(std::move(parts_.front()));
        parts_.erase(parts_.begin());
        left -= here;
      } else {
        taken.push_back(rows(parts_.front(), 0, left));
        parts_.front() = rows(parts_.front(), left, here);
        left = 0;
      }
    }
    held_ -= count;
    return concatenate(taken, pool_);
  }

  ElementCursor input_;
  std::vector<std::int64_t> sizes_;
  bool drop_remainder_;
  std::size_t turn_ = 0;
  std::vector<Element> parts_;  // not returned yet
  std::int64_t held_ = 0;       // number of rows in them
  BufferPool pool_;
};

class RebatchStage : public UnaryStage {
 public:
  RebatchStage(StagePointer input, std::vector<std::int64_t> sizes, bool drop_remainder)
      : UnaryStage(std::move(input)), sizes_(std::move(sizes)), drop_remainder_(drop_remainder) {}
  const char* name() const override { return "rebatch"; }
  std::int64_t cardinality() const override {
    const std::int64_t count = input_->cardinality();
    return count == 0 || count == kInfiniteCardinality ? count : kUnknownCardinality;
  }
  ElementCursor iterate(const Iteration& iteration) const override {
    return std::make_unique<RebatchCursor>(open(*input_, iteration), sizes_, drop_remainder_);
  }

 private:
  std::vector<std::int64_t> sizes_;
  bool drop_remainder_;
};

}  // namespace

Element make_batch(std::span<const Element> elements, const BatchParameters& parameters, BufferPool& pool) {
  switch (parameters.kind) {
    case BatchKind::kPadded: return stack_padded(elements, parameters.padding, pool);
    case BatchKind::kRagged: return stack_ragged(elements, pool);
    default: return stack(elements, pool);
  }
}

StagePointer batch_stage(StagePointer input, BatchParameters parameters) {
  return std::make_shared<BatchStage>(std::move(input), std::move(parameters));
}
StagePointer unbatch_stage(StagePointer input) { return std::make_shared<UnbatchStage>(std::move(input)); }
StagePointer rebatch_stage(StagePointer input, std::vector<std::int64_t> sizes, bool drop_remainder) {
  return std::make_shared<RebatchStage>(std::move(input), std::move(sizes), drop_remainder);
}

}  // namespace cornu::inline v0::data
