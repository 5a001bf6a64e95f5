#include <algorithm>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/row_permutation.h"
#include "cornu/data/rows.h"
#include "cornu/data/stages/elements_stage.h"
#include "cornu/data/stages/pass_counter.h"
#include "cornu/data/stages/selection.h"
#include "cornu/data/stages/stages.h"

namespace cornu::inline v0::data {
namespace {

class SlicesStage : public Stage {
 public:
  explicit SlicesStage(Element stacked)
      : rows_(std::make_shared<const Element>(std::move(stacked))),
        count_(num_rows(*rows_, "from_tensor_slices")) {}
  const char* name() const override { return "from_tensor_slices"; }
  std::int64_t cardinality() const override { return count_; }
  ElementCursor iterate(const Iteration& iteration) const override {
    return row_cursor(rows_, order(iteration));
  }
  std::shared_ptr<const Element> rows() const override { return rows_; }
  OrderCursor order(const Iteration&) const override { return range_cursor({0, 1, count_}); }
  std::optional<RowRange> row_range() const override { return RowRange{0, 1, count_}; }

 private:
  std::shared_ptr<const Element> rows_;
  std::int64_t count_;
};

class ElementsCursor : public Cursor<Element> {
 public:
  explicit ElementsCursor(std::shared_ptr<const std::vector<Element>> elements)
      : elements_(std::move(elements)) {}
  std::size_t next(std::span<Element> items) override {
    const std::size_t count = std::min(items.size(), elements_->size() - place_);
    std::copy_n(elements_->begin() + static_cast<std::ptrdiff_t>(place_), count, items.begin());
    place_ += count;
    return count;
  }
  void save(PositionWriter& writer) override {
    writer.begin("elements");
    writer.write(static_cast<std::int64_t>(place_));
  }
  void load(PositionReader& reader) override {
    reader.begin("elements");
    place_ = static_cast<std::size_t>(reader.read_between(0, static_cast<std::int64_t>(elements_->size())));
  }

 private:
  std::shared_ptr<const std::vector<Element>> elements_;
  std::size_t place_ = 0;
};

class ElementsStage : public Stage {
 public:
  explicit ElementsStage(std::vector<Element> elements)
      : elements_(std::make_shared<const std::vector<Element>>(std::move(elements))) {}
  const char* name() const override { return "from_tensors"; }
  std::int64_t cardinality() const override { return static_cast<std::int64_t>(elements_->size()); }
  ElementCursor iterate(const Iteration&) const override {
    return std::make_unique<ElementsCursor>(elements_);
  }
  const std::vector<Element>& elements() const { return *elements_; }

 private:
  std::shared_ptr<const std::vector<Element>> elements_;
};

/// The numbers start + index * step.
class CountCursor : public Cursor<Element> {
 public:
  CountCursor(std::int64_t start, std::int64_t step, std::int64_t count)
      : start_(start), step_(step), count_(count) {}
  std::size_t next(std::span<Element> items) override {
    const auto count = count_ < 0 ? items.size() : std::min<std::size_t>(items.size(), left());
    for (std::size_t i = 0; i < count; ++i, ++place_)
      items[i] =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(start_) +
                                    static_cast<std::uint64_t>(place_) * static_cast<std::uint64_t>(step_));
    return count;
  }
  std::int64_t skip(std::int64_t count) override {
    const std::int64_t done = count_ < 0 ? count : std::min(count, static_cast<std::int64_t>(left()));
    place_ += done;
    return done;
  }
  void save(PositionWriter& writer) override {
    writer.begin("range");
    writer.write(place_);
  }
  void load(PositionReader& reader) override {
    reader.begin("range");
    place_ = reader.read<std::int64_t>();
    if (place_ < 0 || (count_ >= 0 && place_ > count_)) reader.corrupt("a position outside the range");
  }

 private:
  std::size_t left() const { return static_cast<std::size_t>(count_ - place_); }

  std::int64_t start_, step_, count_;  // count -1: infinite
  std::int64_t place_ = 0;
};

class CountStage : public Stage {
 public:
  CountStage(const char* name, std::int64_t start, std::int64_t step, std::int64_t count)
      : name_(name), start_(start), step_(step), count_(count) {}
  const char* name() const override { return name_; }
  std::int64_t cardinality() const override { return count_; }
  ElementCursor iterate(const Iteration&) const override {
    return std::make_unique<CountCursor>(start_, step_, count_);
  }

 private:
  const char* name_;
  std::int64_t start_, step_, count_;
};

/// An infinite sequence of random numbers, each made by `Draw` from (seed, pass, index).
class DrawCursor : public Cursor<Element> {
 public:
  using Draw = std::function<std::int64_t(std::uint64_t bits)>;
  DrawCursor(std::shared_ptr<PassCounter> passes, const Iteration& iteration, const Draw& draw)
      : passes_(std::move(passes)), pass_(passes_->begin_pass(iteration)), draw_(draw) {}
  std::size_t next(std::span<Element> items) override {
    for (Element& item : items) item = draw_(permutation_bits(passes_->seed(), pass_, place_++));
    return items.size();
  }
  std::int64_t skip(std::int64_t count) override {
    place_ += static_cast<std::uint64_t>(count);
    return count;
  }
  void save(PositionWriter& writer) override {
    writer.begin("random");
    writer.write(pass_);
    writer.write(place_);
  }
  void load(PositionReader& reader) override {
    reader.begin("random");
    pass_ = reader.read<std::uint64_t>();
    place_ = reader.read<std::uint64_t>();
    passes_->restore(pass_);
  }

