#include "cornu/backends/remote/worker/listener.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "cornu/backends/remote/wire/admission.h"
#include "cornu/backends/remote/wire/wire.h"
#include "cornu/base/check.h"
#include "cornu/base/service_thread.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Timeout of a connection's first request.
constexpr auto kAdmissionTimeout = std::chrono::seconds(10);
/// A connection ends after this time without acknowledgement of data, as gRPC sets it for connections that it
/// accepts itself.
constexpr unsigned kUserTimeoutMs = 3000;
/// Number of descriptors that the process requests, if its limit allows.
constexpr rlim_t kMostDescriptors = 16384;
constexpr std::size_t kMostPending = 256;
/// Accepts this part of the places before pending connections are checked again.
constexpr std::size_t kPartOfPlaces = 4;
/// Delay before the next attempt if the system lacks memory for a connection.
constexpr auto kPause = std::chrono::milliseconds(10);

/// Raises the limit of descriptors as far as allowed and wanted; returns it.
std::size_t raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  const rlim_t wanted = std::max(limit.rlim_cur, std::min(limit.rlim_max, kMostDescriptors));
  const rlimit raised{.rlim_cur = wanted, .rlim_max = limit.rlim_max};
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit.rlim_cur = wanted;
  return static_cast<std::size_t>(std::min(limit.rlim_cur, kMostDescriptors));
}

/// Owns a descriptor returned by `call`. Errors: ResourceExhausted if it failed.
Descriptor made(int number, std::string_view call) {
  const int error = errno;
  if (number < 0)
    fail(ErrorCode::kResourceExhausted,
         "[worker] there is no descriptor for its connections ({}: {}): raise the limit, e.g. by ulimit -n "
         "1024",
         call, strerror(error));
  return Descriptor(number);
}

