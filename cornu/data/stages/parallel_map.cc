#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "cornu/base/service_thread.h"
#include "cornu/base/thread_pool.h"
#include "cornu/data/profile.h"
#include "cornu/data/stages/stages.h"
#include "cornu/data/stages/waiting.h"

namespace cornu::inline v0::data {
namespace {

using Clock = std::chrono::steady_clock;

/// Consecutive elements that one thread works on.
struct Chunk {
  std::vector<Element> elements;
  std::vector<std::exception_ptr> errors;  // empty, or one for each element, null if it succeeded
  std::size_t taken = 0;                   // number taken by the consumer
  std::size_t size_bytes = 0;              // as the budget counts them: inputs, later results
  bool is_done = false;

  void set_error(std::size_t i) {
    errors.resize(elements.size());
    errors[i] = std::current_exception();
  }
  std::exception_ptr error(std::size_t i) const { return i < errors.size() ? errors[i] : nullptr; }
};

/// Worker threads that take elements in order, some at a time, and return results in order, or as they are
/// ready.
class ParallelMapCursor : public Cursor<Element> {
 public:
  struct Setting {
    std::int64_t num_threads;  // at most
    bool is_auto;              // begin with one thread, add more while the consumer waits
    bool is_ordered;
    std::shared_ptr<MemoryBudget> budget;
    Profile::Row* row;
  };
  ParallelMapCursor(ElementCursor input, const ElementFunction& function, const Setting& setting)
      : input_(std::move(input)),
        function_(function),
        setting_(setting),
        num_active_(setting.is_auto ? 1 : setting.num_threads) {}
  ~ParallelMapCursor() override {
    {
      const std::lock_guard lock(mutex_);
      stops_ = true;
    }
    may_pull_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    setting_.budget->remove(pending_bytes_);
  }

  std::size_t next(std::span<Element> items) override {
    if (threads_.empty()) start_threads();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (current_ == nullptr || current_->taken == current_->elements.size()) {
        current_ = nullptr;
        current_ = take_chunk();
        if (current_ == nullptr) return i;
      }
      const std::size_t at = current_->taken++;
      if (const std::exception_ptr error = current_->error(at)) std::rethrow_exception(error);
      items[i] = std::move(current_->elements[at]);
    }
    return items.size();
  }
  void save(PositionWriter& writer) override {
    const Pause pause(*this);
    writer.begin("parallel map");
    std::vector<Waiting> waiting;
    const auto keep = [&](const Chunk& chunk) {
      for (std::size_t i = chunk.taken; i < chunk.elements.size(); ++i)
        waiting.push_back({.element = chunk.elements[i], .error = chunk.error(i)});
    };
    if (current_ != nullptr) keep(*current_);
    for (const std::shared_ptr<Chunk>& chunk : pending_) keep(*chunk);
    write_waiting(writer, waiting);
    writer.write(has_ended_);
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    const Pause pause(*this);
    reader.begin("parallel map");
    current_ = std::make_shared<Chunk>();
    for (Waiting& one : read_waiting(reader)) {
      current_->elements.push_back(std::move(one.element));
      current_->errors.push_back(std::move(one.error));
    }
    pending_.clear();
    setting_.budget->remove(std::exchange(pending_bytes_, 0));
    has_ended_ = reader.read<bool>();
    input_->load(reader);
  }

 private:
  // A chunk takes long enough that its synchronization is negligible, unless elements are slow.
  static constexpr std::int64_t kChunkNanoseconds = 50'000, kMostInChunk = 256;
  static constexpr std::chrono::milliseconds kLookAgain{2};
  // Bytes of small elements are added to the budget together.
  static constexpr std::size_t kCountedAtOnce = 4096;

  /// While it lives, no thread works or uses the input.
  class Pause {
   public:
    explicit Pause(ParallelMapCursor& cursor) : cursor_(cursor), lock_(cursor.mutex_) {
      cursor_.is_paused_ = true;
      cursor_.has_changed_.wait(lock_, [&] { return !cursor_.is_pulling_ && cursor_.num_working_ == 0; });
    }
    ~Pause() {
      cursor_.is_paused_ = false;
      cursor_.may_pull_.notify_all();
    }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    ParallelMapCursor& cursor_;
    std::unique_lock<std::mutex> lock_;
  };

