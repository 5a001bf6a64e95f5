#include "cornu/backends/remote/worker/request_reader.h"

#include <utility>

#include "cornu/base/service_thread.h"

namespace cornu::inline v0::backends::remote {

RequestReader::RequestReader(Stream& stream, MemoryQuota& quota)
    : stream_(stream), quota_(quota), thread_(start_service_thread([this] { read_all(); })) {}

RequestReader::~RequestReader() {
  {
    const std::lock_guard lock(mutex_);
    is_abandoned_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  thread_.join();
}

std::unique_ptr<RequestReader::Arrived> RequestReader::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_ended_ || !waiting_.empty(); });
  if (waiting_.empty()) return nullptr;
  std::unique_ptr<Arrived> first = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return first;
}

void RequestReader::put(std::unique_ptr<Arrived> arrived) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_abandoned_ || waiting_.size() < kMostWaiting; });
  if (is_abandoned_) return;
  waiting_.push_back(std::move(arrived));
  lock.unlock();
  changed_.notify_all();
}

void RequestReader::read_all() {
  grpc::ByteBuffer message;
  while (stream_.Read(&message)) {
    auto arrived = std::make_unique<Arrived>();
    try {
      arrived->share = read_message(quota_, message, arrived->request);
    } catch (...) {
      arrived->error = std::current_exception();
    }
    message.Clear();
    put(std::move(arrived));
  }
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  changed_.notify_all();
}

}  // namespace cornu::inline v0::backends::remote
