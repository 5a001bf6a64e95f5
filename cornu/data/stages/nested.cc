#include <algorithm>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/data/stages/stages.h"

namespace cornu::inline v0::data {
namespace {

/// The dataset that a function makes of an element, during its iteration.
struct Inner {
  Element of;
  ElementCursor cursor;
};

/// Iterates over several datasets in turn, some elements of each; flat_map is the case of one.
class InterleaveCursor : public Cursor<Element> {
 public:
  InterleaveCursor(ElementCursor input, const StageFunction& function, const InterleaveParameters& parameters,
                   Iteration iteration)
      : input_(std::move(input)),
        function_(function),
        parameters_(parameters),
        iteration_(std::move(iteration)),
        slots_(static_cast<std::size_t>(parameters.cycle_length)) {}

  std::size_t next(std::span<Element> items) override {
    std::size_t done = 0;
    while (done < items.size() && find_open_slot()) {
      Inner& inner = slots_[slot_];
      const auto wanted = std::min<std::uint64_t>(
          items.size() - done, static_cast<std::uint64_t>(parameters_.block_length - in_block_));
      const std::size_t got = inner.cursor->next(items.subspan(done, wanted));
      done += got;
      in_block_ += static_cast<std::int64_t>(got);
      if (got < wanted) {
        inner = {};
        go_on();
      } else if (in_block_ == parameters_.block_length) {
        go_on();
      }
    }
    return done;
  }
  void save(PositionWriter& writer) override {
    writer.begin("interleave");
    writer.write(static_cast<std::int64_t>(slot_));
    writer.write(in_block_);
    writer.write(has_input_ended_);
    input_->save(writer);
    for (const Inner& inner : slots_) {
      writer.write(inner.cursor != nullptr);
      if (inner.cursor == nullptr) continue;
      writer.write(inner.of);
      inner.cursor->save(writer);
    }
  }
  void load(PositionReader& reader) override {
    reader.begin("interleave");
    slot_ = static_cast<std::size_t>(reader.read_between(0, parameters_.cycle_length - 1));
    in_block_ = reader.read_between(0, parameters_.block_length);
    has_input_ended_ = reader.read<bool>();
    input_->load(reader);
    for (Inner& inner : slots_) {
      inner = {};
      if (!reader.read<bool>()) continue;
      is_first_ = false;
      inner = opened(reader.read_element());
      inner.cursor->load(reader);
    }
  }

 private:
  Inner opened(Element element) const {
    StagePointer stage = function_(element);
    if (stage == nullptr) invalid_argument("[interleave] the function returned no dataset");
    if (parameters_.is_parallel && !iteration_.is_probe) stage = prefetch_stage(stage, kAutotune);
    return {std::move(element), open(*stage, iteration_)};
  }
  void go_on() {
    slot_ = (slot_ + 1) % slots_.size();
    in_block_ = 0;
  }
  /// Moves to the next slot with a dataset; empty slots get the next datasets, in order. In parallel mode all
  /// empty slots get theirs before the first one is read.
  bool find_open_slot() {
    for (std::size_t passed = 0; passed <= slots_.size(); ++passed) {
      if (slots_[slot_].cursor == nullptr) fill(slot_);
      if (parameters_.is_parallel && std::exchange(is_first_, false))
        for (std::size_t i = 1; i < slots_.size(); ++i) fill(i);
      if (slots_[slot_].cursor != nullptr) return true;
      go_on();
    }
    return false;
  }
  void fill(std::size_t slot) {
    if (has_input_ended_ || slots_[slot].cursor != nullptr) return;
    Element element;
    has_input_ended_ = !input_->next_one(element);
    if (!has_input_ended_) slots_[slot] = opened(std::move(element));
  }

  ElementCursor input_;
  StageFunction function_;
  InterleaveParameters parameters_;
  Iteration iteration_;
  std::vector<Inner> slots_;
  std::size_t slot_ = 0;
  std::int64_t in_block_ = 0;  // elements that the slot gave in its turn
  bool has_input_ended_ = false;
  bool is_first_ = true;  // no slot was read yet
};

class InterleaveStage : public UnaryStage {
 public:
  InterleaveStage(const char* name, StagePointer input, StageFunction function,
                  InterleaveParameters parameters)
      : UnaryStage(std::move(input)), name_(name), function_(std::move(function)), parameters_(parameters) {}
  const char* name() const override { return name_; }
  std::int64_t cardinality() const override { return input_->cardinality() == 0 ? 0 : kUnknownCardinality; }
  ElementCursor iterate(const Iteration& iteration) const override {
    return std::make_unique<InterleaveCursor>(open(*input_, iteration), function_, parameters_, iteration);
  }

 private:
  const char* name_;
  StageFunction function_;
  InterleaveParameters parameters_;
};

}  // namespace

StagePointer flat_map_stage(StagePointer input, StageFunction function) {
  return std::make_shared<InterleaveStage>("flat_map", std::move(input), std::move(function),
                                           InterleaveParameters{});
}
StagePointer interleave_stage(StagePointer input, StageFunction function, InterleaveParameters parameters) {
  return std::make_shared<InterleaveStage>("interleave", std::move(input), std::move(function), parameters);
}

}  // namespace cornu::inline v0::data