 private:
  std::shared_ptr<PassCounter> passes_;
  std::uint64_t pass_, place_ = 0;
  Draw draw_;
};

class DrawStage : public Stage {
 public:
  DrawStage(const char* name, std::uint64_t seed, bool rerandomizes, DrawCursor::Draw draw)
      : name_(name), passes_(std::make_shared<PassCounter>(seed, rerandomizes)), draw_(std::move(draw)) {}
  const char* name() const override { return name_; }
  std::int64_t cardinality() const override { return kInfiniteCardinality; }
  ElementCursor iterate(const Iteration& iteration) const override {
    return std::make_unique<DrawCursor>(passes_, iteration, draw_);
  }

 private:
  const char* name_;
  std::shared_ptr<PassCounter> passes_;
  DrawCursor::Draw draw_;
};

/// The elements of a function. It has no position to restore: earlier elements are generated again.
class GeneratorCursor : public Cursor<Element> {
 public:
  explicit GeneratorCursor(const MakeGenerator& make) : next_(make()) {
    if (!next_) invalid_argument("[from_generator] the generator returned an empty function");
  }
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      std::optional<Element> element;
      if (!has_ended_) element = next_();
      has_ended_ = !element.has_value();
      if (has_ended_) return i;
      items[i] = *std::move(element);
      ++num_given_;
    }
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("from_generator");
    writer.write(num_given_);
  }
  void load(PositionReader& reader) override {
    reader.begin("from_generator");
    const auto wanted = reader.read<std::int64_t>();
    if (wanted < num_given_ || skip(wanted - num_given_) < wanted - num_given_)
      reader.corrupt("the generator returns fewer elements than before");
  }

 private:
  NextElement next_;
  bool has_ended_ = false;
  std::int64_t num_given_ = 0;
};

class GeneratorStage : public Stage {
 public:
  explicit GeneratorStage(MakeGenerator make) : make_(std::move(make)) {}
  const char* name() const override { return "from_generator"; }
  std::int64_t cardinality() const override { return kUnknownCardinality; }
  ElementCursor iterate(const Iteration&) const override { return std::make_unique<GeneratorCursor>(make_); }

 private:
  MakeGenerator make_;
};

}  // namespace

StagePointer slices_stage(Element stacked) { return std::make_shared<SlicesStage>(std::move(stacked)); }

StagePointer elements_stage(std::vector<Element> elements) {
  return std::make_shared<ElementsStage>(std::move(elements));
}

const std::vector<Element>* held_elements(const Stage& stage) {
  const auto* elements = dynamic_cast<const ElementsStage*>(&stage);
  return elements == nullptr ? nullptr : &elements->elements();
}

std::vector<Element> elements_of(const Stage& stage) {
  if (stage.cardinality() == kInfiniteCardinality)
    invalid_argument("[data] an infinite dataset cannot be kept: take() a part of it");
  const ElementCursor cursor = stage.iterate({});
  std::vector<Element> all;
  for (Element element; cursor->next_one(element);) all.push_back(std::move(element));
  return all;
}

StagePointer range_stage(std::int64_t start, std::int64_t stop, std::int64_t step) {
  // The distance fits an unsigned 64-bit integer.
  const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(stop);
  const bool is_up = step > 0;
  const std::uint64_t distance = is_up ? (stop > start ? to - from : 0) : (start > stop ? from - to : 0);
  const std::uint64_t stride =
      is_up ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const std::uint64_t count = distance / stride + (distance % stride != 0 ? 1 : 0);
  if (count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    invalid_argument("[range] from {} to {} by {} there are more than 2^63 - 1 numbers", start, stop, step);
  return std::make_shared<CountStage>("range", start, step, static_cast<std::int64_t>(count));
}

StagePointer counter_stage(std::int64_t start, std::int64_t step) {
  return std::make_shared<CountStage>("counter", start, step, kInfiniteCardinality);
}

// Numbers below 2^32, as in tf.data.
StagePointer random_stage(std::uint64_t seed, bool rerandomizes) {
  return std::make_shared<DrawStage>(
      "random", seed, rerandomizes, [](std::uint64_t bits) { return static_cast<std::int64_t>(bits >> 32); });
}

StagePointer weighted_choices_stage(std::vector<double> weights, std::uint64_t seed, bool rerandomizes) {
  std::vector<double> ends;  // ends of the parts of [0, 1) for each dataset
  double sum = 0, end = 0;
  for (const double weight : weights) sum += weight;
  ends.reserve(weights.size());
  for (const double weight : weights) ends.push_back(end += weight / sum);
  std::int64_t last = 0;  // last one with a weight: covers a rounding gap at 1
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) last = static_cast<std::int64_t>(i);
  return std::make_shared<DrawStage>("sample", seed, rerandomizes, [ends, last](std::uint64_t bits) {
    const double drawn = static_cast<double>(bits >> 11) * 0x1p-53;
    const auto found = std::upper_bound(ends.begin(), ends.end(), drawn);
    return found == ends.end() ? last : static_cast<std::int64_t>(found - ends.begin());
  });
}

StagePointer generator_stage(MakeGenerator make) { return std::make_shared<GeneratorStage>(std::move(make)); }

}  // namespace cornu::inline v0::data
