#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstring>
#include <ctime>
#include <new>
#include <string>

#include "cornu/base/check.h"
#include "cornu/base/random_token.h"
#include "cornu/distribute/processes/shared_memory_support.h"

namespace cornu::inline v0::distribute {
namespace {

constexpr std::size_t kLine = 64, kPage = 4096;
constexpr std::uint64_t kNumSlots = 8;  // of a ring
// A ring stays in the caches of both processes, and the rings of a process have a bound in total.
constexpr std::size_t kMostSlotBytes = 32 << 10, kMostBytes = 16 << 20;

/// The beginning of a slot; the piece follows after a cache line.
struct SlotHeader {
  std::uint64_t message_bytes = 0;  // of the whole message
  std::uint64_t piece_bytes = 0;
};

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* limit) {
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
  syscall(SYS_futex, &word, operation, value, limit, nullptr, 0);
}

/// Maps a file of the length `bytes`; null if that is impossible.
std::byte* map_file(int file, std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

}  // namespace

/// The beginning of a process's memory.
struct SharedMemoryMessages::Header {
  std::uint64_t token = 0;
  alignas(kLine) std::atomic<std::uint32_t> num_wakes{0};
  std::atomic<std::uint32_t> is_asleep{0};
};

/// The beginning of a ring. The counters of slots only grow; the slots follow on the next page.
struct SharedMemoryMessages::Ring {
  alignas(kLine) std::atomic<std::uint64_t> num_written{0};  // by the sender
  alignas(kLine) std::atomic<std::uint64_t> num_read{0};     // by the process that has the memory
};

std::size_t SharedMemoryMessages::ring_bytes() const {
  return kPage + (kNumSlots * (kLine + slot_bytes_) + kPage - 1) / kPage * kPage;
}
std::size_t SharedMemoryMessages::memory_bytes() const { return kPage + num_here_ * ring_bytes(); }

SharedMemoryMessages::Header& SharedMemoryMessages::header_of(std::byte* memory) const {
  return *std::launder(reinterpret_cast<Header*>(memory));
}
SharedMemoryMessages::Ring& SharedMemoryMessages::ring_in(std::byte* memory,
                                                          std::size_t place_of_sender) const {
  return *std::launder(reinterpret_cast<Ring*>(memory + kPage + place_of_sender * ring_bytes()));
}
std::byte* SharedMemoryMessages::slot_of(Ring& ring, std::uint64_t number) const {
  return reinterpret_cast<std::byte*>(&ring) + kPage + number % kNumSlots * (kLine + slot_bytes_);
}

SharedMemoryMessages::SharedMemoryMessages(int rank, const std::vector<bool>& is_here)
    : rank_(rank), peers_(is_here.size()) {
  for (std::size_t other = 0; other < is_here.size(); ++other)
    if (is_here[other]) peers_[other].place = num_here_++;
  own_place_ = peers_[static_cast<std::size_t>(rank)].place;
  slot_bytes_ = std::clamp(kMostBytes / (std::max<std::size_t>(num_here_, 1) * kNumSlots) / kPage * kPage,
                           kPage, kMostSlotBytes);
  token_ = random_token();
  file_ = memfd_create("cornu-messages", MFD_CLOEXEC);
  if (file_ < 0) return;
  if (ftruncate(file_, static_cast<off_t>(memory_bytes())) == 0) memory_ = map_file(file_, memory_bytes());
  if (memory_ == nullptr) return;
  new (memory_) Header{.token = token_};
  for (std::size_t place = 0; place < num_here_; ++place)
    if (place != own_place_) new (&ring_in(memory_, place)) Ring;
}

SharedMemoryMessages::~SharedMemoryMessages() {
  for (Peer& peer : peers_)
    if (peer.memory != nullptr) munmap(peer.memory, memory_bytes());
  if (memory_ != nullptr) munmap(memory_, memory_bytes());
  if (file_ >= 0) close(file_);
}

SharedMemoryHandle SharedMemoryMessages::handle() const {
  return {.pid = getpid(), .file = memory_ == nullptr ? -1 : file_, .token = token_};
}

bool SharedMemoryMessages::open(int rank, const SharedMemoryHandle& handle) {
  if (handle.file < 0 || memory_ == nullptr || rank == rank_) return false;
  const std::string path = "/proc/" + std::to_string(handle.pid) + "/fd/" + std::to_string(handle.file);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status = {};
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  if (fstat(file, &status) == 0 && status.st_size == static_cast<off_t>(memory_bytes()))
    peer.memory = map_file(file, memory_bytes());
  close(file);
  if (peer.memory == nullptr) return false;
  if (header_of(peer.memory).token == handle.token) return true;
  munmap(peer.memory, memory_bytes());
  peer.memory = nullptr;
  return false;
}

void SharedMemoryMessages::finish_setup(const std::vector<bool>& is_mutual) {
  for (std::size_t other = 0; other < peers_.size(); ++other)
    peers_[other].is_served = is_mutual[other] && peers_[other].memory != nullptr;
  if (file_ >= 0) close(file_);
  file_ = -1;
}

void SharedMemoryMessages::start(std::span<const Outgoing> out, std::span<const Incoming> in,
                                 bool in_order_of_ranks) {
  in_order_of_ranks_ = in_order_of_ranks;
  wrong_length_.reset();
  const auto clear = [](auto& queue) {
    queue.messages.clear();
    queue.next = queue.offset = 0;
  };
  for (Peer& peer : peers_) {
    clear(peer.out);
    clear(peer.in);
  }
  for (const Outgoing& message : out)
    peers_[static_cast<std::size_t>(message.rank)].out.messages.push_back(message);
  for (const Incoming& message : in)
    peers_[static_cast<std::size_t>(message.rank)].in.messages.push_back(message);
  num_unfinished_ = 0;
  for (const Peer& peer : peers_)
    num_unfinished_ += (peer.out.is_done() ? 0 : 1) + (peer.in.is_done() ? 0 : 1);
}

bool SharedMemoryMessages::advance() {
  // Read before the rings: a later change of the counter means that a ring may have changed since.
  num_wakes_seen_ = header_of(memory_).num_wakes.load(std::memory_order_acquire);
  bool has_moved = false, may_receive = true;
  for (std::size_t other = 0; other < peers_.size() && !wrong_length_; ++other) {
    Peer& peer = peers_[other];
    const int rank = static_cast<int>(other);
    if (!peer.out.is_done() && send_piece(rank, peer)) has_moved = true;
    if (!may_receive || peer.in.is_done()) continue;
    if (receive_piece(rank, peer)) has_moved = true;
    if (in_order_of_ranks_ && !peer.in.is_done()) may_receive = false;
  }
  return has_moved;
}

bool SharedMemoryMessages::send_piece(int rank, Peer& peer) {
  Ring& ring = ring_in(peer.memory, own_place_);
  const std::uint64_t number = ring.num_written.load(std::memory_order_relaxed);
  if (number - ring.num_read.load(std::memory_order_acquire) == kNumSlots) return false;
  const Outgoing& message = peer.out.message();
  const std::size_t message_bytes = message.size_bytes(),
                    piece_bytes = std::min(slot_bytes_, message_bytes - peer.out.offset);
  std::byte* const slot = slot_of(ring, number);
  const SlotHeader header{.message_bytes = message_bytes, .piece_bytes = piece_bytes};
  std::memcpy(slot, &header, sizeof(header));
  if (message.pieces != nullptr)
    message.pieces->write(rank, peer.out.offset, {slot + kLine, piece_bytes});
  else if (piece_bytes > 0)
    std::memcpy(slot + kLine, message.bytes.data() + peer.out.offset, piece_bytes);
  ring.num_written.store(number + 1, std::memory_order_release);
  wake(peer);
  if (peer.out.add_piece(piece_bytes, message_bytes)) --num_unfinished_;
  return true;
}

bool SharedMemoryMessages::receive_piece(int rank, Peer& peer) {
  Ring& ring = ring_in(memory_, peer.place);
  const std::uint64_t number = ring.num_read.load(std::memory_order_relaxed);
  if (ring.num_written.load(std::memory_order_acquire) == number) return false;
  const Incoming& message = peer.in.message();
  const std::size_t message_bytes = message.size_bytes();
  const std::byte* const slot = slot_of(ring, number);
  SlotHeader header;
  std::memcpy(&header, slot, sizeof(header));
  if (header.message_bytes != message_bytes) {
    wrong_length_ = {.rank = rank, .got = header.message_bytes, .wanted = message_bytes};
    return false;
  }
  CORNU_CHECK(header.piece_bytes == std::min(slot_bytes_, message_bytes - peer.in.offset), "{} of {} bytes",
              header.piece_bytes, message_bytes);
  if (message.pieces != nullptr)
    message.pieces->read(rank, peer.in.offset, {slot + kLine, header.piece_bytes});
  else if (header.piece_bytes > 0)
    std::memcpy(message.bytes.data() + peer.in.offset, slot + kLine, header.piece_bytes);
  ring.num_read.store(number + 1, std::memory_order_release);
  wake(peer);
  if (peer.in.add_piece(header.piece_bytes, message_bytes)) --num_unfinished_;
  return true;
}

void SharedMemoryMessages::wake(Peer& peer) const {
  Header& header = header_of(peer.memory);
  // Either this process sees that the other one sleeps, or the other one sees the changed ring.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (header.is_asleep.load(std::memory_order_relaxed) == 0) return;
  header.num_wakes.fetch_add(1, std::memory_order_release);
  futex(header.num_wakes, FUTEX_WAKE, INT_MAX, nullptr);
}

void SharedMemoryMessages::sleep(std::chrono::nanoseconds limit) {
  Header& own = header_of(memory_);
  own.is_asleep.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!advance() && !wrong_length_) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
    const timespec time{.tv_sec = seconds.count(), .tv_nsec = (limit - seconds).count()};
    futex(own.num_wakes, FUTEX_WAIT, num_wakes_seen_, &time);
  }
  own.is_asleep.store(0, std::memory_order_relaxed);
}

void SharedMemoryMessages::list_missing(std::vector<int>& ranks) const {
  for (std::size_t other = 0; other < peers_.size(); ++other) {
    const int rank = static_cast<int>(other);
    const bool is_missing = !peers_[other].out.is_done() || !peers_[other].in.is_done();
    if (is_missing && std::ranges::find(ranks, rank) == ranks.end()) ranks.push_back(rank);
  }
}

}  // namespace cornu::inline v0::distribute
