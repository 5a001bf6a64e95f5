#include "cornu/plugin/queue.h"

#include <utility>

#include "cornu/base/service_thread.h"
#include "cornu/ops/custom_call/host_functions.h"
#include "cornu/plugin/error.h"

namespace cornu::inline v0::plugin {

Queue::Queue() : thread_(start_service_thread([this] { serve(); })) {}

Queue::~Queue() {
  if (is_forked_child()) {
    thread_.detach();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Queue::submit(std::function<void()> work, Size size) {
  {
    const std::lock_guard lock(mutex_);
    if (!size.is_short || is_running_ || !waiting_.empty()) {
      waiting_.push_back({std::move(work), size.num_bytes});
      waiting_bytes_ += size.num_bytes;
      if (!is_running_) changed_.notify_one();
      return;
    }
    is_running_ = true;
  }
  work();
  const std::lock_guard lock(mutex_);
  is_running_ = false;
  if (!waiting_.empty()) changed_.notify_one();
}

void Queue::wait_for_room(std::size_t num_bytes) {
  constexpr std::size_t kMaxWaiting = 32, kMaxWaitingBytes = std::size_t{1} << 30;
  if (std::this_thread::get_id() == thread_.get_id() || ops::is_in_host_function()) return;
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] {
    if (waiting_.empty()) return true;
    return waiting_.size() < kMaxWaiting && num_bytes <= kMaxWaitingBytes &&
           waiting_bytes_ <= kMaxWaitingBytes - num_bytes;
  });
}

void Queue::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !is_running_ && (!waiting_.empty() || is_ending_); });
    if (waiting_.empty()) return;
    is_running_ = true;
    while (!waiting_.empty()) {
      Work work = std::move(waiting_.front());
      waiting_.pop_front();
      waiting_bytes_ -= work.num_bytes;
      room_.notify_all();
      lock.unlock();
      work.run();
      work.run = nullptr;
      lock.lock();
    }
    is_running_ = false;
  }
}

}  // namespace cornu::inline v0::plugin
