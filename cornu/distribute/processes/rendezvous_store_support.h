#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cornu/distribute/processes/key_messages_support.h"
#include "cornu/distribute/processes/sockets_support.h"
#include "cornu/runtime/key_value_store.h"

namespace cornu::inline v0::distribute {

/// Errors: Unimplemented if a key or its value is too large for a message.
void check_sizes(std::string_view key, std::string_view value);
/// The timeout in milliseconds, limited to the time that processes wait for each other. Negative: none.
std::int64_t limited_ms(std::chrono::milliseconds timeout, double most_seconds);

/// The rendezvous store, at rank 0: a thread serves the other ranks over sockets. The first connection of a
/// rank is its line: it stays open as long as the process lives, and carries notices of lost processes.
///
/// Threads: safe.
class RendezvousStore final : public runtime::KeyValueStore {
 public:
  struct Settings {
    std::uint64_t token = 0;         // by which callers authenticate
    std::vector<std::string> names;  // of the ranks, for errors
    std::string tag;                 // begins errors
    double most_seconds = 0;         // limit of timeouts; 0: none
  };
  /// `listener` is listening.
  RendezvousStore(Socket listener, Settings settings);
  ~RendezvousStore() override;

  // Calls of rank 0 itself.
  void put(std::string_view key, std::string_view value) override;
  std::string get(std::string_view key, std::chrono::milliseconds timeout) override;
  std::optional<std::string> try_get(std::string_view key) override;
  void give_up(const std::string& why) noexcept override;
  void go_on() override;
  void check_peers() override;

 private:
  using Clock = SocketClock;
  struct Caller;
  /// A wait for a key.
  struct Wait {
    std::string key;
    std::uint32_t meeting = 0;
    std::int64_t timeout_ms = 0;
    std::optional<Clock::time_point> end;  // empty: no limit
  };

  void serve();
  void look_at(Caller& caller);
  /// Handles complete requests. Returns false if the caller must be disconnected.
  bool take_requests(Caller& caller);
  void take(Caller& caller, const KeyRequest& request, std::string_view bytes);
  /// Answers waits whose key or timeout has arrived.
  void answer_waits();
  void find_gone();
  /// The error for processes that wait and have not met all others since.
  struct Failure {
    std::string text;
    std::uint32_t meeting = kForEver;

    bool holds_for(std::uint32_t of_process) const { return meeting >= of_process; }
  };
  void fail_all(Failure failure);
  void fail_by(int rank, std::string_view why, std::uint32_t meeting);
  void wake();
  int milliseconds_to_sleep() const;
  std::string late_text(int rank, const Wait& wait) const;
  bool waits(int rank) const;
  void lose(Caller& caller, bool is_unreachable);
  static Wait wait_for(std::string_view key, std::int64_t timeout_ms, std::uint32_t meeting);

  const std::vector<std::string> names_;
  const std::string tag_;
  const std::uint64_t token_;
  const double most_seconds_;
  Socket listener_;
  Socket wakes_, woken_;  // a byte in one wakes the thread that polls the other

  mutable std::mutex mutex_;  // guards all members below
  std::condition_variable changed_;
  std::map<std::string, std::string, std::less<>> values_;
  std::vector<std::unique_ptr<Caller>> callers_;
  std::multiset<std::string> own_waits_;
  std::map<int, Clock::time_point> last_waits_;  // end of each rank's last wait
  struct Gone {
    int rank;
    bool is_unreachable;
    Clock::time_point since;
  };
  std::vector<Gone> gone_;
  std::optional<Failure> failure_;
  std::uint32_t meeting_ = 0;  // of rank 0
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace cornu::inline v0::distribute
