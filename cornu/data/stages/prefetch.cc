#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "cornu/base/service_thread.h"
#include "cornu/data/profile.h"
#include "cornu/data/stages/stages.h"
#include "cornu/data/stages/waiting.h"

namespace cornu::inline v0::data {
namespace {

/// Reads ahead on a thread, within the buffer and the memory budget.
class PrefetchCursor : public Cursor<Element> {
 public:
  PrefetchCursor(ElementCursor input, std::int64_t buffer_size, const Iteration& iteration, Profile::Row* row)
      : input_(std::move(input)),
        is_auto_(buffer_size == kAutotune),
        limit_(is_auto_ ? kFirstLimit : static_cast<std::size_t>(buffer_size)),
        budget_(iteration.budget),
        row_(row) {}
  ~PrefetchCursor() override {
    {
      const std::lock_guard lock(mutex_);
      stops_ = true;
    }
    may_fill_.notify_all();
    if (thread_.joinable()) thread_.join();
    budget_->remove(held_bytes_);
  }

  std::size_t next(std::span<Element> items) override {
    std::unique_lock lock(mutex_);
    start();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (waiting_.empty() && !has_ended_) {
        // The buffer was full and is empty now: elements arrive in bursts.
        if (is_auto_ && was_full_ && limit_ < kMostAuto) limit_ *= 2;
        was_full_ = false;
        may_fill_.notify_one();
        may_take_.wait(lock, [&] { return !waiting_.empty() || has_ended_; });
      }
      if (waiting_.empty()) return i;
      Waiting first = std::move(waiting_.front());
      waiting_.pop_front();
      held_bytes_ -= first.size_bytes;
      budget_->remove(first.size_bytes);
      may_fill_.notify_one();
      if (first.error != nullptr) std::rethrow_exception(first.error);
      items[i] = std::move(first.element);
    }
    return items.size();
  }
  void save(PositionWriter& writer) override {
    const Pause pause(*this);
    writer.begin("prefetch");
    write_waiting(writer, std::vector<Waiting>(waiting_.begin(), waiting_.end()));
    writer.write(has_ended_);
    input_->save(writer);
  }
  void load(PositionReader& reader) override {
    const Pause pause(*this);
    reader.begin("prefetch");
    waiting_.clear();
    budget_->remove(std::exchange(held_bytes_, 0));
    for (Waiting& one : read_waiting(reader)) push(std::move(one));
    has_ended_ = reader.read<bool>();
    input_->load(reader);
  }

 private:
  static constexpr std::size_t kFirstLimit = 2, kMostAuto = 512;
  // Other buffers of the pipeline free budget without notification.
  static constexpr std::chrono::milliseconds kLookAgain{2};

  /// While it lives, the thread does not use the input.
  class Pause {
   public:
    explicit Pause(PrefetchCursor& cursor) : cursor_(cursor), lock_(cursor.mutex_) {
      cursor_.is_paused_ = true;
      cursor_.may_take_.wait(lock_, [&] { return !cursor_.is_pulling_; });
    }
    ~Pause() {
      cursor_.is_paused_ = false;
      cursor_.may_fill_.notify_all();
    }

   private:
    PrefetchCursor& cursor_;
    std::unique_lock<std::mutex> lock_;
  };

  void push(Waiting one) {
    one.size_bytes = one.element.size_bytes();
    held_bytes_ += one.size_bytes;
    budget_->add(one.size_bytes);
    waiting_.push_back(std::move(one));
    if (row_ != nullptr)
      row_->queue = std::max<std::int64_t>(row_->queue, static_cast<std::int64_t>(waiting_.size()));
  }
  /// One element is always allowed.
  bool has_room() const { return waiting_.empty() || (waiting_.size() < limit_ && budget_->has_room()); }
  void start() {
    if (!thread_.joinable()) thread_ = start_service_thread([this] { fill(); });
  }
  void fill() {
    std::unique_lock lock(mutex_);
    for (;;) {
      was_full_ = was_full_ || !has_room();
      const auto goes_on = [&] { return stops_ || (!is_paused_ && !has_ended_ && has_room()); };
      while (!goes_on()) {
        if (waiting_.size() < limit_ && !is_paused_ && !has_ended_)
          may_fill_.wait_for(lock, kLookAgain);
        else
          may_fill_.wait(lock);
      }
      if (stops_) return;
      is_pulling_ = true;
      lock.unlock();
      Waiting one;
      bool has_one = true;
      try {
        has_one = input_->next_one(one.element);
      } catch (...) {
        one.error = std::current_exception();
      }
      lock.lock();
      is_pulling_ = false;
      if (has_one)
        push(std::move(one));
      else
        has_ended_ = true;
      may_take_.notify_all();
    }
  }

  ElementCursor input_;
  bool is_auto_;
  std::size_t limit_;
  std::shared_ptr<MemoryBudget> budget_;
  Profile::Row* row_;
  std::mutex mutex_;
  std::condition_variable may_fill_, may_take_;
  std::deque<Waiting> waiting_;
  std::size_t held_bytes_ = 0;
  bool has_ended_ = false, is_pulling_ = false, is_paused_ = false, stops_ = false, was_full_ = false;
  std::thread thread_;
};

/// Passes rows in memory, and batches of them, through: a model's steps gather them without reading ahead.
class PrefetchStage : public UnaryStage {
 public:
  PrefetchStage(StagePointer input, std::int64_t buffer_size)
      : UnaryStage(std::move(input)), buffer_size_(buffer_size) {}
  const char* name() const override { return "prefetch"; }
  std::int64_t cardinality() const override { return input_->cardinality(); }
  ElementCursor iterate(const Iteration& iteration) const override {
    if (iteration.is_probe || buffer_size_ == 0) return open(*input_, iteration);
    Profile::Row* row = iteration.profile == nullptr ? nullptr : &iteration.profile->row(*this);
    if (row != nullptr) row->threads = 1;
    return std::make_unique<PrefetchCursor>(open(*input_, iteration), buffer_size_, iteration, row);
  }
  std::shared_ptr<const Element> rows() const override { return input_->rows(); }
  OrderCursor order(const Iteration& iteration) const override {
    return open<std::int64_t>(*input_, iteration);
  }
  std::optional<RowRange> row_range() const override { return input_->row_range(); }
  std::shared_ptr<const Element> batched_rows() const override { return input_->batched_rows(); }
  std::int64_t batch_size() const override { return input_->batch_size(); }
  BatchCursor batches(const Iteration& iteration) const override {
    return open<RowBatch>(*input_, iteration);
  }

 private:
  std::int64_t buffer_size_;
};

}  // namespace

StagePointer prefetch_stage(StagePointer input, std::int64_t buffer_size) {
  return std::make_shared<PrefetchStage>(std::move(input), buffer_size);
}

}  // namespace cornu::inline v0::data
