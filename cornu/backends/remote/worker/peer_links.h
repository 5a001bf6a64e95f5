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
  /// Sends a piece of a message, of which `left` more bytes follow. Waits as long as the other side
  /// takes nothing.
  /// False: the stream has ended. Threads: one sends at a time.
  virtual bool send(std::span<const std::byte> piece, std::uint64_t left) = 0;
  /// Makes who sends, and who receives, return. Threads: while others send.
  virtual void cancel() = 0;
};

/// The links of a session to the other workers of its group: streams, and what is awaited of them.
///
/// What others send is not believed: nothing of it is kept that nobody waits for, and a message must have the
/// length that it is awaited with. Once a link is lost, all are: a group works together or not at all.
/// Threads: safe; one exchange at a time.
class PeerLinks {
 public:
  /// `names`: the addresses of all, by rank, for errors.
  PeerLinks(int rank, std::vector<std::string> names);
  ~PeerLinks();
  PeerLinks(const PeerLinks&) = delete;
  PeerLinks& operator=(const PeerLinks&) = delete;

  int rank() const { return rank_; }
  int count() const { return static_cast<int>(links_.size()); }
  /// "worker 10.0.0.3:8470 (rank 1)"
  std::string name_of(int rank) const;

  /// The stream to that worker. Errors: FailedPrecondition when there is one; kUnavailable behind end().
  void connect(int rank, std::shared_ptr<PeerStream> stream);
  /// Waits for streams to all others. Errors: kUnavailable, naming those that are missing.
  void wait_for_all(std::chrono::milliseconds patience);

  /// A piece that came from that worker: waits until somebody wants it. False: the stream is of no more use.
  bool take(int rank, std::uint64_t left, const Parts& piece);
  /// The stream has ended. `why`: what the link says of it, may be empty.
  void lose(int rank, const std::string& why);
  /// Ends all links. Who exchanges, and whoever does so later, gets kUnavailable with `why`.
  /// The first time counts.
  void end(const std::string& why);

  /// See Transport. Somebody who takes nothing of what is sent does not come either.
  void exchange(std::span<const distribute::Outgoing> out, std::span<const distribute::Incoming> in,
                const distribute::ExchangeOptions& options);

 private:
  struct Link {
    std::shared_ptr<PeerStream> stream;
    std::deque<std::span<std::byte>> places;  // where the next messages go
    std::size_t received = 0;                 // bytes of the first
    bool is_copying = false;                  // into it
  };

  Link& link(int rank) { return links_[static_cast<std::size_t>(rank)]; }
  struct Sending {
    int rank = 0;
    double timeout_seconds = 0;
    std::chrono::steady_clock::time_point start;
  };

  void send(const distribute::Outgoing& message, double timeout_seconds);
  /// Before a piece is sent: from then on it has its time.
  void begin_sending(int rank, double timeout_seconds);
  /// Ends the links when a piece that is sent was not taken in its time.
  void watch_sending();
  std::string late_text(double timeout_seconds, const std::string& names) const;
  /// Under the lock: nobody writes to places any more.
  void clear_places(std::unique_lock<std::mutex>& lock);
  std::string missing_names() const;
  void throw_if_over() const;

  const int rank_;
  const std::vector<std::string> names_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Link> links_;
  std::optional<Error> over_;
  std::optional<Sending> sending_;  // a piece that waits to be taken
  bool is_closed_ = false;
  std::condition_variable closed_;
  std::thread watch_;  // from the first piece on; works on the others
};

/// Of the links of a session's group.
class PeerTransport final : public distribute::Transport {
 public:
  explicit PeerTransport(std::shared_ptr<PeerLinks> links) : links_(std::move(links)) {}
  int rank() const override { return links_->rank(); }
  int count() const override { return links_->count(); }
  std::string name() const override { return "worker"; }
  void exchange(std::span<const distribute::Outgoing> out, std::span<const distribute::Incoming> in,
                const distribute::ExchangeOptions& options) override {
    links_->exchange(out, in, options);
  }

 private:
  std::shared_ptr<PeerLinks> links_;
};

}  // namespace cornu::inline v0::backends::remote
