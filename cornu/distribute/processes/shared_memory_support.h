#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cornu/distribute/processes/transport.h"

/// Messages between processes of one machine through memory that both have mapped (docs/adr/0149).
namespace cornu::inline v0::distribute {

/// Identifies the memory of a process for the others on its machine. Sent as it is.
struct SharedMemoryHandle {
  std::int64_t pid = 0;
  std::int64_t file = -1;   // the file's number in that process; -1: there is none
  std::uint64_t token = 0;  // the first bytes of the memory
};

/// A message whose length differs from the expected one.
struct WrongLength {
  int rank = 0;
  std::size_t got = 0, wanted = 0;
};

/// Moves the messages of one exchange at a time. Each process has memory with a ring of slots for each other
/// process, which alone writes to that ring. A message is cut into pieces of one slot; messages between two
/// processes arrive in the order in which they were sent.
///
/// Owns: the memory of this process and the mappings of the others. The memory has no name in a file system.
/// Threads: one at a time.
class SharedMemoryMessages {
 public:
  /// Makes the memory of this process. `is_here[rank]`: true for all processes on this machine.
  SharedMemoryMessages(int rank, const std::vector<bool>& is_here);
  ~SharedMemoryMessages();
  SharedMemoryMessages(const SharedMemoryMessages&) = delete;
  SharedMemoryMessages& operator=(const SharedMemoryMessages&) = delete;

  SharedMemoryHandle handle() const;
  /// Maps the memory of another process. Returns false if that is impossible, as between some containers.
  bool open(int rank, const SharedMemoryHandle& handle);
  /// Ends the setup, after all processes have called open(). `is_mutual[rank]`: true if both processes have
  /// opened each other's memory; only these are served.
  void finish_setup(const std::vector<bool>& is_mutual);
  bool serves(int rank) const { return peers_[static_cast<std::size_t>(rank)].is_served; }

  /// Starts an exchange with processes that are served. The previous one must be done. The caller keeps the
  /// memory of the messages until the exchange is done. `in_order_of_ranks`: a message is read after all
  /// those of lower ranks.
  void start(std::span<const Outgoing> out, std::span<const Incoming> in, bool in_order_of_ranks = false);
  /// Moves at most one piece to and from each process. Returns true if anything was moved.
  bool advance();
  bool is_done() const { return num_unfinished_ == 0; }
  /// Set if advance() has met a message that cannot be received.
  const std::optional<WrongLength>& wrong_length() const { return wrong_length_; }
  /// Sleeps until another process has moved a piece, at most as long as the limit.
  void sleep(std::chrono::nanoseconds limit);
  /// Appends the ranks of unfinished messages that are not in `ranks` yet.
  void list_missing(std::vector<int>& ranks) const;

 private:
  struct Header;
  struct Ring;
  /// The messages of this exchange to or from a process, one after the other.
  template <typename Message>
  struct Queue {
    std::vector<Message> messages;
    std::size_t next = 0;    // the message in progress
    std::size_t offset = 0;  // its bytes that were moved
    bool is_done() const { return next == messages.size(); }
    const Message& message() const { return messages[next]; }
    /// Counts a piece of the message in progress. Returns true if it was the last one of all messages.
    bool add_piece(std::size_t piece_bytes, std::size_t message_bytes) {
      offset += piece_bytes;
      if (offset < message_bytes) return false;
      offset = 0;
      return ++next == messages.size();
    }
  };
  struct Peer {
    std::size_t place = 0;        // among the processes of this machine
    std::byte* memory = nullptr;  // of that process; mapped here
    bool is_served = false;
    Queue<Outgoing> out;
    Queue<Incoming> in;
  };

  std::size_t ring_bytes() const;
  std::size_t memory_bytes() const;
  Header& header_of(std::byte* memory) const;
  Ring& ring_in(std::byte* memory, std::size_t place_of_sender) const;
  std::byte* slot_of(Ring& ring, std::uint64_t number) const;
  bool send_piece(int rank, Peer& peer);
  bool receive_piece(int rank, Peer& peer);
  void wake(Peer& peer) const;

  int rank_;
  std::size_t num_here_ = 0, own_place_ = 0, slot_bytes_ = 0;
  int file_ = -1;
  std::uint64_t token_ = 0;
  std::byte* memory_ = nullptr;
  std::vector<Peer> peers_;  // by rank
  std::size_t num_unfinished_ = 0;
  bool in_order_of_ranks_ = false;
  std::uint32_t num_wakes_seen_ = 0;
  std::optional<WrongLength> wrong_length_;
};

}  // namespace cornu::inline v0::distribute
