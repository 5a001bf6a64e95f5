#include "cornu/distribute/processes/key_store.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/distribute/processes/peers_support.h"
#include "cornu/distribute/processes/process_group.h"
#include "cornu/distribute/processes/rendezvous_store_support.h"

namespace cornu::inline v0::distribute {
namespace {

using Clock = SocketClock;

constexpr auto kToConnect = std::chrono::seconds(5);
/// Additional time for rank 0 to report the timeout of a key.
constexpr auto kToAnswer = std::chrono::seconds(10);

/// A failure to get an answer.
enum class Loss { kEnded, kUnreachable, kSilent };

/// The addresses of rank 0 and of this process.
struct Route {
  SocketPlace there, here;
  int rank = 0;
  bool is_same_machine = false;
  std::string name_of_first, tag;

  Socket connect() const {
    Socket socket = call(there, here, rank, Clock::now() + kToConnect, is_same_machine);
    if (socket) keep(socket);
    return socket;
  }
  [[noreturn]] void refuse(Loss loss) const {
    fail(ErrorCode::kUnavailable,
         "[{}] {} {} while rank {} works with it; restart the program to continue from the last backup", tag,
         name_of_first,
         loss == Loss::kEnded         ? "has ended or released its devices"
         : loss == Loss::kUnreachable ? "is unreachable"
                                      : "does not answer",
         rank);
  }
};

/// Transfers all bytes, or returns the reason. `end` empty: no limit.
std::optional<Loss> transfer(const Socket& socket, bool sends, char* bytes, std::size_t size,
                             std::optional<Clock::time_point> end) {
  while (size > 0) {
    if (!waits_for(socket, sends ? POLLOUT : POLLIN, end.value_or(Clock::now() + std::chrono::hours(1)))) {
      if (end.has_value()) return Loss::kSilent;
      continue;
    }
    const ssize_t done =
        sends ? send(socket.number(), bytes, size, MSG_NOSIGNAL) : recv(socket.number(), bytes, size, 0);
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (done < 0 && errno != ECONNRESET && errno != EPIPE) return Loss::kUnreachable;
    if (done <= 0) return Loss::kEnded;
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
  return std::nullopt;
}

struct Answer {
  KeyAnswer::Kind kind = KeyAnswer::Kind::kNone;
  std::string text;
};

/// The store of the other ranks. Each request has its own connection until it is answered, since a request
/// may wait for minutes.
class DistantKeys final : public runtime::KeyValueStore {
 public:
  DistantKeys(Route route, Socket line, double most_seconds)
      : route_(std::move(route)), line_(std::move(line)), most_seconds_(most_seconds) {}

  void put(std::string_view key, std::string_view value) override {
    check_sizes(key, value);
    asked({.kind = KeyRequest::Kind::kPut}, key, value);
  }
  std::string get(std::string_view key, std::chrono::milliseconds timeout) override {
    const std::int64_t timeout_ms = limited_ms(timeout, most_seconds_);
    Answer answer = asked({.kind = KeyRequest::Kind::kGet, .timeout_ms = timeout_ms}, key, {});
    if (answer.kind == KeyAnswer::Kind::kFailed) fail(ErrorCode::kUnavailable, "{}", answer.text);
    return std::move(answer.text);
  }
  std::optional<std::string> try_get(std::string_view key) override {
    Answer answer = asked({.kind = KeyRequest::Kind::kTryGet}, key, {});
    if (answer.kind != KeyAnswer::Kind::kValue) return std::nullopt;
    return std::move(answer.text);
  }
  void give_up(const std::string& why) noexcept override {
    try {
      asked({.kind = KeyRequest::Kind::kGiveUp}, {}, why);
    } catch (...) {
      return;  // rank 0 is gone then, or sees this process end
    }
  }
  void go_on() override { ++meeting_; }
  void check_peers() override {
    const std::lock_guard lock(line_mutex_);
    const std::optional<Loss> loss = read_line();
    if (failure_.has_value() && failed_at_ >= meeting_) fail(ErrorCode::kUnavailable, "{}", *failure_);
    if (!loss.has_value()) return;
    // It may have ended because all work is done.
    if (!lost_since_.has_value()) lost_since_ = Clock::now();
    if (Clock::now() - *lost_since_ > kUntilMissed) route_.refuse(*loss);
  }

 private:
  /// Reads messages that rank 0 has sent over the line.
  std::optional<Loss> read_line() {
    char bytes[4096];
    while (true) {
      // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): MSG_DONTWAIT, it does not block
      const ssize_t size = recv(line_.number(), bytes, sizeof(bytes), MSG_DONTWAIT);
      if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return std::nullopt;
      if (size < 0 && errno != ECONNRESET) return Loss::kUnreachable;
      if (size <= 0) return Loss::kEnded;
      said_.append(bytes, static_cast<std::size_t>(size));
      KeyAnswer header;
      while (said_.size() >= sizeof(header)) {
        std::memcpy(&header, said_.data(), sizeof(header));
        if (!header.is_sane() || said_.size() - sizeof(header) < header.num_bytes) break;
        if (header.kind == KeyAnswer::Kind::kFailed) {
          failure_ = said_.substr(sizeof(header), header.num_bytes);
          failed_at_ = header.meeting;
        }
        said_.erase(0, sizeof(header) + header.num_bytes);
      }
    }
  }

  Answer asked(KeyRequest request, std::string_view key, std::string_view value) {
    Socket socket = lease();
    request.meeting = meeting_;
    request.key_size = key.size();
    request.value_size = value.size();
    std::string bytes = message_of(request, key, value);
    std::optional<Clock::time_point> end = Clock::now() + kToAnswer;
    if (request.timeout_ms < 0)
      end.reset();
    else
      *end += std::chrono::milliseconds(request.timeout_ms);
    std::optional<Loss> loss = transfer(socket, true, bytes.data(), bytes.size(), end);
    KeyAnswer header;
    if (!loss) loss = transfer(socket, false, reinterpret_cast<char*>(&header), sizeof(header), end);
    Answer answer;
    if (!loss && header.is_sane()) {
      answer.kind = header.kind;
      answer.text.resize(header.num_bytes);
      loss = transfer(socket, false, answer.text.data(), answer.text.size(), Clock::now() + kToAnswer);
    }
    if (loss) route_.refuse(*loss);
    const std::lock_guard lock(idle_mutex_);
    idle_.push_back(std::move(socket));
    return answer;
  }

  Socket lease() {
    {
      const std::lock_guard lock(idle_mutex_);
      if (!idle_.empty()) {
        Socket socket = std::move(idle_.back());
        idle_.pop_back();
        return socket;
      }
    }
    Socket socket = route_.connect();
    if (!socket) {
      // A process that has ended accepts no connection either; the open line shows it.
      const std::lock_guard lock(line_mutex_);
      route_.refuse(read_line().value_or(Loss::kUnreachable));
    }
    return socket;
  }

  const Route route_;
  std::mutex line_mutex_;
  Socket line_;
  std::string said_;
  std::optional<std::string> failure_;
  std::uint32_t failed_at_ = 0;  // last meeting of the process for which the failure holds
  std::atomic<std::uint32_t> meeting_{0};
  std::optional<Clock::time_point> lost_since_;
  std::mutex idle_mutex_;
  std::vector<Socket> idle_;
  double most_seconds_;
};

/// A process's introduction before keys can be exchanged. Sent as it is.
struct Introduction {
  SocketPlace place;
  Peer peer;
  std::uint64_t sees = 0;
};

std::vector<Introduction> introductions(runtime::Collective& processes, const Introduction& own) {
  std::vector<Introduction> all(static_cast<std::size_t>(processes.size()));
  processes.all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

/// The line to rank 0, confirmed by its answer; none on failure.
Socket connect_line(const Route& route) {
  Socket line = route.connect();
  KeyAnswer hello;
  if (line &&
      transfer(line, false, reinterpret_cast<char*>(&hello), sizeof(hello), Clock::now() + kToConnect))
    return Socket();
  return line;
}

}  // namespace

std::shared_ptr<runtime::KeyValueStore> ProcessGroup::open_store() {
  if (!transport_->may_open_sockets())
    fail(ErrorCode::kUnimplemented,
         "[{}] this group has no rendezvous store: its members exchange bytes only over the connections that "
         "they have authenticated",
         name());
  Introduction own{.place = {}, .peer = this_process()};
  Socket listener;
  if (rank() == 0) {
    own.place = this_socket_place();
    listener = listen_to(own.place, size());
  }
  const std::vector<Introduction> all = introductions(*this, own);
  std::vector<std::string> names;
  names.reserve(all.size());
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    names.push_back(fmt::format("rank {} (process {} on {})", rank, all[rank].peer.pid, all[rank].peer.host));
  const double most_seconds = timeout_seconds();
  std::shared_ptr<runtime::KeyValueStore> keys;
  if (rank() == 0) {
    if (listener)
      keys = std::make_shared<RendezvousStore>(
          std::move(listener),
          RendezvousStore::Settings{
              .token = own.place.token, .names = names, .tag = name(), .most_seconds = most_seconds});
  } else if (all[0].place.port != 0) {
    Route route{.there = all[0].place,
                .here = this_socket_place(),
                .rank = rank(),
                .is_same_machine = std::strcmp(all[0].peer.machine, own.peer.machine) == 0,
                .name_of_first = names[0],
                .tag = name()};
    if (Socket line = connect_line(route))
      keys = std::make_shared<DistantKeys>(std::move(route), std::move(line), most_seconds);
  }
  const std::vector<std::uint64_t> connected = gather(keys != nullptr ? 1 : 0);
  const auto missing = std::find(connected.begin(), connected.end(), 0u);
  if (missing != connected.end())
    fail(ErrorCode::kUnavailable,
         "[{}] {} cannot connect to {}, which listens at port {}, to send it its devices: a firewall may "
         "block this port",
         name(), names[static_cast<std::size_t>(missing - connected.begin())], names[0], all[0].place.port);
  return keys;
}

int local_rank(runtime::Collective& processes, std::string_view sees) {
  const Introduction own{.place = {}, .peer = this_process(), .sees = std::hash<std::string_view>()(sees)};
  const std::vector<Introduction> all = introductions(processes, own);
  return static_cast<int>(
      std::count_if(all.begin(), all.begin() + processes.rank(), [&](const Introduction& other) {
        return std::strcmp(other.peer.machine, own.peer.machine) == 0 && other.sees == own.sees;
      }));
}

}  // namespace cornu::inline v0::distribute
