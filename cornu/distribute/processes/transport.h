#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>

#include "cornu/runtime/collective.h"

/// Transfers bytes between processes: by MPI, streams between workers, or threads in a test.
namespace cornu::inline v0::distribute {

/// A message to a rank: bytes, or pieces where the transport takes them.
struct Outgoing {
  int rank = 0;
  std::span<const std::byte> bytes = {};
  runtime::MessagePieces* pieces = nullptr;

  std::size_t size_bytes() const { return pieces == nullptr ? bytes.size() : pieces->sent_bytes(rank); }
};
/// A message from a rank.
struct Incoming {
  int rank = 0;
  std::span<std::byte> bytes = {};
  runtime::MessagePieces* pieces = nullptr;

  std::size_t size_bytes() const { return pieces == nullptr ? bytes.size() : pieces->received_bytes(rank); }
};

struct ExchangeOptions {
  /// Seconds until a process that does not come is an error; 0: never.
  double timeout_seconds = 0;
  /// Not null: somebody computes on this core meanwhile, so that between two looks at the messages it is
  /// left to him while this is false.
  const std::atomic<bool>* is_awaited = nullptr;
  /// True if pieces must be read in the order of ranks.
  bool in_order_of_ranks = false;
};

class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// The group's name in errors.
  virtual std::string name() const { return "MultiWorkerMirroredStrategy"; }
  /// Sends and receives at the same time, and returns when all is done. Messages between two processes arrive
  /// in the order in which they were sent.
  /// Errors: kUnavailable, with the rank, if a process whose message is expected is gone, does not send in
  ///         time, or sends another length.
  virtual void exchange(std::span<const Outgoing> out, std::span<const Incoming> in,
                        const ExchangeOptions& options) = 0;
  /// True if messages may be pieces, to and from every rank.
  virtual bool takes_pieces() const { return false; }
  /// True if the processes may also exchange bytes over sockets of their own, which are not encrypted.
  virtual bool may_open_sockets() const { return true; }
  /// True if calls may come from several threads, one at a time.
  virtual bool may_change_threads() const { return true; }
};

}  // namespace cornu::inline v0::distribute
