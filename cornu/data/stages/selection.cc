#include "cornu/data/stages/selection.h"

#include <algorithm>
#include <limits>

#include "cornu/data/rows.h"
#include "cornu/data/stages/stages.h"

namespace cornu::inline v0::data {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

class RowCursor : public Cursor<Element> {
 public:
  RowCursor(std::shared_ptr<const Element> rows, OrderCursor order)
      : rows_(std::move(rows)), order_(std::move(order)) {}
  std::size_t next(std::span<Element> items) override {
    std::array<std::int64_t, 64> indices;
    std::size_t done = 0;
    while (done < items.size()) {
      const std::size_t wanted = std::min(items.size() - done, indices.size());
      const std::size_t got = order_->next(std::span(indices).first(wanted));
      for (std::size_t i = 0; i < got; ++i) items[done + i] = row(*rows_, indices[i]);
      done += got;
      if (got < wanted) break;
    }
    return done;
  }
  std::int64_t skip(std::int64_t count) override { return order_->skip(count); }
  void save(PositionWriter& writer) override { order_->save(writer); }
  void load(PositionReader& reader) override { order_->load(reader); }

 private:
  std::shared_ptr<const Element> rows_;
  OrderCursor order_;
};

class GatherCursor : public Cursor<Element> {
 public:
  GatherCursor(std::shared_ptr<const Element> rows, BatchCursor batches)
      : rows_(std::move(rows)), batches_(std::move(batches)) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!batches_->next_one(batch_)) return i;
      items[i] = gather(*rows_, batch_.rows, pool_);
    }
    return items.size();
  }
  std::int64_t skip(std::int64_t count) override { return batches_->skip(count); }
  void save(PositionWriter& writer) override { batches_->save(writer); }
  void load(PositionReader& reader) override { batches_->load(reader); }

 private:
  std::shared_ptr<const Element> rows_;
  BatchCursor batches_;
  RowBatch batch_;
  BufferPool pool_;
};

class RangeCursor : public Cursor<std::int64_t> {
 public:
  explicit RangeCursor(const RowRange& range) : range_(range) {}
  std::size_t next(std::span<std::int64_t> items) override {
    const auto count =
        std::min(items.size(), static_cast<std::size_t>(std::max<std::int64_t>(range_.count - place_, 0)));
    std::int64_t index = range_.first + place_ * range_.stride;
    for (std::size_t i = 0; i < count; ++i, index += range_.stride) items[i] = index;
    place_ += static_cast<std::int64_t>(count);
    return count;
  }
  std::int64_t skip(std::int64_t count) override {
    const std::int64_t done = std::min(count, range_.count - place_);
    place_ += done;
    return done;
  }
  void save(PositionWriter& writer) override {
    writer.begin("rows");
    writer.write(range_.count);
    writer.write(place_);
  }
  void load(PositionReader& reader) override {
    reader.begin("rows");
    reader.read_between(range_.count, range_.count);
    place_ = reader.read_between(0, range_.count);
  }

 private:
  RowRange range_;
  std::int64_t place_ = 0;
};

struct Take {
  static constexpr const char* kName = "take";
  std::int64_t count;  // kAll: all

  std::int64_t cardinality(std::int64_t input) const {
    if (count == 0) return 0;
    if (input == kUnknownCardinality || count == kAll) return input;
    return input == kInfiniteCardinality ? count : std::min(input, count);
  }
  std::optional<RowRange> range(RowRange rows) const {
    rows.count = std::min(rows.count, count);
    return rows;
  }
};

template <typename Item>
class TakeCursor : public Cursor<Item> {
 public:
  TakeCursor(const StagePointer& input, const Take& take, const Iteration& iteration)
      : input_(open<Item>(*input, iteration)), left_(take.count) {}
  std::size_t next(std::span<Item> items) override {
    const auto wanted = std::min<std::uint64_t>(items.size(), static_cast<std::uint64_t>(left_));
    if (wanted == 0) return 0;
    const std::size_t got = input_->next(items.first(wanted));
    left_ = got < wanted ? 0 : left_ - static_cast<std::int64_t>(got);
    return got;
  }
  std::int64_t skip(std::int64_t count) override {
    const std::int64_t done = input_->skip(std::min(count, left_));
    left_ -= done;
    return done;
  }
  void save(PositionWriter& writer) override {
    writer.begin("take");
    writer.write(left_);
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("take");
    left_ = reader.read_between(0, left_);
    input_->load(reader);
  }

 private:
  std::unique_ptr<Cursor<Item>> input_;
  std::int64_t left_;
};

struct Skip {
  static constexpr const char* kName = "skip";
  std::int64_t count;

  std::int64_t cardinality(std::int64_t input) const {
    if (count == kAll) return 0;
    return input < 0 ? input : std::max<std::int64_t>(input - count, 0);
  }
  std::optional<RowRange> range(RowRange rows) const {
    const std::int64_t skipped = std::min(rows.count, count);
    return RowRange{rows.first + skipped * rows.stride, rows.stride, rows.count - skipped};
  }
};

template <typename Item>
class SkipCursor : public Cursor<Item> {
 public:
  SkipCursor(const StagePointer& input, const Skip& skip, const Iteration& iteration)
      : input_(open<Item>(*input, iteration)), left_(skip.count) {}
  std::size_t next(std::span<Item> items) override {
    if (left_ == kAll) return 0;
    while (left_ > 0) {
      --left_;  // a failed item counts as skipped
      if (input_->skip(1) == 0) left_ = 0;
    }
    return input_->next(items);
  }
  void save(PositionWriter& writer) override {
    writer.begin("skip");
    writer.write(left_);
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("skip");
    left_ = reader.read_between(0, left_);
    input_->load(reader);
  }