  /// Starts the threads that may work.
  void start_threads() {
    while (static_cast<std::int64_t>(threads_.size()) < num_active_)
      threads_.push_back(start_service_thread([this] { work(); }));
  }
  bool has_room() const { return pending_.empty() || (has_places() && setting_.budget->has_room()); }
  bool has_places() const { return static_cast<std::int64_t>(pending_.size()) < 2 * num_active_ + 1; }
  bool may_pull() const { return !is_paused_ && !has_ended_ && !is_pulling_ && has_room(); }
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      while (!stops_ && !may_pull()) {
        // Other buffers of the pipeline free budget without notification.
        if (is_paused_ || has_ended_ || is_pulling_ || !has_places())
          may_pull_.wait(lock);
        else
          may_pull_.wait_for(lock, kLookAgain);
      }
      if (stops_) return;
      auto chunk = std::make_shared<Chunk>();
      is_pulling_ = true;
      const auto wanted = static_cast<std::size_t>(chunk_size_);
      lock.unlock();
      const bool is_end = pull(*chunk, wanted);
      lock.lock();
      is_pulling_ = false;
      has_ended_ = has_ended_ || is_end;
      if (!chunk->elements.empty()) {
        pending_.push_back(chunk);
        ++num_working_;
        pending_bytes_ += chunk->size_bytes;
      }
      may_pull_.notify_one();
      if (!chunk->elements.empty()) {
        lock.unlock();
        const auto begin = Clock::now();
        apply(*chunk);
        const std::int64_t nanoseconds =
            std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
        lock.lock();
        finish(*chunk, nanoseconds);
      }
      has_changed_.notify_all();
    }
  }
  static std::size_t size_of(const Element& element) {
    return element.is_number() ? sizeof(Element) : element.size_bytes();
  }
  static std::size_t size_of(const Chunk& chunk) {
    std::size_t size_bytes = 0;
    for (const Element& element : chunk.elements) size_bytes += size_of(element);
    return size_bytes;
  }
  /// Replaces the chunk's size in the budget.
  void account(Chunk& chunk, std::size_t size_bytes) {
    pending_bytes_ = pending_bytes_ - chunk.size_bytes + size_bytes;
    setting_.budget->remove(chunk.size_bytes);
    setting_.budget->add(size_bytes);
    chunk.size_bytes = size_bytes;
  }
  /// Takes elements one by one, so that an error keeps its position. True at the end. Each element is counted
  /// at once, or the buffer that it came from would refill its space; one element is always allowed.
  bool pull(Chunk& chunk, std::size_t wanted) {
    std::size_t uncounted = 0;
    const auto count = [&] {
      setting_.budget->add(uncounted);
      chunk.size_bytes += std::exchange(uncounted, 0);
    };
    bool is_end = false;
    while (!is_end && chunk.elements.size() < wanted &&
           (chunk.elements.empty() || setting_.budget->has_room())) {
      Element element;
      try {
        is_end = !input_->next_one(element);
        if (is_end) break;
        uncounted += size_of(element);
        chunk.elements.push_back(std::move(element));
      } catch (...) {
        chunk.elements.emplace_back();
        chunk.set_error(chunk.elements.size() - 1);
      }
      if (uncounted >= kCountedAtOnce) count();
    }
    count();
    return is_end;
  }
  void apply(Chunk& chunk) {
    for (std::size_t i = 0; i < chunk.elements.size(); ++i) {
      if (chunk.error(i) != nullptr) continue;
      try {
        chunk.elements[i] = function_(chunk.elements[i]);
      } catch (...) {
        chunk.set_error(i);
      }
    }
  }
  void finish(Chunk& chunk, std::int64_t nanoseconds) {
    chunk.is_done = true;
    --num_working_;
    account(chunk, size_of(chunk));
    const auto count = static_cast<std::int64_t>(chunk.elements.size());
    const std::int64_t fitting = kChunkNanoseconds * count / std::max<std::int64_t>(nanoseconds, 1);
    chunk_size_ = std::clamp<std::int64_t>(fitting, 1, std::min(2 * chunk_size_, kMostInChunk));
    if (setting_.row != nullptr)
      setting_.row->queue =
          std::max<std::int64_t>(setting_.row->queue, static_cast<std::int64_t>(pending_.size()));
  }

  /// Takes the next finished chunk; null at the end.
  std::shared_ptr<Chunk> take_chunk() {
    std::unique_lock lock(mutex_);
    for (bool has_waited = false;; has_waited = true) {
      const auto found =
          setting_.is_ordered
              ? (!pending_.empty() && pending_.front()->is_done ? pending_.begin() : pending_.end())
              : std::find_if(pending_.begin(), pending_.end(),
                             [](const auto& chunk) { return chunk->is_done; });
      if (found != pending_.end()) {
        std::shared_ptr<Chunk> chunk = std::move(*found);
        pending_.erase(found);
        pending_bytes_ -= chunk->size_bytes;
        setting_.budget->remove(chunk->size_bytes);
        may_pull_.notify_all();
        return chunk;
      }
      if (has_ended_ && pending_.empty() && !is_pulling_) return nullptr;
      if (!has_waited && setting_.is_auto) take_another_thread();
      has_changed_.wait(lock);
    }
  }
  // The consumer had to wait several times: one more thread may help.
  void take_another_thread() {
    constexpr int kWaits = 8;
    if (++num_waits_ < kWaits || num_active_ == setting_.num_threads) return;
    num_waits_ = 0;
    ++num_active_;
    if (setting_.row != nullptr) setting_.row->threads = num_active_;
    start_threads();
  }

  ElementCursor input_;
  ElementFunction function_;
  Setting setting_;
  std::mutex mutex_;
  std::condition_variable may_pull_, has_changed_;
  std::deque<std::shared_ptr<Chunk>> pending_;  // in order
  std::size_t pending_bytes_ = 0;               // bytes of finished chunks
  std::int64_t num_active_;                     // threads that may work
  std::int64_t num_working_ = 0;                // number of chunks in work
  std::int64_t chunk_size_ = 1;
  int num_waits_ = 0;
  bool is_pulling_ = false, has_ended_ = false, is_paused_ = false, stops_ = false;
  std::shared_ptr<Chunk> current_;  // the consumer's
  std::vector<std::thread> threads_;
};

