#include <algorithm>
#include <exception>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/rows.h"
#include "cornu/data/stages/stages.h"

namespace cornu::inline v0::data {
namespace {

Element structure(const std::vector<std::string>& names, std::vector<Element> parts) {
  return names.empty() ? Element(std::move(parts)) : Element(names, std::move(parts));
}

std::vector<ElementCursor> open_all(const std::vector<StagePointer>& inputs, const Iteration& iteration) {
  std::vector<ElementCursor> cursors;
  cursors.reserve(inputs.size());
  for (const StagePointer& input : inputs) cursors.push_back(open(*input, iteration));
  return cursors;
}

class ZipCursor : public Cursor<Element> {
 public:
  ZipCursor(std::vector<ElementCursor> inputs, const std::vector<std::string>& names)
      : inputs_(std::move(inputs)), names_(names) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!next_element(items[i])) return i;
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("zip");
    writer.write(has_ended_);
    for (const ElementCursor& input : inputs_) input->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("zip");
    has_ended_ = reader.read<bool>();
    for (const ElementCursor& input : inputs_) input->load(reader);
  }

 private:
  // All inputs advance, as in tf.data, even if one has failed or ended: they stay in step, and a longer
  // input's cache is completed, too.
  bool next_element(Element& item) {
    if (has_ended_) return false;
    std::vector<Element> parts(inputs_.size());
    std::exception_ptr error;
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      try {
        has_ended_ = !inputs_[k]->next_one(parts[k]) || has_ended_;
      } catch (...) {
        if (error == nullptr && !has_ended_) error = std::current_exception();
      }
    }
    if (error != nullptr) std::rethrow_exception(error);
    if (!has_ended_) item = structure(names_, std::move(parts));
    return !has_ended_;
  }

  std::vector<ElementCursor> inputs_;
  std::vector<std::string> names_;
  bool has_ended_ = false;
};

class ZipStage : public Stage {
 public:
  ZipStage(std::vector<StagePointer> inputs, std::vector<std::string> names)
      : inputs_(std::move(inputs)), names_(std::move(names)) {}
  const char* name() const override { return "zip"; }
  std::vector<StagePointer> inputs() const override { return inputs_; }
  // The shortest input's cardinality; unknown if any input's is unknown.
  std::int64_t cardinality() const override {
    std::int64_t least = kInfiniteCardinality;
    for (const StagePointer& input : inputs_) {
      const std::int64_t count = input->cardinality();
      if (count == kUnknownCardinality) return kUnknownCardinality;
      if (count >= 0) least = least < 0 ? count : std::min(least, count);
    }
    return least;
  }
  ElementCursor iterate(const Iteration& iteration) const override {
    return std::make_unique<ZipCursor>(open_all(inputs_, iteration), names_);
  }

 private:
  std::vector<StagePointer> inputs_;
  std::vector<std::string> names_;
};

/// True if a stage returns all of its rows in order.
bool is_whole(const Stage& stage) {
  const std::optional<RowRange> range = stage.row_range();
  return range.has_value() && range->first == 0 && range->stride == 1;
}

class ConcatenateCursor : public Cursor<Element> {
 public:
  ConcatenateCursor(StagePointer first, StagePointer second, Iteration iteration)
      : stages_{std::move(first), std::move(second)},
        iteration_(std::move(iteration)),
        current_(open(*stages_[0], iteration_)) {}
  std::size_t next(std::span<Element> items) override {
    std::size_t done = current_->next(items);
    if (done < items.size() && !is_second_) {
      go_on();
      done += current_->next(items.subspan(done));
    }
    return done;
  }
  void save(PositionWriter& writer) override {
    writer.begin("concatenate");
    writer.write(is_second_);
    current_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("concatenate");
    if (reader.read<bool>() && !is_second_) go_on();
    current_->load(reader);
  }

 private:
  void go_on() {
    is_second_ = true;
    current_ = open(*stages_[1], iteration_);
  }
  StagePointer stages_[2];
  Iteration iteration_;
  ElementCursor current_;
  bool is_second_ = false;
};

