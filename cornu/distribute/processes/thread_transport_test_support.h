#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/distribute/processes/process_group.h"

/// Threads in place of processes, for tests.
namespace cornu::inline v0::distribute {

/// Queues of messages between threads.
struct Mail {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> from_to;
  int gone = -1;  // rank of a lost process
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(Mail& mail, int rank, int size) : mail_(mail), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in,
                const ExchangeOptions&) override {
    std::unique_lock lock(mail_.mutex);
    for (const Outgoing& message : out)
      mail_.from_to[{rank_, message.rank}].emplace_back(message.bytes.begin(), message.bytes.end());
    mail_.changed.notify_all();
    for (const Incoming& message : in) {
      std::deque<std::vector<std::byte>>& waiting = mail_.from_to[{message.rank, rank_}];
      mail_.changed.wait(lock, [&] { return !waiting.empty() || mail_.gone == message.rank; });
      if (waiting.empty()) fail(ErrorCode::kUnavailable, "rank {} is gone", message.rank);
      CORNU_CHECK(waiting.front().size() == message.bytes.size(), "{} bytes for {}", waiting.front().size(),
                  message.bytes.size());
      std::memcpy(message.bytes.data(), waiting.front().data(), message.bytes.size());
      waiting.pop_front();
    }
  }

 private:
  Mail& mail_;
  int rank_, size_;
};

inline void on_threads(int count, const std::function<void(ProcessGroup& group)>& work) {
  Mail mail;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      ProcessGroup group(std::make_unique<ThreadTransport>(mail, rank, count));
      work(group);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace cornu::inline v0::distribute
