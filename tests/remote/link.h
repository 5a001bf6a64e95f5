#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "cornu/base/loopback_test_support.h"

/// A link that delays, stalls and breaks, for tests.
namespace cornu::inline v0 {

/// Passes the bytes of TCP connections on to a worker on loopback, as badly as it is told to. What is told
/// holds for all connections, also for those that are open.
/// Threads: safe; a thread of its own does the work.
class Link {
 public:
  /// `port`: the worker's.
  explicit Link(const std::string& port);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// Passes connections on to this worker, too: to all of them in turn. Before the first connection.
  void add_worker(const std::string& port) { worker_ports_.push_back(port); }

  std::string url(const std::string& more = "") const { return "grpc://" + listener_.host() + more; }

  /// Each byte arrives so much later, in each direction.
  void set_delay(std::chrono::milliseconds delay) { delay_ms_ = delay.count(); }
  /// Nothing passes, in neither direction, and nobody hears of it; false: it goes on where it stopped.
  /// Returns when nothing passes any more, or everything may.
  void set_stalled(bool is_stalled);
  /// All connections are reset when so many more bytes have passed, wherever in a message that is.
  void cut_after(std::int64_t num_bytes) { bytes_to_cut_ = num_bytes; }
  /// The worker sees its connections end, the client does not: they are half open. Or the other way round.
  void forget_worker_side() { forgets_worker_ = true; }
  void forget_client_side() { forgets_client_ = true; }
  /// Sends the client a GOAWAY frame of HTTP/2 on all connections: no new call may begin on them. gRPC treats
  /// a connection that has had 2^30 calls the same way. For idle links without TLS. Returns when the frame is
  /// on its way.
  void say_go_away();

  std::int64_t num_bytes() const { return num_bytes_; }
  int num_connections() const { return num_connections_; }
  int num_cuts() const { return num_cuts_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Chunk {
    Clock::time_point due;
    std::vector<char> bytes;
    std::size_t done = 0;
  };
  struct Direction {
    int from = -1, to = -1;
    std::deque<Chunk> under_way;
    bool has_ended = false, is_thrown_away = false;
  };
  struct Pair {
    int client = -1, worker = -1;
    Direction there, back;
    bool is_over = false;
  };

  void work();
  void accept_one();
  void pass_on(Pair& pair);
  void take_in(Pair& pair, Direction& direction);
  void deliver(Pair& pair, Direction& direction);
  void forget_sides();
  void send_go_away();
  void reset_all();
  static void close_side(int& side, bool is_reset);

  LoopbackListener listener_;
  std::vector<std::string> worker_ports_;
  std::atomic<std::int64_t> delay_ms_{0}, bytes_to_cut_{-1}, num_bytes_{0};
  std::atomic<bool> is_stalled_{false}, sees_stalled_{false}, forgets_worker_{false}, forgets_client_{false},
      goes_away_{false}, is_over_{false};
  std::atomic<int> num_connections_{0}, num_cuts_{0};
  std::list<Pair> pairs_;
  std::thread thread_;  // works on the others
};

}  // namespace cornu::inline v0
