#include "cornu/data/profile.h"

#include <fmt/format.h>

#include <algorithm>

namespace cornu::inline v0::data {
namespace {

std::int64_t bytes_of(const Element& element) { return static_cast<std::int64_t>(element.size_bytes()); }
std::int64_t bytes_of(std::int64_t) { return 0; }
std::int64_t bytes_of(const RowBatch&) { return 0; }

/// Passes items of a cursor through, and counts them.
template <typename Item>
class TimedCursor : public Cursor<Item> {
 public:
  TimedCursor(std::unique_ptr<Cursor<Item>> cursor, Profile::Row& row, std::shared_ptr<Profile> profile)
      : cursor_(std::move(cursor)), row_(row), profile_(std::move(profile)) {}
  std::size_t next(std::span<Item> items) override {
    const std::int64_t begin = read_ticks();
    const std::size_t got = cursor_->next(items);
    row_.ticks += read_ticks() - begin;
    row_.num_items += static_cast<std::int64_t>(got);
    std::int64_t bytes = 0;
    for (const Item& item : items.first(got)) bytes += bytes_of(item);
    row_.size_bytes += bytes;
    return got;
  }
  std::int64_t skip(std::int64_t count) override { return cursor_->skip(count); }
  void save(PositionWriter& writer) override { cursor_->save(writer); }
  void load(PositionReader& reader) override { cursor_->load(reader); }

 private:
  std::unique_ptr<Cursor<Item>> cursor_;
  Profile::Row& row_;
  std::shared_ptr<Profile> profile_;
};

}  // namespace

template <typename Item>
std::unique_ptr<Cursor<Item>> timed(std::unique_ptr<Cursor<Item>> cursor, const Stage& stage,
                                    const Iteration& iteration) {
  return std::make_unique<TimedCursor<Item>>(std::move(cursor), iteration.profile->row(stage),
                                             iteration.profile);
}
template ElementCursor timed(ElementCursor, const Stage&, const Iteration&);
template OrderCursor timed(OrderCursor, const Stage&, const Iteration&);
template BatchCursor timed(BatchCursor, const Stage&, const Iteration&);

Profile::Row& Profile::row(const Stage& stage) {
  const std::lock_guard lock(mutex_);
  for (const auto& row : rows_)
    if (row->stage == &stage) return *row;
  rows_.push_back(std::make_unique<Row>());
  rows_.back()->stage = &stage;
  return *rows_.back();
}

namespace {

struct Line {
  int depth;
  const Stage* stage;
  double own_seconds;
};

/// Collects the stages from the last one to the sources, with their own times.
void collect(const Stage& stage, int depth, Profile& profile, std::vector<Line>& lines) {
  double own = static_cast<double>(profile.row(stage).ticks) * seconds_per_tick();
  const std::size_t at = lines.size();
  lines.push_back({depth, &stage, 0});
  for (const StagePointer& input : stage.inputs()) {
    own -= static_cast<double>(profile.row(*input).ticks) * seconds_per_tick();
    collect(*input, depth + 1, profile, lines);
  }
  lines[at].own_seconds = std::max(own, 0.0);
}

const Line& slowest_of(const std::vector<Line>& lines) {
  return *std::max_element(lines.begin(), lines.end(),
                           [](const Line& a, const Line& b) { return a.own_seconds < b.own_seconds; });
}

}  // namespace

const Stage& Profile::slowest(const Stage& last) {
  std::vector<Line> lines;
  collect(last, 0, *this, lines);
  return *slowest_of(lines).stage;
}

std::string Profile::report(const Stage& last, double seconds) {
  std::vector<Line> lines;
  collect(last, 0, *this, lines);
  double total = 0;
  for (const Line& line : lines) total += line.own_seconds;
  const Line& slowest = slowest_of(lines);
  std::string text = fmt::format("{:<30} {:>12} {:>12} {:>8} {:>8} {:>8}\n", "stage", "elements/s", "MB/s",
                                 "share", "threads", "queue");
  for (const Line& line : lines) {
    const Row& of = row(*line.stage);
    text += fmt::format("{:<30} {:>12.0f} {:>12.1f} {:>7.0f}% {:>8} {:>8}{}\n",
                        std::string(static_cast<std::size_t>(2 * line.depth), ' ') + line.stage->name(),
                        static_cast<double>(of.num_items) / seconds,
                        static_cast<double>(of.size_bytes) / seconds / 1e6,
                        total > 0 ? 100 * line.own_seconds / total : 0.0, of.threads.load(), of.queue.load(),
                        &line == &slowest ? "  <- most of the time" : "");
  }
  return text;
}

}  // namespace cornu::inline v0::data
