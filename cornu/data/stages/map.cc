#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <unordered_set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/data/stages/stages.h"

namespace cornu::inline v0::data {
namespace {

/// A cursor with one input and no state of its own.
class FollowingCursor : public Cursor<Element> {
 public:
  FollowingCursor(const char* name, ElementCursor input) : input_(std::move(input)), name_(name) {}
  void save(PositionWriter& writer) override {
    writer.begin(name_);
    save_own(writer);
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin(name_);
    load_own(reader);
    input_->load(reader);
  }

 protected:
  virtual void save_own(PositionWriter&) {}
  virtual void load_own(PositionReader&) {}
  ElementCursor input_;

 private:
  const char* name_;
};

/// A cursor that takes several elements at a time. After a failed element, the following ones are kept for
/// the next call.
class KeepingCursor : public FollowingCursor {
 public:
  using FollowingCursor::FollowingCursor;

 protected:
  /// Takes elements, kept ones first; returns their number.
  std::size_t take(std::span<Element> items) {
    std::size_t done = 0;
    for (; done < items.size() && !kept_.empty(); kept_.pop_back()) items[done++] = std::move(kept_.back());
    return done < items.size() ? done + input_->next(items.subspan(done)) : done;
  }
  /// Calls `work` for each element in order.
  template <typename Work>
  void go_through(std::span<Element> items, const Work& work) {
    std::size_t i = 0;
    try {
      for (; i < items.size(); ++i) work(items[i]);
    } catch (...) {
      for (std::size_t k = items.size() - 1; k > i; --k) kept_.push_back(std::move(items[k]));
      throw;
    }
  }
  void save_own(PositionWriter& writer) override { writer.write(std::span<const Element>(kept_)); }
  void load_own(PositionReader& reader) override { kept_ = reader.read_items<Element>(); }

 private:
  std::vector<Element> kept_;  // in reverse order
};

class MapCursor : public KeepingCursor {
 public:
  MapCursor(ElementCursor input, const ElementFunction& function)
      : KeepingCursor("map", std::move(input)), function_(function) {}
  std::size_t next(std::span<Element> items) override {
    const std::size_t got = take(items);
    go_through(items.first(got), [&](Element& item) { item = function_(item); });
    return got;
  }

 private:
  ElementFunction function_;
};

class FilterCursor : public KeepingCursor {
 public:
  FilterCursor(ElementCursor input, const ElementPredicate& predicate)
      : KeepingCursor("filter", std::move(input)), predicate_(predicate) {}
  // Takes at most the number still wanted: never one too many.
  std::size_t next(std::span<Element> items) override {
    std::size_t done = 0;
    while (done < items.size()) {
      const std::size_t wanted = items.size() - done;
      const std::size_t got = take(items.subspan(done));
      go_through(items.subspan(done, got), [&](Element& item) {
        if (predicate_(item) && &items[done++] != &item) items[done - 1] = std::move(item);
      });
      if (got < wanted) break;
    }
    return done;
  }

 private:
  ElementPredicate predicate_;
};

class TakeWhileCursor : public FollowingCursor {
 public:
  TakeWhileCursor(ElementCursor input, const ElementPredicate& predicate)
      : FollowingCursor("take_while", std::move(input)), predicate_(predicate) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      has_ended_ = has_ended_ || !input_->next_one(items[i]) || !predicate_(items[i]);
      if (has_ended_) return i;
    }
    return items.size();
  }

 protected:
  void save_own(PositionWriter& writer) override { writer.write(has_ended_); }
  void load_own(PositionReader& reader) override { has_ended_ = reader.read<bool>(); }

 private:
  ElementPredicate predicate_;
  bool has_ended_ = false;
};

// A failed element consumes its number, as in tf.data, so elements are requested one by one.
class EnumerateCursor : public FollowingCursor {
 public:
  EnumerateCursor(ElementCursor input, std::int64_t start)
      : FollowingCursor("enumerate", std::move(input)), next_(start) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::int64_t number = next_++;
      if (!input_->next_one(items[i])) return i;
      items[i] = Element({Element(number), std::move(items[i])});
    }
    return items.size();
  }

 protected:
  void save_own(PositionWriter& writer) override { writer.write(next_); }
  void load_own(PositionReader& reader) override { next_ = reader.read<std::int64_t>(); }

 private:
  std::int64_t next_;
};

