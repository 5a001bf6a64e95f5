#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/stages/elements_stage.h"
#include "cornu/data/stages/stages.h"

namespace cornu::inline v0::data {
namespace {

struct Window {
  std::int64_t size, shift, stride;
  bool drop_remainder;

  /// The number of elements from its first to its last one, or the largest number if that is more.
  std::int64_t extent() const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return size - 1 > (kMost - 1) / stride ? kMost : (size - 1) * stride + 1;
  }
};

/// A dataset of each component, in the elements' structure.
Element datasets_of(const std::vector<Element>& elements) {
  const Element& first = elements.front();
  if (!first.is_structure()) return elements_stage(elements);
  std::vector<Element> parts;
  for (std::size_t k = 0; k < first.size(); ++k) {
    std::vector<Element> column;
    column.reserve(elements.size());
    for (const Element& element : elements) column.push_back(element[k]);
    parts.push_back(datasets_of(column));
  }
  return with_parts(first, std::move(parts));
}

class WindowCursor : public Cursor<Element> {
 public:
  WindowCursor(ElementCursor input, const Window& window) : input_(std::move(input)), window_(window) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!next_window(items[i])) return i;
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("window");
    writer.write(to_skip_);
    writer.write(has_ended_);
    writer.write(static_cast<std::uint64_t>(held_.size()));
    for (const Element& element : held_) writer.write(element);
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("window");
    to_skip_ = reader.read_between(0, window_.shift);
    has_ended_ = reader.read<bool>();
    const std::vector<Element> held = reader.read_items<Element>();
    held_.assign(held.begin(), held.end());
    input_->load(reader);
  }

 private:
  bool next_window(Element& item) {
    fill();
    std::vector<Element> chosen;
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(held_.size()) && at < window_.extent();
         at += window_.stride)
      chosen.push_back(held_[static_cast<std::size_t>(at)]);
    const bool is_whole = static_cast<std::int64_t>(chosen.size()) == window_.size;
    if (chosen.empty() || (window_.drop_remainder && !is_whole)) return false;
    item = datasets_of(chosen);
    const auto passed = std::min<std::int64_t>(window_.shift, static_cast<std::int64_t>(held_.size()));
    held_.erase(held_.begin(), held_.begin() + passed);
    to_skip_ = window_.shift - passed;
    return true;
  }
  void fill() {
    if (to_skip_ > 0 && !has_ended_) has_ended_ = input_->skip(to_skip_) < to_skip_;
    to_skip_ = 0;
    Element element;
    while (!has_ended_ && static_cast<std::int64_t>(held_.size()) < window_.extent()) {
      has_ended_ = !input_->next_one(element);
      if (!has_ended_) held_.push_back(std::move(element));
    }
  }

  ElementCursor input_;
  Window window_;
  std::deque<Element> held_;  // from the next window's first element on
  std::int64_t to_skip_ = 0;  // number of unread elements before that one
  bool has_ended_ = false;
};

class WindowStage : public UnaryStage {
 public:
  WindowStage(StagePointer input, const Window& window) : UnaryStage(std::move(input)), window_(window) {}
  const char* name() const override { return "window"; }
  std::int64_t cardinality() const override {
    const std::int64_t count = input_->cardinality();
    if (count < 0) return count;
    if (!window_.drop_remainder) return count / window_.shift + (count % window_.shift != 0 ? 1 : 0);
    return count < window_.extent() ? 0 : (count - window_.extent()) / window_.shift + 1;
  }
  ElementCursor iterate(const Iteration& iteration) const override {
    return std::make_unique<WindowCursor>(open(*input_, iteration), window_);
  }

 private:
  Window window_;
};

struct Grouping {
  ElementKey key;
  ReduceWindow reduce;
  std::function<std::int64_t(std::int64_t key)> window_size;
};

