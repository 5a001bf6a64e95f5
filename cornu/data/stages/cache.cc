#include <atomic>
#include <mutex>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/held_bytes.h"
#include "cornu/data/stages/elements_stage.h"
#include "cornu/data/stages/stages.h"

namespace cornu::inline v0::data {
namespace {

/// The elements of a complete pass; null until one has ended.
class Kept {
 public:
  std::shared_ptr<const std::vector<Element>> get() const {
    const std::lock_guard lock(mutex_);
    return elements_;
  }
  void set(std::vector<Element> elements, std::size_t size_bytes) {
    const std::lock_guard lock(mutex_);
    if (elements_ != nullptr) return;
    elements_ = std::make_shared<const std::vector<Element>>(std::move(elements));
    size_bytes_ = size_bytes;
  }
  /// The size of the elements.
  std::size_t size_bytes() const {
    const std::lock_guard lock(mutex_);
    return size_bytes_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const std::vector<Element>> elements_;
  std::size_t size_bytes_ = 0;
};

/// Reads the cached elements, or else the input, and caches the elements at the end of the pass.
class CacheCursor : public Cursor<Element> {
 public:
  CacheCursor(StagePointer input, std::shared_ptr<Kept> kept, Iteration iteration)
      : input_stage_(std::move(input)),
        kept_(std::move(kept)),
        iteration_(std::move(iteration)),
        held_(iteration_.budget) {}
  std::size_t next(std::span<Element> items) override {
    begin();
    if (elements_ != nullptr) {
      const std::size_t count = std::min(items.size(), elements_->size() - place_);
      std::copy_n(elements_->begin() + static_cast<std::ptrdiff_t>(place_), count, items.begin());
      place_ += count;
      return count;
    }
    const std::size_t got = input_->next(items);
    for (const Element& item : items.first(got)) {
      held_.add(item.size_bytes());
      collected_.push_back(item);
    }
    place_ += got;
    if (got < items.size() && !iteration_.is_probe) keep();
    return got;
  }
  void save(PositionWriter& writer) override {
    begin();
    writer.begin("cache");
    writer.write(static_cast<std::uint64_t>(place_));
  }
  // Elements before the position are cached too, so without a cache they are read again.
  void load(PositionReader& reader) override {
    reader.begin("cache");
    const auto place = reader.read<std::uint64_t>();
    begin();
    if (elements_ != nullptr) {
      if (place > elements_->size()) reader.corrupt("a position after the cached elements");
      place_ = place;
    } else if (place < place_ ||
               skip(static_cast<std::int64_t>(place - place_)) < static_cast<std::int64_t>(place - place_)) {
      reader.corrupt("a position after the elements");
    }
  }

 private:
  void begin() {
    if (std::exchange(has_begun_, true)) return;
    elements_ = kept_->get();
    if (elements_ == nullptr)
      input_ = open(*input_stage_, iteration_);
    else
      held_.add(kept_->size_bytes());
  }
  void keep() {
    kept_->set(std::exchange(collected_, {}), held_.size_bytes());
    elements_ = kept_->get();
    place_ = elements_->size();
    input_ = nullptr;
  }

  StagePointer input_stage_;
  std::shared_ptr<Kept> kept_;
  Iteration iteration_;
  bool has_begun_ = false;
  std::shared_ptr<const std::vector<Element>> elements_;
  ElementCursor input_;
  std::vector<Element> collected_;
  std::size_t place_ = 0;
  HeldBytes held_;
};

/// Keeps no copy of rows in memory.
class CacheStage : public UnaryStage {
 public:
  explicit CacheStage(StagePointer input) : UnaryStage(std::move(input)) {}
  const char* name() const override { return "cache"; }
  std::int64_t cardinality() const override { return input_->cardinality(); }
  ElementCursor iterate(const Iteration& iteration) const override {
    if (row_range().has_value()) return open(*input_, iteration);
    return std::make_unique<CacheCursor>(input_, kept_, iteration);
  }
  // A shuffle before a cache is cached in its first order; only a range of rows stays rows.
  std::shared_ptr<const Element> rows() const override {
    return row_range().has_value() ? input_->rows() : nullptr;
  }
  OrderCursor order(const Iteration& iteration) const override { return input_->order(iteration); }
  std::optional<RowRange> row_range() const override { return input_->row_range(); }

 private:
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
};

}  // namespace

StagePointer cache_stage(StagePointer input) { return std::make_shared<CacheStage>(std::move(input)); }

}  // namespace cornu::inline v0::data