class UniqueCursor : public FollowingCursor {
 public:
  explicit UniqueCursor(ElementCursor input) : FollowingCursor("unique", std::move(input)) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      do {
        if (!input_->next_one(items[i])) return i;
      } while (!seen_.insert(key(items[i])).second);
    }
    return items.size();
  }

 protected:
  void save_own(PositionWriter& writer) override {
    writer.write(static_cast<std::uint64_t>(seen_.size()));
    for (const std::string& one : seen_) writer.write_text(one);
  }
  void load_own(PositionReader& reader) override {
    seen_.clear();
    for (auto left = reader.read<std::uint64_t>(); left > 0; --left) seen_.emplace(reader.read_text());
  }

 private:
  static std::string key(const Element& element) {
    PositionWriter writer;
    writer.write(element);
    return std::string(writer.view());
  }
  std::unordered_set<std::string> seen_;
};

class ScanCursor : public FollowingCursor {
 public:
  ScanCursor(ElementCursor input, Element state, const ElementFunction& function)
      : FollowingCursor("scan", std::move(input)), state_(std::move(state)), function_(function) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!input_->next_one(items[i])) return i;
      const Element result = function_(Element({state_, items[i]}));
      if (!result.is_structure() || result.size() != 2)
        invalid_argument("[scan] the function must return a pair, the new state and an element; got {}",
                         result.type_str());
      state_ = result[0];
      items[i] = result[1];
    }
    return items.size();
  }

 protected:
  void save_own(PositionWriter& writer) override { writer.write(state_); }
  void load_own(PositionReader& reader) override { state_ = reader.read_element(); }

 private:
  Element state_;
  ElementFunction function_;
};

// Requests items one by one, so that an error loses no other item.
class IgnoreErrorsCursor : public FollowingCursor {
 public:
  IgnoreErrorsCursor(ElementCursor input, bool log_warning)
      : FollowingCursor("ignore_errors", std::move(input)), log_warning_(log_warning) {}
  ~IgnoreErrorsCursor() override {
    if (log_warning_ && num_ignored_ > 1)
      log_warning("[ignore_errors] {} elements were omitted in this pass", num_ignored_);
  }
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!next_good(items[i])) return i;
    return items.size();
  }

 private:
  // Stop after this many errors in a row: the input will not recover.
  static constexpr int kMaxInARow = 1'000'000;
  bool next_good(Element& item) {
    for (int failures = 0;; ++failures) {
      try {
        return input_->next_one(item);
      } catch (const std::exception& error) {
        if (failures == kMaxInARow) throw;
        ++num_ignored_;
        if (log_warning_ && num_ignored_ == 1)
          log_warning("[ignore_errors] an element is omitted: {}", error.what());
      }
    }
  }
  bool log_warning_;
  std::int64_t num_ignored_ = 0;
};

class AssertCardinalityCursor : public FollowingCursor {
 public:
  AssertCardinalityCursor(ElementCursor input, std::int64_t wanted)
      : FollowingCursor("assert_cardinality", std::move(input)), wanted_(wanted) {}
  std::size_t next(std::span<Element> items) override {
    const std::size_t got = input_->next(items);
    num_given_ += static_cast<std::int64_t>(got);
    const bool is_too_many = wanted_ >= 0 && num_given_ > wanted_;
    const bool is_too_few = got < items.size() && num_given_ != wanted_;
    if (is_too_many || is_too_few)
      fail(ErrorCode::kFailedPrecondition, "[assert_cardinality] {} elements were expected; there are {}{}",
           wanted_ < 0 ? "endless" : std::to_string(wanted_), is_too_many ? "more: at least " : "",
           num_given_);
    return got;
  }

 protected:
  void save_own(PositionWriter& writer) override { writer.write(num_given_); }
  void load_own(PositionReader& reader) override { num_given_ = reader.read<std::int64_t>(); }

 private:
  std::int64_t wanted_;
  std::int64_t num_given_ = 0;
};

/// A stage whose cursor is made by `make` from the input's, with `cardinality(n)` elements for n of the
/// input.
class FollowingStage : public UnaryStage {
 public:
  using Make = std::function<ElementCursor(ElementCursor input)>;
  using CardinalityOf = std::int64_t (*)(std::int64_t input);
  FollowingStage(const char* name, StagePointer input, CardinalityOf cardinality_of, Make make)
      : UnaryStage(std::move(input)), name_(name), cardinality_(cardinality_of), make_(std::move(make)) {}
  const char* name() const override { return name_; }
  std::int64_t cardinality() const override { return cardinality_(input_->cardinality()); }
  ElementCursor iterate(const Iteration& iteration) const override { return make_(open(*input_, iteration)); }

