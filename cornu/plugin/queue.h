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

  struct Size {
    bool is_short = false;      // the work runs in the call of submit when the queue is idle
    std::size_t num_bytes = 0;  // that results take from now on
  };
  /// `work` must not throw.
  void submit(std::function<void()> work, Size size);
  void submit(std::function<void()> work) { submit(std::move(work), Size()); }
  /// Waits while much work is waiting: results of submitted programs take memory already. Work that needs more
  /// than the limit waits until nothing else does.
  void wait_for_room(std::size_t num_bytes = 0);

 private:
  struct Work {
    std::function<void()> run;
    std::size_t num_bytes = 0;
  };
  void serve();

  std::mutex mutex_;
  std::condition_variable changed_, room_;
  std::deque<Work> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool is_running_ = false;  // some thread runs a piece of work
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace cornu::inline v0::plugin