class ParallelMapStage : public UnaryStage {
 public:
  ParallelMapStage(StagePointer input, ElementFunction function, std::int64_t num_parallel_calls,
                   std::optional<bool> deterministic)
      : UnaryStage(input),
        function_(std::move(function)),
        num_parallel_calls_(num_parallel_calls),
        deterministic_(deterministic),
        serial_(map_stage(std::move(input), function_)) {}
  const char* name() const override { return "map"; }
  std::int64_t cardinality() const override { return input_->cardinality(); }
  ElementCursor iterate(const Iteration& iteration) const override {
    if (iteration.is_probe) return serial_->iterate(iteration);
    const bool is_auto = num_parallel_calls_ == kAutotune;
    const Options& options = iteration.options;
    const std::int64_t most = options.num_threads.value_or(default_num_threads());
    ParallelMapCursor::Setting setting{
        .num_threads = is_auto ? most : num_parallel_calls_,
        .is_auto = is_auto,
        .is_ordered = deterministic_.value_or(options.deterministic.value_or(true)),
        .budget = iteration.budget,
        .row = iteration.profile == nullptr ? nullptr : &iteration.profile->row(*this)};
    if (setting.row != nullptr) setting.row->threads = is_auto ? 1 : num_parallel_calls_;
    return std::make_unique<ParallelMapCursor>(open(*input_, iteration), function_, setting);
  }

 private:
  ElementFunction function_;
  std::int64_t num_parallel_calls_;
  std::optional<bool> deterministic_;
  StagePointer serial_;
};

}  // namespace

StagePointer parallel_map_stage(StagePointer input, ElementFunction function, std::int64_t num_parallel_calls,
                                std::optional<bool> deterministic) {
  return std::make_shared<ParallelMapStage>(std::move(input), std::move(function), num_parallel_calls,
                                            deterministic);
}

}  // namespace cornu::inline v0::data
