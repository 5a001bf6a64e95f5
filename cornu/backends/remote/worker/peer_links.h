#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cornu/backends/remote/wire/last_field.h"
#include "cornu/base/error.h"
#include "cornu/distribute/processes/transport.h"

namespace cornu::inline v0::backends::remote {

/// A stream to another worker of a group.
class PeerStream {
 public:
  virtual ~PeerStream() = default;
  /// Sends a piece of a message, of which `left` more bytes follow. Waits while the other side receives
  /// nothing. False: the stream has ended. Threads: one sends at a time.
  virtual bool send(std::span<const std::byte> piece, std::uint64_t left) = 0;
  /// Makes pending sends and receives return. Threads: safe during sends.
  virtual void cancel() = 0;
};

/// Transport between a session and the other workers of its group: streams, and the expected messages.
///
/// Messages of others are not trusted: only expected messages are kept, and they must have the expected
/// length. The loss of one link ends all: a group works together or not at all.
/// Threads: safe; one exchange at a time.
class PeerLinks final : public distribute::Transport {
 public:
  /// `names`: the addresses of all, by rank, for errors.
  PeerLinks(int rank, std::vector<std::string> names);
  ~PeerLinks() override;
  PeerLinks(const PeerLinks&) = delete;
  PeerLinks& operator=(const PeerLinks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(links_.size()); }
  std::string name() const override { return "worker"; }
  bool may_open_sockets() const override { return false; }
  /// "worker 10.0.0.3:8470 (rank 1)"
  std::string name_of(int rank) const;

  /// Adds the stream to that worker. Errors: FailedPrecondition if there is one; kUnavailable after end().
  void connect(int rank, std::shared_ptr<PeerStream> stream);
  /// Waits for streams to all others. Errors: kUnavailable, with the missing workers.
  void wait_for_all(std::chrono::milliseconds patience);

  /// Receives a piece from that worker: waits until it is expected. False: the stream is of no more use.
  bool take(int rank, std::uint64_t left, const Parts& piece);
  /// Reports the end of a stream. `why`: the link's reason, may be empty.
  void lose(int rank, const std::string& why);
  /// Ends all links. Running and later exchanges get kUnavailable with `why`. Only the first call has an
  /// effect.
  void end(const std::string& why);

  /// A process that receives nothing counts as one that does not arrive.
  void exchange(std::span<const distribute::Outgoing> out, std::span<const distribute::Incoming> in,
                const distribute::ExchangeOptions& options) override;

 private:
  struct Link {
    std::shared_ptr<PeerStream> stream;
    std::deque<std::span<std::byte>> places;  // destinations of the next messages
    std::size_t received = 0;                 // bytes received of the first
    bool is_copying = false;                  // a copy into it is running
  };

  Link& link(int rank) { return links_[static_cast<std::size_t>(rank)]; }
  struct Sending {
    int rank = 0;
    double timeout_seconds = 0;
    std::chrono::steady_clock::time_point start;
  };

  void send(const distribute::Outgoing& message, double timeout_seconds);
  /// Starts the time limit of a piece before it is sent.
  void begin_sending(int rank, double timeout_seconds);
  /// Ends the links if a piece is not received within its time limit.
  void watch_sending();
  std::string late_text(double timeout_seconds, const std::string& names) const;
  /// Clears the destinations, after running copies. Under the lock.
  void clear_places(std::unique_lock<std::mutex>& lock);
  std::string missing_names() const;
  void throw_if_over() const;

  const int rank_;
  const std::vector<std::string> names_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Link> links_;
  std::optional<Error> over_;
  std::optional<Sending> sending_;  // a piece that has not been received
  bool is_closed_ = false;
  std::condition_variable closed_;
  std::thread watch_;  // from the first piece on; uses the other members
};

}  // namespace cornu::inline v0::backends::remote