Descriptor open_spare() { return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

void set_option(int socket, int level, int name, int value) {
  setsockopt(socket, level, name, &value, sizeof value);
}

/// Reads unread data of a refused client: closing a socket with unread data resets the connection, and the
/// client may lose the response.
void take_in(int socket) {
  char bytes[4 * kMaxAdmissionBytes];
  (void)!recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
}

/// Sends a few hundred bytes, which always fit in a new connection's buffer.
void send_answer(int socket, int status, std::string_view fields, std::string_view sentence) {
  const std::string text =
      fmt::format("HTTP/1.0 {} {}\r\n{}{}{}{}", status, status == 200 ? "OK" : "No", fields,
                  sentence.empty() ? "" : "content-type: text/plain\r\n", "\r\n", sentence);
  (void)!send(socket, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

/// True if one of the texts is a prefix of the other, so that more bytes decide.
bool may_become(std::string_view text, std::string_view line) {
  return text.substr(0, line.size()) == line.substr(0, text.size());
}

}  // namespace

Listener::Listener(const std::string& host_port, std::string token)
    : asks_token_(!token.empty()),
      challenges_(std::move(token)),
      sockets_(host_port),
      events_(made(epoll_create1(EPOLL_CLOEXEC), "epoll")),
      wake_(made(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")),
      spare_(open_spare()) {
  // An eighth is reserved for files, devices and libraries.
  const std::size_t num_descriptors = raise_descriptor_limit();
  max_pending_ = std::clamp<std::size_t>(num_descriptors / 8, 8, kMostPending);
  max_open_ = std::max<std::size_t>(num_descriptors - num_descriptors / 8 - max_pending_, 8);
  open_.reserve(max_open_);
}

void Listener::start(PassOn pass_on) {
  sockets_.listen();
  pass_on_ = std::move(pass_on);
  watch(wake_.number());
  for (const Descriptor& listener : sockets_.all()) watch(listener.number());
  thread_ = start_service_thread([this] { work(); });
}

void Listener::stop() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  (void)!write(wake_.number(), &one, sizeof one);
  thread_.join();
  by_socket_.clear();
  pending_.clear();
  sockets_.close();
}

void Listener::watch(int socket) {
  epoll_event event{.events = EPOLLIN, .data = {.fd = socket}};
  if (epoll_ctl(events_.number(), EPOLL_CTL_ADD, socket, &event) != 0)
    fail(ErrorCode::kResourceExhausted, "[worker] the system does not watch its sockets (epoll_ctl: {})",
         strerror(errno));
}

void Listener::work() {
  while (true) {
    epoll_event events[64];
    const int count = epoll_wait(events_.number(), events, std::size(events), milliseconds_to_next_end());
    for (int i = 0; i < count; ++i) {
      if (events[i].data.fd == wake_.number()) return;
      try {
        serve(events[i].data.fd);
      } catch (const std::exception&) {  // such as out of memory; others are still served
        std::this_thread::sleep_for(kPause);
      }
    }
    drop_late();
  }
}

void Listener::serve(int socket) {
  if (sockets_.has(socket)) {
    accept_from(socket);
  } else if (const auto found = by_socket_.find(socket); found != by_socket_.end()) {
    look_at(found->second);
  }
}

int Listener::milliseconds_to_next_end() const {
  if (pending_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(pending_.front().end - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

void Listener::accept_from(int listener) {
  for (std::size_t i = 0; i < max_pending_ / kPartOfPlaces; ++i) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    Descriptor socket(
        accept4(listener, reinterpret_cast<sockaddr*>(&address), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.number() < 0) {
      if (errno == EMFILE || errno == ENFILE) return accept_and_drop(listener);
      if (errno == ENOBUFS || errno == ENOMEM) std::this_thread::sleep_for(kPause);
      if (errno == ECONNABORTED || errno == EINTR) continue;
      return;
    }
    if (pending_.size() >= max_pending_) make_room();
    receive(std::move(socket), address);
  }
}

void Listener::accept_and_drop(int listener) {
  if (spare_.number() < 0 && !pending_.empty()) make_room();
  spare_ = Descriptor(-1);
  const Descriptor dropped(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  if (dropped.number() < 0) std::this_thread::sleep_for(kPause);
}

void Listener::receive(Descriptor socket, const sockaddr_storage& from) {
  const int number = socket.number();
  pending_.push_back({std::move(socket), origins_.add(from), Clock::now() + kAdmissionTimeout});
  by_socket_[number] = std::prev(pending_.end());
  // Edge-triggered: incomplete requests stay in the kernel and must not wake this thread again.
  epoll_event event{.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data = {.fd = number}};
  if (epoll_ctl(events_.number(), EPOLL_CTL_ADD, number, &event) != 0) drop(std::prev(pending_.end()));
}

/// Closes the oldest connection from the most frequent origin.
void Listener::make_room() {
  if (!pending_.empty()) drop(Origins::most_crowded(pending_));
}

void Listener::drop(PendingList::iterator connection) {
  by_socket_.erase(connection->socket.number());
  origins_.remove(connection->origin);
  pending_.erase(connection);
}

void Listener::drop_late() {
  const Clock::time_point now = Clock::now();
  while (!pending_.empty() && pending_.front().end <= now) drop(pending_.begin());
  if (spare_.number() < 0) spare_ = open_spare();
}

void Listener::look_at(PendingList::iterator connection) {
  char bytes[kMaxAdmissionBytes];
  const int socket = connection->socket.number();
  const ssize_t count = recv(socket, bytes, sizeof bytes, MSG_PEEK);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return drop(connection);
  std::string_view text(bytes, static_cast<std::size_t>(count));
  const Verdict verdict = verdict_on(text);
  if (verdict == Verdict::kWait) return;
  if (verdict == Verdict::kPassOn) return pass_on(connection);
  if (verdict == Verdict::kRefuse) {
    take_in(socket);
    send_answer(socket, kUnauthorized, "", kTokenSentence);
    return drop(connection);
  }
  text = text.substr(0, text.find(kEndOfRequest) + kEndOfRequest.size());
  if (recv(socket, bytes, text.size(), 0) != static_cast<ssize_t>(text.size())) return drop(connection);
  verdict == Verdict::kAdmit ? admit(connection, text) : answer(connection, text);
}

Listener::Verdict Listener::verdict_on(std::string_view text) const {
  const std::pair<std::string_view, Verdict> lines[] = {
      {kGreetingLine, Verdict::kGreet}, {kHealthLine, Verdict::kHealth}, {kAdmissionLine, Verdict::kAdmit}};
  for (const auto& [line, verdict] : lines) {
    if (verdict == Verdict::kAdmit && !asks_token_) continue;
    if (!may_become(text, line)) continue;
    if (text.size() >= line.size() && text.find(kEndOfRequest) != std::string_view::npos) return verdict;
    return text.size() < kMaxAdmissionBytes ? Verdict::kWait : Verdict::kRefuse;
  }
  return asks_token_ ? Verdict::kRefuse : Verdict::kPassOn;
}

void Listener::answer(PendingList::iterator connection, std::string_view request) {
  const int socket = connection->socket.number();
  if (request.starts_with(kHealthLine)) {
    const bool is_serving = is_serving_;
    send_answer(socket, is_serving ? 200 : kServiceUnavailable, "",
                is_serving ? "SERVING\n" : "NOT_SERVING\n");
  } else {
    std::string fields = fmt::format("{}: {}\r\n", kProtocolField, kProtocolVersion);
    if (asks_token_)
      fields += fmt::format("{}: {}\r\n", kChallengeField, to_hex(challenges_.make(Clock::now())));
    send_answer(socket, 200, fields, "");
  }
  drop(connection);
}

void Listener::admit(PendingList::iterator connection, std::string_view request) {
  const int socket = connection->socket.number();
  const Answer answer = challenges_.check(admission_field(request, kAdmissionField), Clock::now());
  if (answer != Answer::kRight) {
    send_answer(socket, answer == Answer::kOver ? kGone : kUnauthorized, "", "");
    return drop(connection);
  }
  if (may_open_another()) send_answer(socket, 200, "", "");
  pass_on(connection);
}

bool Listener::may_open_another() {
  if (open_.size() < max_open_) return true;
  std::erase_if(open_, [](const OpenConnection& connection) {
    struct stat status = {};
    return fstat(connection.socket, &status) != 0 || status.st_ino != connection.inode ||
           status.st_dev != connection.device;
  });
  return open_.size() < max_open_;
}

void Listener::pass_on(PendingList::iterator connection) {
  if (!may_open_another()) {
    take_in(connection->socket.number());
    send_answer(connection->socket.number(), kServiceUnavailable, "", "");
    return drop(connection);
  }
  by_socket_.erase(connection->socket.number());
  const int socket = connection->socket.release();
  drop(connection);
  epoll_ctl(events_.number(), EPOLL_CTL_DEL, socket, nullptr);
  struct stat status = {};
  fstat(socket, &status);
  open_.push_back({socket, status.st_dev, status.st_ino});
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(kUserTimeoutMs));
  pass_on_(socket);
}

}  // namespace cornu::inline v0::backends::remote