class ConcatenateStage : public Stage {
 public:
  ConcatenateStage(StagePointer first, StagePointer second)
      : first_(std::move(first)), second_(std::move(second)) {}
  const char* name() const override { return "concatenate"; }
  std::vector<StagePointer> inputs() const override { return {first_, second_}; }
  std::int64_t cardinality() const override {
    const std::int64_t a = first_->cardinality(), b = second_->cardinality();
    if (a == kInfiniteCardinality || b == kInfiniteCardinality) return kInfiniteCardinality;
    if (a == kUnknownCardinality || b == kUnknownCardinality) return kUnknownCardinality;
    return a + b;
  }
  ElementCursor iterate(const Iteration& iteration) const override {
    return std::make_unique<ConcatenateCursor>(first_, second_, iteration);
  }

 private:
  StagePointer first_, second_;
};

class ChooseCursor : public Cursor<Element> {
 public:
  ChooseCursor(ElementCursor choices, std::vector<ElementCursor> inputs, bool stops)
      : choices_(std::move(choices)), inputs_(std::move(inputs)), ended_(inputs_.size(), 0), stops_(stops) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!choose(items[i])) return i;
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("choose");
    for (const std::uint8_t ended : ended_) writer.write(ended);
    choices_->save(writer);
    for (const ElementCursor& input : inputs_) input->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("choose");
    for (std::uint8_t& ended : ended_) ended = reader.read<std::uint8_t>();
    choices_->load(reader);
    for (const ElementCursor& input : inputs_) input->load(reader);
  }

 private:
  bool has_ended() const {
    const auto num_ended = std::count(ended_.begin(), ended_.end(), 1);
    return num_ended == static_cast<std::ptrdiff_t>(ended_.size()) || (stops_ && num_ended > 0);
  }
  bool choose(Element& item) {
    Element choice;
    while (!has_ended() && choices_->next_one(choice)) {
      const auto index = choice.item<std::int64_t>();
      if (index < 0 || index >= static_cast<std::int64_t>(inputs_.size()))
        fail(ErrorCode::kOutOfRange, "[choose_from_datasets] the choice {} is outside [0, {})", index,
             inputs_.size());
      const auto chosen = static_cast<std::size_t>(index);
      if (ended_[chosen] == 0 && inputs_[chosen]->next_one(item)) return true;
      ended_[chosen] = 1;
    }
    return false;
  }

  ElementCursor choices_;
  std::vector<ElementCursor> inputs_;
  std::vector<std::uint8_t> ended_;
  bool stops_;
};

class ChooseStage : public Stage {
 public:
  ChooseStage(StagePointer choices, std::vector<StagePointer> inputs, bool stops)
      : choices_(std::move(choices)), inputs_(std::move(inputs)), stops_(stops) {}
  const char* name() const override { return "choose_from_datasets"; }
  std::vector<StagePointer> inputs() const override { return inputs_; }
  std::int64_t cardinality() const override {
    const bool are_endless = std::all_of(inputs_.begin(), inputs_.end(), [](const StagePointer& input) {
      return input->cardinality() == kInfiniteCardinality;
    });
    return are_endless ? choices_->cardinality() : kUnknownCardinality;
  }
  ElementCursor iterate(const Iteration& iteration) const override {
    std::vector<ElementCursor> cursors = open_all(inputs_, iteration);
    return std::make_unique<ChooseCursor>(open(*choices_, iteration), std::move(cursors), stops_);
  }

 private:
  StagePointer choices_;
  std::vector<StagePointer> inputs_;
  bool stops_;
};

}  // namespace

// If all inputs are rows in memory in order, the result is rows of one structure.
StagePointer zip_stage(std::vector<StagePointer> inputs, std::vector<std::string> names) {
  if (std::all_of(inputs.begin(), inputs.end(), [](const StagePointer& input) { return is_whole(*input); })) {
    std::int64_t least = inputs.front()->cardinality();
    for (const StagePointer& input : inputs) least = std::min(least, input->cardinality());
    std::vector<Element> parts;
    parts.reserve(inputs.size());
    for (const StagePointer& input : inputs) parts.push_back(rows(*input->rows(), 0, least));
    return slices_stage(structure(names, std::move(parts)));
  }
  return std::make_shared<ZipStage>(std::move(inputs), std::move(names));
}
StagePointer concatenate_stage(StagePointer first, StagePointer second) {
  return std::make_shared<ConcatenateStage>(std::move(first), std::move(second));
}
StagePointer choose_stage(StagePointer choices, std::vector<StagePointer> inputs,
                          bool stop_on_empty_dataset) {
  return std::make_shared<ChooseStage>(std::move(choices), std::move(inputs), stop_on_empty_dataset);
}

}  // namespace cornu::inline v0::data
