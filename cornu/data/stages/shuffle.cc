#include <algorithm>
#include <utility>
#include <vector>

#include "cornu/base/row_permutation.h"
#include "cornu/data/held_bytes.h"
#include "cornu/data/rows.h"
#include "cornu/data/stages/pass_counter.h"
#include "cornu/data/stages/selection.h"
#include "cornu/data/stages/stages.h"

namespace cornu::inline v0::data {
namespace {

struct Shuffle {
  static constexpr const char* kName = "shuffle";
  std::int64_t buffer_size;
  std::shared_ptr<PassCounter> passes;

  std::int64_t cardinality(std::int64_t input) const { return input; }
  std::optional<RowRange> range(const RowRange&) const { return std::nullopt; }
};

/// All rows of a range in an order that is computed by index.
class PermutationCursor : public Cursor<std::int64_t> {
 public:
  PermutationCursor(const RowRange& range, const Shuffle& shuffle, const Iteration& iteration)
      : range_(range), passes_(shuffle.passes), pass_(passes_->begin_pass(iteration)) {}

  std::size_t next(std::span<std::int64_t> items) override {
    const auto count = std::min(items.size(), static_cast<std::size_t>(range_.count - place_));
    if (count == 0) return 0;
    if (!std::exchange(is_set_, true)) permutation_.set(range_.count, passes_->seed(), pass_);
    permutation_.read(place_, items.first(count));
    if (range_.first != 0 || range_.stride != 1)
      for (std::int64_t& item : items.first(count)) item = range_.first + item * range_.stride;
    place_ += static_cast<std::int64_t>(count);
    return count;
  }
  std::int64_t skip(std::int64_t count) override {
    const std::int64_t done = std::min(count, range_.count - place_);
    place_ += done;
    return done;
  }
  void save(PositionWriter& writer) override {
    writer.begin("shuffle by index");
    writer.write(range_.count);
    writer.write(pass_);
    writer.write(place_);
  }
  void load(PositionReader& reader) override {
    reader.begin("shuffle by index");
    reader.read_between(range_.count, range_.count);
    pass_ = reader.read<std::uint64_t>();
    place_ = reader.read_between(0, range_.count);
    passes_->restore(pass_);
    is_set_ = false;
  }

 private:
  RowRange range_;
  std::shared_ptr<PassCounter> passes_;
  std::uint64_t pass_;
  std::int64_t place_ = 0;
  RowPermutation permutation_;
  bool is_set_ = false;
};

/// Row indices count as no memory.
std::size_t counted_bytes(const Element& element) { return element.size_bytes(); }
template <typename Item>
std::size_t counted_bytes(const Item&) {
  return 0;
}

/// A buffer from which each item is drawn, and which the next input item refills.
template <typename Item>
class ReservoirCursor : public Cursor<Item> {
 public:
  ReservoirCursor(const StagePointer& input, const Shuffle& shuffle, const Iteration& iteration)
      : input_(open<Item>(*input, iteration)),
        shuffle_(shuffle),
        pass_(shuffle.passes->begin_pass(iteration)),
        held_(iteration.budget) {}

  std::size_t next(std::span<Item> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      fill();
      if (buffer_.empty()) return i;
      const std::uint64_t bits = permutation_bits(shuffle_.passes->seed(), pass_, num_drawn_++);
      const auto at = static_cast<std::size_t>((static_cast<unsigned __int128>(bits) * buffer_.size()) >> 64);
      items[i] = std::move(buffer_[at]);
      held_.remove(counted_bytes(items[i]));
      if (at + 1 < buffer_.size()) buffer_[at] = std::move(buffer_.back());
      buffer_.pop_back();
    }
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("shuffle");
    writer.write(pass_);
    writer.write(num_drawn_);
    writer.write(has_ended_);
    writer.write(std::span<const Item>(buffer_));
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("shuffle");
    pass_ = reader.read<std::uint64_t>();
    num_drawn_ = reader.read<std::uint64_t>();
    has_ended_ = reader.read<bool>();
    buffer_ = reader.read_items<Item>();
    if (buffer_.size() > static_cast<std::size_t>(shuffle_.buffer_size))
      reader.corrupt("a shuffle buffer that is larger than buffer_size");
    held_.clear();
    for (const Item& item : buffer_) held_.add(counted_bytes(item));
    shuffle_.passes->restore(pass_);
    input_->load(reader);
  }

 private:
  void fill() {
    while (!has_ended_ && buffer_.size() < static_cast<std::size_t>(shuffle_.buffer_size)) {
      Item item;
      has_ended_ = !input_->next_one(item);
      if (has_ended_) return;
      held_.add(counted_bytes(item));
      buffer_.push_back(std::move(item));
    }
  }

  std::unique_ptr<Cursor<Item>> input_;
  Shuffle shuffle_;
  std::uint64_t pass_;
  std::uint64_t num_drawn_ = 0;
  bool has_ended_ = false;
  std::vector<Item> buffer_;
  HeldBytes held_;
};

class ShuffleStage : public SelectionStage<ReservoirCursor, Shuffle> {
 public:
  ShuffleStage(StagePointer input, Shuffle shuffle)
      : SelectionStage(std::move(input), shuffle), shuffle_(std::move(shuffle)) {}

  OrderCursor order(const Iteration& iteration) const override {
    const std::optional<RowRange> range = input_->row_range();
    if (range.has_value() && range->count <= shuffle_.buffer_size)
      return std::make_unique<PermutationCursor>(*range, shuffle_, iteration);
    return SelectionStage::order(iteration);
  }

 private:
  Shuffle shuffle_;
};

}  // namespace

StagePointer shuffle_stage(StagePointer input, std::int64_t buffer_size, std::uint64_t seed,
                           bool reshuffle_each_iteration) {
  return std::make_shared<ShuffleStage>(
      std::move(input), Shuffle{.buffer_size = buffer_size,
                                .passes = std::make_shared<PassCounter>(seed, reshuffle_each_iteration)});
}

}  // namespace cornu::inline v0::data