class GroupCursor : public Cursor<Element> {
 public:
  GroupCursor(ElementCursor input, const Grouping& grouping, Iteration iteration)
      : input_(std::move(input)), grouping_(grouping), iteration_(std::move(iteration)) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i)
      while (reduced_ == nullptr || !reduced_->next_one(items[i]))
        if (!reduce_next()) return i;
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin("group_by_window");
    writer.write(has_ended_);
    writer.write(static_cast<std::uint64_t>(groups_.size()));
    for (const auto& [key, group] : groups_) {
      writer.write(key);
      writer.write(std::span<const Element>(group));
    }
    writer.write(reduced_ != nullptr);
    if (reduced_ != nullptr) {
      writer.write(reduced_key_);
      writer.write(std::span<const Element>(reduced_of_));
      reduced_->save(writer);
    }
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    reader.begin("group_by_window");
    has_ended_ = reader.read<bool>();
    groups_.clear();
    for (auto left = reader.read<std::uint64_t>(); left > 0; --left) {
      const auto key = reader.read<std::int64_t>();
      groups_[key] = reader.read_items<Element>();
    }
    reduced_ = nullptr;
    if (reader.read<bool>()) {
      const auto key = reader.read<std::int64_t>();
      begin_reduced(key, reader.read_items<Element>());
      reduced_->load(reader);
    }
    input_->load(reader);
  }

 private:
  /// Reads until a group is full; at the end the remaining groups follow by ascending key.
  bool reduce_next() {
    reduced_ = nullptr;
    Element element;
    while (!has_ended_) {
      has_ended_ = !input_->next_one(element);
      if (has_ended_) break;
      const std::int64_t key = grouping_.key(element);
      const std::int64_t size = grouping_.window_size(key);
      if (size < 1)
        invalid_argument("[group_by_window] the window of key {} must be at least 1; got {}", key, size);
      std::vector<Element>& group = groups_[key];
      group.push_back(std::move(element));
      if (static_cast<std::int64_t>(group.size()) < size) continue;
      begin_reduced(key, std::move(groups_.extract(key).mapped()));
      return true;
    }
    if (groups_.empty()) return false;
    auto first = groups_.extract(groups_.begin());
    begin_reduced(first.key(), std::move(first.mapped()));
    return true;
  }
  void begin_reduced(std::int64_t key, std::vector<Element> elements) {
    reduced_key_ = key;
    reduced_of_ = std::move(elements);
    const StagePointer stage = grouping_.reduce(key, elements_stage(reduced_of_));
    if (stage == nullptr) invalid_argument("[group_by_window] the function returned no dataset");
    reduced_ = open(*stage, iteration_);
  }

  ElementCursor input_;
  Grouping grouping_;
  Iteration iteration_;
  std::map<std::int64_t, std::vector<Element>> groups_;
  ElementCursor reduced_;
  std::int64_t reduced_key_ = 0;
  std::vector<Element> reduced_of_;
  bool has_ended_ = false;
};

class GroupStage : public UnaryStage {
 public:
  GroupStage(StagePointer input, Grouping grouping)
      : UnaryStage(std::move(input)), grouping_(std::move(grouping)) {}
  const char* name() const override { return "group_by_window"; }
  std::int64_t cardinality() const override {
    const std::int64_t count = input_->cardinality();
    return count == 0 || count == kInfiniteCardinality ? count : kUnknownCardinality;
  }
  ElementCursor iterate(const Iteration& iteration) const override {
    return std::make_unique<GroupCursor>(open(*input_, iteration), grouping_, iteration);
  }

 private:
  Grouping grouping_;
};

}  // namespace

StagePointer window_stage(StagePointer input, std::int64_t size, std::int64_t shift, std::int64_t stride,
                          bool drop_remainder) {
  return std::make_shared<WindowStage>(std::move(input), Window{size, shift, stride, drop_remainder});
}
StagePointer group_by_window_stage(StagePointer input, ElementKey key, ReduceWindow reduce,
                                   std::function<std::int64_t(std::int64_t key)> window_size) {
  return std::make_shared<GroupStage>(std::move(input),
                                      Grouping{std::move(key), std::move(reduce), std::move(window_size)});
}

}  // namespace cornu::inline v0::data
