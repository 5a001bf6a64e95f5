// Without it mpi.h includes MPI's obsolete C++ classes.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/module_loader.h"
#include "cornu/distribute/mpi/liveness_connections_support.h"
#include "cornu/distribute/mpi/module.h"
#include "cornu/distribute/processes/peers_support.h"
#include "cornu/distribute/processes/shared_memory_support.h"

namespace cornu::inline v0::distribute {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kTag = "MultiWorkerMirroredStrategy";
constexpr int kData = 1;
constexpr int kFarewell = 2;  // tag of the message that announces a process's end

std::string error_str(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return "error " + std::to_string(code);
  return {text, static_cast<std::size_t>(length)};
}

void check_mpi(int code, const char* call) {
  if (code != MPI_SUCCESS) fail(ErrorCode::kUnavailable, "[{}] {} failed: {}", kTag, call, error_str(code));
}

/// A point in time at which waiting stops; never if `seconds` is 0.
class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds), start_(Clock::now()) {}
  bool is_over(Clock::time_point now) const {
    return seconds_ > 0 && std::chrono::duration<double>(now - start_).count() > seconds_;
  }

 private:
  double seconds_;
  Clock::time_point start_;
};

/// Hint to the processor that a loop waits.
void pause_loop() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Processes that MPI has started. Those of one machine exchange messages through shared memory, others
/// through MPI, which is finalized at the end of the process. Never destroyed.
class World final : public Transport {
 public:
  World() {
    int is_running = 0;
    check_mpi(MPI_Initialized(&is_running), "MPI_Initialized");
    if (is_running == 0) {
      int provided = 0;
      check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
      finalizes_ = true;
    }
    int level = MPI_THREAD_SINGLE;
    check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
    may_change_threads_ = level >= MPI_THREAD_SERIALIZED;
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &world_), "MPI_Comm_dup");
    check_mpi(MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(world_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(world_, &size_), "MPI_Comm_size");
    here_ = this_process();
    peers_.resize(static_cast<std::size_t>(size_));
    check_mpi(MPI_Allgather(&here_, sizeof(Peer), MPI_BYTE, peers_.data(), sizeof(Peer), MPI_BYTE, world_),
              "MPI_Allgather");
    has_left_.resize(peers_.size());
    long here = 0;
    for (const Peer& peer : peers_) here += std::string_view(peer.machine) == here_.machine ? 1 : 0;
    shares_cores_ = here > sysconf(_SC_NPROCESSORS_ONLN);
    connect_lines();
    share_memory();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  bool may_change_threads() const override { return may_change_threads_; }
  bool takes_pieces() const override { return shares_with_all_; }

  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in,
                const ExchangeOptions& options) override {
    const std::lock_guard lock(in_use_);
    timeout_seconds_ = options.timeout_seconds;
    requests_.clear();
    try {
      split(out, in);
      if (memory_ != nullptr) memory_->start(near_out_, near_in_, options.in_order_of_ranks);
      for (const Incoming& message : far_in_)
        check_mpi(MPI_Irecv(message.bytes.data(), length(message.bytes), MPI_BYTE, message.rank, kData,
                            world_, &requests_.emplace_back(MPI_REQUEST_NULL)),
                  "MPI_Irecv");
      for (const Outgoing& message : far_out_)
        check_mpi(MPI_Isend(message.bytes.data(), length(message.bytes), MPI_BYTE, message.rank, kData,
                            world_, &requests_.emplace_back(MPI_REQUEST_NULL)),
                  "MPI_Isend");
      statuses_.resize(requests_.size());
      wait(in, out, options);
    } catch (...) {
      give_up();
      throw;
    }
    for (std::size_t i = 0; i < far_in_.size(); ++i) {
      int bytes = 0;
      MPI_Get_count(&statuses_[i], MPI_BYTE, &bytes);
      if (bytes != length(far_in_[i].bytes)) refuse_length(far_in_[i].rank, bytes, far_in_[i].bytes.size());
    }
  }

  /// Announces the end of the process to the others, and waits for their end, so that none loses its
  /// connection.
  void leave() {
    const std::unique_lock lock(in_use_, std::try_to_lock);  // a running exchange will not end
    if (!lock.owns_lock()) return;
    int is_over = 0;
    if (MPI_Finalized(&is_over) != MPI_SUCCESS || is_over != 0) return;
    std::vector<MPI_Request> sent(peers_.size(), MPI_REQUEST_NULL);
    for (int other = 0; other < size_; ++other)
      if (other != rank_)
        MPI_Isend(nullptr, 0, MPI_BYTE, other, kFarewell, world_, &sent[static_cast<std::size_t>(other)]);
    const Deadline deadline(has_waited_in_vain_ ? 1e-9 : timeout_seconds_);
    for (int other = 0; other < size_; ++other)
      while (other != rank_ && !is_gone(other) && !deadline.is_over(Clock::now()))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    bool all_left = true;
    for (int other = 0; other < size_; ++other)
      all_left = all_left && (other == rank_ || has_left_[static_cast<std::size_t>(other)]);
    // MPI_Finalize would wait for processes that have died.
    if (!finalizes_ || !all_left) return;
    MPI_Waitall(static_cast<int>(sent.size()), sent.data(), MPI_STATUSES_IGNORE);
    MPI_Finalize();
  }

 private:
  static int length(std::span<const std::byte> bytes) {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    if (bytes.size() > kMost)
      fail(ErrorCode::kUnimplemented, "[{}] {} bytes of one tensor cannot be sent at once; at most {}", kTag,
           bytes.size(), kMost);
    return static_cast<int>(bytes.size());
  }

  [[noreturn]] void refuse_length(int rank, std::int64_t got, std::size_t wanted) const {
    fail(ErrorCode::kUnavailable,
         "[{}] rank {} has sent {} bytes, but rank {} waits for {}: the ranks run different operations", kTag,
         rank, got, rank_, wanted);
  }

  std::string name_of(int rank) const {
    const Peer& peer = peers_[static_cast<std::size_t>(rank)];
    return fmt::format("rank {} (process {} on {})", rank, peer.pid, peer.host);
  }

  void connect_lines() {
    std::vector<bool> is_elsewhere;
    is_elsewhere.reserve(peers_.size());
    for (const Peer& peer : peers_) is_elsewhere.push_back(std::string_view(peer.machine) != here_.machine);
    // /proc shows the processes of one machine. All ranks decide alike, because the calls below are
    // collective.
    const auto is_first = [&](const Peer& peer) {
      return std::string_view(peer.machine) == peers_[0].machine;
    };
    if (std::all_of(peers_.begin(), peers_.end(), is_first)) return;
    lines_.connect(rank_, is_elsewhere,
                   [&](std::span<const std::byte> own, std::span<std::byte> all) { gather_all(own, all); });
    has_lines_ = true;
  }

  /// Maps memory that the processes of this machine share, where that is possible.
  void share_memory() {
    const auto count = peers_.size(), own = static_cast<std::size_t>(rank_);
    std::vector<bool> is_here, is_mutual(count);
    is_here.reserve(count);
    for (const Peer& peer : peers_) is_here.push_back(std::string_view(peer.machine) == here_.machine);
    auto memory = std::make_unique<SharedMemoryMessages>(rank_, is_here);
    SharedMemoryHandle handle = memory->handle();
    std::vector<SharedMemoryHandle> handles(count);
    gather_all(std::as_bytes(std::span(&handle, 1)), std::as_writable_bytes(std::span(handles)));
    std::vector<std::uint8_t> has_opened(count), all(count * count);
    for (std::size_t other = 0; other < count; ++other)
      if (is_here[other] && other != own)
        has_opened[other] = memory->open(static_cast<int>(other), handles[other]) ? 1 : 0;
    gather_all(std::as_bytes(std::span(has_opened)), std::as_writable_bytes(std::span(all)));
    for (std::size_t other = 0; other < count; ++other)
      is_mutual[other] = has_opened[other] != 0 && all[other * count + own] != 0;
    memory->finish_setup(is_mutual);
    const auto num_shared = std::count(is_mutual.begin(), is_mutual.end(), true);
    if (num_shared > 0) memory_ = std::move(memory);
    shares_with_all_ = num_shared > 0 && num_shared + 1 == size_;
  }

  void gather_all(std::span<const std::byte> own, std::span<std::byte> all) {
    check_mpi(MPI_Allgather(own.data(), length(own), MPI_BYTE, all.data(), length(own), MPI_BYTE, world_),
              "MPI_Allgather");
  }

  bool is_near(int rank) const { return memory_ != nullptr && memory_->serves(rank); }

  /// Separates messages through shared memory from those through MPI.
  void split(std::span<const Outgoing> out, std::span<const Incoming> in) {
    const auto add = [this](const auto& messages, auto& near, auto& far) {
      near.clear();
      far.clear();
      for (const auto& message : messages) (is_near(message.rank) ? near : far).push_back(message);
    };
    add(out, near_out_, far_out_);
    add(in, near_in_, far_in_);
  }

  ConnectionState line_to(int rank) { return has_lines_ ? lines_.state(rank) : ConnectionState::kNone; }

  /// True if a process has announced its end, has ended, or can no longer be reached.
  bool is_gone(int rank) {
    int is_there = 0;
    MPI_Status status;
    const auto i = static_cast<std::size_t>(rank);
    if (has_left_[i]) return true;
    if (MPI_Iprobe(rank, kFarewell, world_, &is_there, &status) == MPI_SUCCESS && is_there != 0) {
      MPI_Recv(nullptr, 0, MPI_BYTE, rank, kFarewell, world_, MPI_STATUS_IGNORE);
      has_left_[i] = true;
    }
    const ConnectionState line = line_to(rank);
    return has_left_[i] || has_ended(peers_[i], here_) || line == ConnectionState::kEnded ||
           line == ConnectionState::kUnreachable;
  }

  /// Throws if a process that this exchange needs is gone.
  void check_peers(std::span<const Incoming> in, std::span<const Outgoing> out) {
    const auto check_peer = [&](int rank) {
      if (!is_gone(rank)) return;
      // Messages sent before its end may still arrive.
      bool is_done = false;
      for (int i = 0; i < 100 && !is_done; ++i) {
        is_done = advance();
        if (!is_done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      if (is_done) return;
      fail(ErrorCode::kUnavailable,
           "[{}] {} {} while rank {} works with it; restart the program to continue from the last backup",
           kTag, name_of(rank),
           line_to(rank) == ConnectionState::kUnreachable
               ? fmt::format("is unreachable: its machine or connection has been silent for {} s",
                             LivenessConnections::kSecondsToBreak)
               : "has ended",
           rank_);
    };
    for (const Incoming& message : in) check_peer(message.rank);
    for (const Outgoing& message : out) check_peer(message.rank);
  }

  /// The ranks whose messages have not arrived, or which have not received ours; each once.
  std::vector<int> missing() const {
    std::vector<int> ranks;
    if (memory_ != nullptr) memory_->list_missing(ranks);
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      int done = 0;
      MPI_Status status;
      MPI_Request_get_status(requests_[i], &done, &status);
      const int rank = i < far_in_.size() ? far_in_[i].rank : far_out_[i - far_in_.size()].rank;
      if (done == 0 && std::find(ranks.begin(), ranks.end(), rank) == ranks.end()) ranks.push_back(rank);
    }
    return ranks;
  }

  [[noreturn]] void refuse_to_wait() {
    has_waited_in_vain_ = true;
    std::string names;
    const std::vector<int> ranks = missing();
    for (const int rank : ranks) names += (names.empty() ? "" : ", ") + name_of(rank);
    fail(ErrorCode::kUnavailable,
         "[{}] rank {} has waited {:g} s for {}, which {} not ended and {} not reached this operation: a "
         "rank hangs, or runs other operations than the others. If it only needs more time, set a larger "
         "timeout_seconds or CORNU_PROCESSES_TIMEOUT (0: no limit)",
         kTag, rank_, timeout_seconds_, names, ranks.size() == 1 ? "has" : "have",
         ranks.size() == 1 ? "has" : "have");
  }

  /// Moves messages. Returns true if all are done; otherwise `has_moved_` is set if any part of one was moved
  /// through shared memory.
  bool advance() {
    has_moved_ = memory_ != nullptr && memory_->advance();
    if (memory_ != nullptr && memory_->wrong_length())
      refuse_length(memory_->wrong_length()->rank, static_cast<std::int64_t>(memory_->wrong_length()->got),
                    memory_->wrong_length()->wanted);
    int done = 1;
    if (!requests_.empty()) {
      const int code =
          MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, statuses_.data());
      if (code != MPI_SUCCESS) refuse(code);
    }
    return done != 0 && (memory_ == nullptr || memory_->is_done());
  }

  /// Releases the core. Shared memory wakes the process at once, MPI does not.
  void nap(std::chrono::microseconds time) {
    constexpr auto kLongest = std::chrono::milliseconds(10);
    if (requests_.empty() && memory_ != nullptr)
      memory_->sleep(kLongest);
    else
      std::this_thread::sleep_for(time);
  }

  void wait(std::span<const Incoming> in, std::span<const Outgoing> out, const ExchangeOptions& options) {
    constexpr int kPollsPerLook = 64;  // between reads of the clock
    // A process that only yields its core is scheduled again before those that it waits for.
    constexpr auto kNap = std::chrono::microseconds(20), kNapBeside = std::chrono::microseconds(50);
    constexpr auto kPatience = std::chrono::milliseconds(5), kLook = std::chrono::milliseconds(200);
    Clock::time_point start = {}, next_look = {};
    const Deadline deadline(options.timeout_seconds);
    const auto leaves_core = [&] { return options.is_awaited != nullptr && !*options.is_awaited; };
    bool naps = shares_cores_;
    for (int i = 1;; ++i) {
      if (advance()) return;
      if (has_moved_) continue;
      const bool is_beside = leaves_core(), leaves = naps || is_beside;
      if (leaves)
        nap(is_beside ? kNapBeside : kNap);
      else
        pause_loop();
      if (!leaves && i % kPollsPerLook != 0) continue;
      const Clock::time_point now = Clock::now();
      if (start == Clock::time_point()) {
        start = now;
        next_look = now + kLook;
      }
      naps = shares_cores_ || now - start > kPatience;
      if (now < next_look) continue;
      check_peers(in, out);
      if (deadline.is_over(now)) refuse_to_wait();
      next_look = Clock::now() + kLook;
    }
  }

  [[noreturn]] void refuse(int code) const {
    const std::vector<Incoming>& in = far_in_;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const int own = code == MPI_ERR_IN_STATUS ? statuses_[i].MPI_ERROR : code;
      if (own == MPI_ERR_TRUNCATE) refuse_length(in[i].rank, -1, in[i].bytes.size());
      if (own != MPI_SUCCESS && own != MPI_ERR_PENDING)
        fail(ErrorCode::kUnavailable, "[{}] the message of {} did not arrive: {}", kTag, name_of(in[i].rank),
             error_str(own));
    }
    fail(ErrorCode::kUnavailable, "[{}] messages did not arrive: {}", kTag, error_str(code));
  }

  /// Abandons the exchange: MPI must not write to messages' memory any more.
  void give_up() {
    for (MPI_Request& request : requests_) {
      if (request == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&request);
      MPI_Request_free(&request);
    }
  }

  std::mutex in_use_;
  MPI_Comm world_ = MPI_COMM_NULL;
  bool finalizes_ = false;
  bool may_change_threads_ = false;
  double timeout_seconds_ = 0;       // of the latest exchange
  bool has_waited_in_vain_ = false;  // true after a timeout: that process may hang
  bool shares_cores_ = false;        // more ranks than cores: waiting must release the core
  int rank_ = 0, size_ = 1;
  Peer here_;
  std::vector<Peer> peers_;
  std::vector<bool> has_left_;
  LivenessConnections lines_;  // to processes on other machines
  bool has_lines_ = false;
  std::unique_ptr<SharedMemoryMessages> memory_;  // null: all messages go through MPI
  bool shares_with_all_ = false;
  bool has_moved_ = false;
  // Of the exchange in progress; kept, so that a step allocates nothing.
  std::vector<Outgoing> near_out_, far_out_;
  std::vector<Incoming> near_in_, far_in_;
  std::vector<MPI_Request> requests_;  // of far_in_, then of far_out_
  std::vector<MPI_Status> statuses_;
};

World& world() {
  static auto* const joined = [] {
    auto* const made = new World;
    std::atexit([] { world().leave(); });
    return made;
  }();
  return *joined;
}

std::shared_ptr<Transport> join() {
  return {std::shared_ptr<void>(), &world()};  // not owned
}

}  // namespace
}  // namespace cornu::inline v0::distribute

extern "C" [[gnu::visibility("default")]] const void* cornu_mpi_module() {
  static const cornu::distribute::MpiModule module{cornu::own_module_mark(), &cornu::distribute::join};
  return &module;
}