 private:
  std::unique_ptr<Cursor<Item>> input_;
  std::int64_t left_;
};

struct Shard {
  static constexpr const char* kName = "shard";
  std::int64_t num_shards, index;

  std::int64_t cardinality(std::int64_t input) const {
    if (input < 0) return input;
    return input / num_shards + (input % num_shards > index ? 1 : 0);
  }
  std::optional<RowRange> range(RowRange rows) const {
    return RowRange{rows.first + index * rows.stride, rows.stride * num_shards, cardinality(rows.count)};
  }
};

template <typename Item>
class ShardCursor : public Cursor<Item> {
 public:
  ShardCursor(const StagePointer& input, const Shard& shard, const Iteration& iteration)
      : input_(open<Item>(*input, iteration)), shard_(shard), passed_(shard.index) {}
  std::size_t next(std::span<Item> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (passed_ > 0 && input_->skip(passed_) < passed_) return i;
      passed_ = 0;
      if (!input_->next_one(items[i])) return i;
      passed_ = shard_.num_shards - 1;
    }
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("shard");
    writer.write(passed_);
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("shard");
    passed_ = reader.read_between(0, shard_.num_shards - 1);
    input_->load(reader);
  }

 private:
  std::unique_ptr<Cursor<Item>> input_;
  Shard shard_;
  std::int64_t passed_;  // before the next item
};

struct Repeat {
  static constexpr const char* kName = "repeat";
  std::int64_t count;  // -1: without end

  std::int64_t cardinality(std::int64_t input) const {
    if (input == 0 || count == 0) return 0;
    if (count < 0) return kInfiniteCardinality;
    if (input < 0) return input;
    std::int64_t all = 0;
    return __builtin_mul_overflow(input, count, &all) ? kInfiniteCardinality : all;
  }
  std::optional<RowRange> range(const RowRange& rows) const {
    return count == 1 ? std::optional(rows) : std::nullopt;
  }
};

template <typename Item>
class RepeatCursor : public Cursor<Item> {
 public:
  RepeatCursor(StagePointer input, const Repeat& repeat, Iteration iteration)
      : input_(std::move(input)), iteration_(std::move(iteration)), left_(repeat.count) {}
  std::size_t next(std::span<Item> items) override {
    std::size_t done = 0;
    while (done < items.size() && begin_pass()) {
      const std::size_t wanted = items.size() - done;
      const std::size_t got = pass_->next(items.subspan(done));
      is_pass_empty_ &= got == 0;
      done += got;
      if (got < wanted) end_pass();
    }
    return done;
  }
  void save(PositionWriter& writer) override {
    writer.begin("repeat");
    writer.write(left_);
    writer.write(is_pass_empty_);
    writer.write(pass_ != nullptr);
    if (pass_ != nullptr) pass_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("repeat");
    left_ = reader.read_between(-1, kAll);
    is_pass_empty_ = reader.read<bool>();
    pass_ = reader.read<bool>() ? open<Item>(*input_, iteration_) : nullptr;
    if (pass_ != nullptr) pass_->load(reader);
  }

 private:
  bool begin_pass() {
    if (pass_ != nullptr) return true;
    if (left_ == 0) return false;
    pass_ = open<Item>(*input_, iteration_);
    is_pass_empty_ = true;
    return true;
  }
  // Endless passes over an empty input would never return an item.
  void end_pass() {
    pass_ = nullptr;
    if (left_ < 0 && is_pass_empty_) left_ = 0;
    if (left_ > 0) --left_;
  }

  StagePointer input_;
  Iteration iteration_;
  std::unique_ptr<Cursor<Item>> pass_;
  std::int64_t left_;  // passes, including the current one
  bool is_pass_empty_ = true;
};

}  // namespace

ElementCursor row_cursor(std::shared_ptr<const Element> rows, OrderCursor order) {
  return std::make_unique<RowCursor>(std::move(rows), std::move(order));
}
ElementCursor gather_cursor(std::shared_ptr<const Element> rows, BatchCursor batches) {
  return std::make_unique<GatherCursor>(std::move(rows), std::move(batches));
}
OrderCursor range_cursor(const RowRange& range) { return std::make_unique<RangeCursor>(range); }

StagePointer take_stage(StagePointer input, std::int64_t count) {
  return std::make_shared<SelectionStage<TakeCursor, Take>>(std::move(input), Take{count < 0 ? kAll : count});
}
StagePointer skip_stage(StagePointer input, std::int64_t count) {
  return std::make_shared<SelectionStage<SkipCursor, Skip>>(std::move(input), Skip{count < 0 ? kAll : count});
}
StagePointer shard_stage(StagePointer input, std::int64_t num_shards, std::int64_t index) {
  return std::make_shared<SelectionStage<ShardCursor, Shard>>(std::move(input), Shard{num_shards, index});
}
StagePointer repeat_stage(StagePointer input, std::int64_t count) {
  return std::make_shared<SelectionStage<RepeatCursor, Repeat>>(std::move(input),
                                                                Repeat{count < 0 ? -1 : count});
}

}  // namespace cornu::inline v0::data
