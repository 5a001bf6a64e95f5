#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cornu/backends/remote/worker/challenges.h"
#include "cornu/backends/remote/worker/data_root.h"
#include "cornu/backends/remote/worker/listening_sockets.h"
#include "cornu/backends/remote/worker/origins.h"

namespace cornu::inline v0::backends::remote {

/// Accepts a worker's connections and passes authorized ones to gRPC: with a token those of clients that
/// prove that they have it, without one those that send something. Any other connection takes a descriptor
/// and a small record, for ten seconds at most or until a newer one needs its place. See docs/adr/0114.
/// Threads: a thread of its own does the work; set_serving() may be called by any.
class Listener {
 public:
  /// Takes ownership of a socket.
  using PassOn = std::function<void(int socket)>;

  /// Binds HOST:PORT, where port 0 means any free one. `token` empty: none is required.
  /// Errors: those of ListeningSockets; ResourceExhausted without descriptors.
  Listener(const std::string& host_port, std::string token);
  ~Listener() { stop(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return sockets_.port(); }
  /// Accepts connections from now on. Errors: those of ListeningSockets::listen; ResourceExhausted if the
  /// system cannot watch another socket.
  void start(PassOn pass_on);
  /// No connection is accepted or passed on after it returns.
  void stop();
  /// Sets the response to probes.
  void set_serving(bool is_serving) { is_serving_ = is_serving; }

 private:
  using Clock = std::chrono::steady_clock;
  /// A connection that has not yet sent its first request.
  struct Pending {
    Descriptor socket;
    Origins::Origin origin;
    Clock::time_point end;
  };
  using PendingList = std::list<Pending>;
  /// A connection that was passed on. gRPC closes it; the file of its descriptor shows whether it has.
  struct OpenConnection {
    int socket = -1;
    dev_t device = 0;
    ino_t inode = 0;
  };
  enum class Verdict { kWait, kPassOn, kRefuse, kGreet, kHealth, kAdmit };

  void watch(int socket);
  void work();
  /// Handles an event of a socket.
  void serve(int socket);
  int milliseconds_to_next_end() const;
  void accept_from(int listener);
  void accept_and_drop(int listener);
  void receive(Descriptor socket, const sockaddr_storage& from);
  void make_room();
  void drop(PendingList::iterator connection);
  void drop_late();
  /// Reads the bytes that a connection has sent so far.
  void look_at(PendingList::iterator connection);
  Verdict verdict_on(std::string_view text) const;
  void answer(PendingList::iterator connection, std::string_view request);
  void admit(PendingList::iterator connection, std::string_view request);
  bool may_open_another();
  void pass_on(PendingList::iterator connection);

  const bool asks_token_;
  Challenges challenges_;
  ListeningSockets sockets_;
  Descriptor events_, wake_;
  /// Closed for a moment if there are no descriptors left, so that a connection can be accepted and closed
  /// instead of waiting in the queue for ever.
  Descriptor spare_;
  std::size_t max_pending_ = 0, max_open_ = 0;
  PendingList pending_;  // in the order of arrival
  std::map<int, PendingList::iterator> by_socket_;
  Origins origins_;  // of pending_
  std::vector<OpenConnection> open_;
  std::atomic<bool> is_serving_{true};
  PassOn pass_on_;
  std::thread thread_;  // uses the other members
};

}  // namespace cornu::inline v0::backends::remote
