#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace cornu::inline v0::plugin {

/// A client's submitted work. It runs in the order of submission, one piece at a time, on a thread of the queue,
/// or on the caller's if nothing else is waiting.
/// Threads: safe.
class Queue {
 public:
  Queue();
  /// Finishes the submitted work. In a forked child, which does not have the thread, it returns at once.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// `work` must not throw. If `is_short`, it runs in this call when the queue is idle.
  void submit(std::function<void()> work, bool is_short = false);
  /// Waits while much work is waiting: results of submitted programs take memory already.
  void wait_for_room();

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable changed_, room_;
  std::deque<std::function<void()>> waiting_;
  bool is_running_ = false;  // some thread runs a piece of work
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace cornu::inline v0::plugin
