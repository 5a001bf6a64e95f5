#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "cornu/base/loopback_test_support.h"

/// Programs that are no workers, for tests of clients.
namespace cornu::inline v0 {

/// Takes connections on loopback, one after the other, and answers the first bytes of each.
class FakeWorker {
 public:
  /// Returns the answer to a connection's first bytes, after which the connection is closed. Called by a
  /// thread of the fake worker.
  using Answer = std::function<std::string(const std::string& request)>;

  explicit FakeWorker(Answer answer);
  ~FakeWorker();
  FakeWorker(const FakeWorker&) = delete;
  FakeWorker& operator=(const FakeWorker&) = delete;
  std::string address() const { return listener_.host(); }
  std::string url(const std::string& more = "") const { return "grpc://" + address() + more; }
  int num_connections() const { return num_connections_; }

 private:
  void serve();

  const Answer answer_;
  LoopbackListener listener_;
  std::atomic<int> num_connections_{0};
  std::thread thread_;  // works on the others
};

}  // namespace cornu::inline v0