 private:
  const char* name_;
  CardinalityOf cardinality_;
  Make make_;
};

std::int64_t same(std::int64_t input) { return input; }
std::int64_t fewer(std::int64_t input) { return input == 0 ? 0 : kUnknownCardinality; }
std::int64_t fewer_but_endless(std::int64_t input) {
  return input == 0 || input == kInfiniteCardinality ? input : kUnknownCardinality;
}

class AssertCardinalityStage : public FollowingStage {
 public:
  AssertCardinalityStage(StagePointer input, std::int64_t wanted)
      : FollowingStage("assert_cardinality", std::move(input), same,
                       [wanted](ElementCursor cursor) -> ElementCursor {
                         return std::make_unique<AssertCardinalityCursor>(std::move(cursor), wanted);
                       }),
        wanted_(wanted) {}
  std::int64_t cardinality() const override { return wanted_; }

 private:
  std::int64_t wanted_;
};

/// Passes its input through with other options.
class OptionsStage : public UnaryStage {
 public:
  OptionsStage(StagePointer input, const Options& options)
      : UnaryStage(std::move(input)), options_(options) {}
  const char* name() const override { return "with_options"; }
  std::int64_t cardinality() const override { return input_->cardinality(); }
  ElementCursor iterate(const Iteration& iteration) const override { return open(*input_, with(iteration)); }
  std::shared_ptr<const Element> rows() const override { return input_->rows(); }
  OrderCursor order(const Iteration& iteration) const override { return input_->order(with(iteration)); }
  std::optional<RowRange> row_range() const override { return input_->row_range(); }
  std::shared_ptr<const Element> batched_rows() const override { return input_->batched_rows(); }
  std::int64_t batch_size() const override { return input_->batch_size(); }
  BatchCursor batches(const Iteration& iteration) const override { return input_->batches(with(iteration)); }

 private:
  // Options set later in the pipeline take precedence, as in tf.data.
  Iteration with(Iteration iteration) const {
    Options& given = iteration.options;
    if (!given.deterministic.has_value()) given.deterministic = options_.deterministic;
    if (!given.num_threads.has_value()) given.num_threads = options_.num_threads;
    if (!given.memory_budget_bytes.has_value() && options_.memory_budget_bytes.has_value()) {
      given.memory_budget_bytes = options_.memory_budget_bytes;
      iteration.budget = std::make_shared<MemoryBudget>(*options_.memory_budget_bytes);
    }
    return iteration;
  }
  Options options_;
};

template <typename MadeCursor, typename... Arguments>
StagePointer following(const char* name, StagePointer input, FollowingStage::CardinalityOf cardinality,
                       Arguments... arguments) {
  return std::make_shared<FollowingStage>(
      name, std::move(input), cardinality,
      [... arguments = std::move(arguments)](ElementCursor cursor) -> ElementCursor {
        return std::make_unique<MadeCursor>(std::move(cursor), arguments...);
      });
}

}  // namespace

StagePointer map_stage(StagePointer input, ElementFunction function) {
  return following<MapCursor>("map", std::move(input), same, std::move(function));
}
StagePointer filter_stage(StagePointer input, ElementPredicate predicate) {
  return following<FilterCursor>("filter", std::move(input), fewer, std::move(predicate));
}
StagePointer take_while_stage(StagePointer input, ElementPredicate predicate) {
  return following<TakeWhileCursor>("take_while", std::move(input), fewer, std::move(predicate));
}
StagePointer enumerate_stage(StagePointer input, std::int64_t start) {
  return following<EnumerateCursor>("enumerate", std::move(input), same, start);
}
StagePointer unique_stage(StagePointer input) {
  return following<UniqueCursor>("unique", std::move(input), fewer);
}
StagePointer scan_stage(StagePointer input, Element initial_state, ElementFunction function) {
  return following<ScanCursor>("scan", std::move(input), same, std::move(initial_state), std::move(function));
}
StagePointer ignore_errors_stage(StagePointer input, bool log_warning) {
  return following<IgnoreErrorsCursor>("ignore_errors", std::move(input), fewer_but_endless, log_warning);
}
StagePointer assert_cardinality_stage(StagePointer input, std::int64_t cardinality) {
  return std::make_shared<AssertCardinalityStage>(std::move(input), cardinality);
}
StagePointer options_stage(StagePointer input, const Options& options) {
  return std::make_shared<OptionsStage>(std::move(input), options);
}

}  // namespace cornu::inline v0::data
