#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/service_thread.h"
#include "cornu/distribute/processes/rendezvous_store_support.h"

namespace cornu::inline v0::distribute {
namespace {

/// Handshake timeout for new connections.
constexpr auto kToSayWho = std::chrono::milliseconds(500);

std::pair<Socket, Socket> socket_pair() {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
    fail(ErrorCode::kResourceExhausted, "[processes] no socket is available: {}", std::strerror(errno));
  return {Socket(ends[0]), Socket(ends[1])};
}

}  // namespace

/// A connection from another process.
struct RendezvousStore::Caller {
  Socket socket;
  int rank = 0;
  bool is_line = false;
  bool is_gone = false;
  std::string in = {}, out = {};  // received bytes, and bytes to be sent
  std::optional<Wait> wait = {};
};

void check_sizes(std::string_view key, std::string_view value) {
  if (key.size() > kMostKeyBytes || value.size() > kMostValueBytes)
    fail(ErrorCode::kUnimplemented, "[processes] a key has at most {} bytes and its value {}; got {} and {}",
         kMostKeyBytes, kMostValueBytes, key.size(), value.size());
}

std::int64_t limited_ms(std::chrono::milliseconds timeout, double most_seconds) {
  const std::int64_t most = most_seconds > 0 ? static_cast<std::int64_t>(most_seconds * 1e3) : -1;
  if (timeout.count() < 0) return most;
  return most < 0 ? timeout.count() : std::min<std::int64_t>(timeout.count(), most);
}

RendezvousStore::RendezvousStore(Socket listener, Settings settings)
    : names_(std::move(settings.names)),
      tag_(std::move(settings.tag)),
      token_(settings.token),
      most_seconds_(settings.most_seconds),
      listener_(std::move(listener)) {
  std::tie(wakes_, woken_) = socket_pair();
  thread_ = start_service_thread([this] { serve(); });
}

RendezvousStore::~RendezvousStore() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake();
  thread_.join();
}

void RendezvousStore::wake() {
  const char byte = 0;
  static_cast<void>(send(wakes_.number(), &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT));  // full: it is awake
}

void RendezvousStore::put(std::string_view key, std::string_view value) {
  check_sizes(key, value);
  {
    const std::lock_guard lock(mutex_);
    values_.insert_or_assign(std::string(key), std::string(value));
    changed_.notify_all();
  }
  wake();
}

std::optional<std::string> RendezvousStore::try_get(std::string_view key) {
  const std::lock_guard lock(mutex_);
  const auto found = values_.find(key);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::string RendezvousStore::get(std::string_view key, std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  const Wait wait = wait_for(key, limited_ms(timeout, most_seconds_), meeting_);
  const auto has_failed = [&] { return failure_.has_value() && failure_->holds_for(wait.meeting); };
  const auto own = own_waits_.emplace(key);
  auto found = values_.find(key);
  while (found == values_.end() && !has_failed()) {
    if (!wait.end.has_value()) {
      changed_.wait(lock);
    } else if (changed_.wait_until(lock, *wait.end) == std::cv_status::timeout && Clock::now() >= *wait.end) {
      found = values_.find(key);
      break;
    }
    found = values_.find(key);
  }
  own_waits_.erase(own);
  last_waits_[0] = Clock::now();
  if (found != values_.end()) return found->second;
  fail(ErrorCode::kUnavailable, "{}", has_failed() ? failure_->text : late_text(0, wait));
}

void RendezvousStore::give_up(const std::string& why) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    fail_by(0, why, meeting_);
  } catch (...) {
    return;  // the others then wait until they see it end
  }
  wake();
}

void RendezvousStore::go_on() {
  const std::lock_guard lock(mutex_);
  ++meeting_;
}

void RendezvousStore::check_peers() {
  const std::lock_guard lock(mutex_);
  if (failure_.has_value() && failure_->holds_for(meeting_))
    fail(ErrorCode::kUnavailable, "{}", failure_->text);
}

void RendezvousStore::fail_by(int rank, std::string_view why, std::uint32_t meeting) {
  fail_all({.text = fmt::format("[{}] {} failed: {}", tag_, names_[static_cast<std::size_t>(rank)], why),
            .meeting = meeting});
}

/// Records a failure and sends it to all. Of failures that last equally long the first is the cause of the
/// others.
void RendezvousStore::fail_all(Failure failure) {
  if (failure_.has_value() && failure_->holds_for(failure.meeting)) return;
  failure_ = std::move(failure);
  for (const std::unique_ptr<Caller>& caller : callers_)
    if (caller->is_line)
      caller->out += answer_of(KeyAnswer::Kind::kFailed, failure_->text, failure_->meeting);
  changed_.notify_all();
}

RendezvousStore::Wait RendezvousStore::wait_for(std::string_view key, std::int64_t timeout_ms,
                                                std::uint32_t meeting) {
  Wait wait{.key = std::string(key), .meeting = meeting, .timeout_ms = timeout_ms, .end = std::nullopt};
  if (timeout_ms >= 0) wait.end = Clock::now() + std::chrono::milliseconds(timeout_ms);
  return wait;
}

bool RendezvousStore::waits(int rank) const {
  // Waits that began together end together.
  const auto last = last_waits_.find(rank);
  if (last != last_waits_.end() && Clock::now() - last->second < kUntilMissed) return true;
  if (rank == 0) return !own_waits_.empty();
  return std::any_of(callers_.begin(), callers_.end(), [&](const std::unique_ptr<Caller>& caller) {
    return caller->rank == rank && caller->wait.has_value();
  });
}

/// The timeout error of a wait. The rank that should have put the key is unknown. Ranks that wait for a key
/// themselves are as far as this one; the others are reported as missing.
std::string RendezvousStore::late_text(int rank, const Wait& wait) const {
  std::vector<std::string> missing;
  for (int other = 0; std::cmp_less(other, names_.size()); ++other)
    if (other != rank && !waits(other)) missing.push_back(names_[static_cast<std::size_t>(other)]);
  return fmt::format(
      "[{}] rank {} has waited {:g} s for key \"{}\", which no rank has put: {}", tag_, rank,
      static_cast<double>(wait.timeout_ms) * 1e-3, wait.key,
      missing.empty() ? std::string("all ranks wait for keys")
      : missing.size() == 1
          ? missing[0] +
                " has not ended and waits for no key: it hangs, or runs other operations than the others"
          : fmt::format("{} have not ended and wait for no key: they hang, or run other operations",
                        fmt::join(missing, ", ")));
}

void RendezvousStore::serve() {
  std::vector<pollfd> asked;
  while (true) {
    int milliseconds = 0;
    {
      const std::lock_guard lock(mutex_);
      if (ends_) return;
      asked = {{woken_.number(), POLLIN, 0}, {listener_.number(), POLLIN, 0}};
      for (const std::unique_ptr<Caller>& caller : callers_) {
        const bool sends = !caller->out.empty();
        asked.push_back({caller->socket.number(), static_cast<short>(sends ? POLLIN | POLLOUT : POLLIN), 0});
      }
      milliseconds = milliseconds_to_sleep();
    }
    if (poll(asked.data(), asked.size(), milliseconds) < 0 && errno != EINTR) return;
    std::array<char, 64> bytes;
    while (recv(woken_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) continue;
    std::pair<Socket, int> came{Socket(), 0};
    if ((asked[1].revents & POLLIN) != 0) came = answer(listener_, token_, Clock::now() + kToSayWho);
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 2; i < asked.size(); ++i)
      if (asked[i].revents != 0) look_at(*callers_[i - 2]);
    find_gone();
    answer_waits();
    std::erase_if(callers_, [](const std::unique_ptr<Caller>& caller) { return caller->is_gone; });
    if (came.first && came.second > 0 && std::cmp_less(came.second, names_.size())) {
      keep(came.first);
      const bool has_line = std::any_of(callers_.begin(), callers_.end(), [&](const auto& caller) {
        return caller->is_line && caller->rank == came.second;
      });
      auto& caller = *callers_.emplace_back(std::make_unique<Caller>());
      caller.socket = std::move(came.first);
      caller.rank = came.second;
      caller.is_line = !has_line;
      // The first connection learns that it is the line, and which failure it has missed.
      if (caller.is_line) caller.out = answer_of(KeyAnswer::Kind::kNone, "");
      if (caller.is_line && failure_.has_value())
        caller.out += answer_of(KeyAnswer::Kind::kFailed, failure_->text, failure_->meeting);
    }
  }
}

int RendezvousStore::milliseconds_to_sleep() const {
  std::optional<Clock::time_point> next;
  const auto consider = [&](Clock::time_point at) { next = next.has_value() ? std::min(*next, at) : at; };
  for (const std::unique_ptr<Caller>& caller : callers_)
    if (caller->wait.has_value() && caller->wait->end.has_value()) consider(*caller->wait->end);
  if (!failure_.has_value() || failure_->meeting != kForEver)
    for (const Gone& gone : gone_) consider(gone.since + kUntilMissed);
  if (!next.has_value()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 3'600'000));
}

void RendezvousStore::look_at(Caller& caller) {
  std::array<char, 64 << 10> bytes;
  while (!caller.is_gone) {
    // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): MSG_DONTWAIT, it does not block
    const ssize_t size = recv(caller.socket.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) break;
    if (size <= 0)
      lose(caller, size < 0 && errno != ECONNRESET);
    else
      caller.in.append(bytes.data(), static_cast<std::size_t>(size));
  }
  if (!caller.is_gone && !take_requests(caller)) lose(caller, false);
  while (!caller.is_gone && !caller.out.empty()) {
    const ssize_t size =
        send(caller.socket.number(), caller.out.data(), caller.out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0) break;  // full, or closed, which the next poll detects
    caller.out.erase(0, static_cast<std::size_t>(size));
  }
}

void RendezvousStore::lose(Caller& caller, bool is_unreachable) {
  caller.is_gone = true;
  if (caller.is_line) gone_.push_back({caller.rank, is_unreachable, Clock::now()});
}

bool RendezvousStore::take_requests(Caller& caller) {
  KeyRequest request;
  std::size_t begin = 0;
  while (caller.in.size() - begin >= sizeof(request)) {
    std::memcpy(&request, caller.in.data() + begin, sizeof(request));
    if (!request.is_sane()) return false;
    if (caller.in.size() - begin - sizeof(request) < request.num_bytes()) break;
    take(caller, request, std::string_view(caller.in).substr(begin + sizeof(request), request.num_bytes()));
    begin += sizeof(request) + request.num_bytes();
  }
  caller.in.erase(0, begin);
  return true;
}

void RendezvousStore::take(Caller& caller, const KeyRequest& request, std::string_view bytes) {
  const std::string_view key = bytes.substr(0, request.key_size), value = bytes.substr(request.key_size);
  switch (request.kind) {
    case KeyRequest::Kind::kPut:
      values_.insert_or_assign(std::string(key), std::string(value));
      changed_.notify_all();
      caller.out += answer_of(KeyAnswer::Kind::kNone, "");
      break;
    case KeyRequest::Kind::kGet: caller.wait = wait_for(key, request.timeout_ms, request.meeting); break;
    case KeyRequest::Kind::kTryGet: {
      const auto found = values_.find(key);
      caller.out += found == values_.end() ? answer_of(KeyAnswer::Kind::kNone, "")
                                           : answer_of(KeyAnswer::Kind::kValue, found->second);
      break;
    }
    case KeyRequest::Kind::kGiveUp:
      fail_by(caller.rank, value, request.meeting);
      caller.out += answer_of(KeyAnswer::Kind::kNone, "");
      break;
  }
}

void RendezvousStore::find_gone() {
  if (failure_.has_value() && failure_->meeting == kForEver) return;
  for (const Gone& gone : gone_) {
    if (Clock::now() < gone.since + kUntilMissed) continue;
    const std::string what =
        gone.is_unreachable
            ? fmt::format("is unreachable: its machine or connection has been silent for {} s",
                          kSecondsToBreak)
            : "has ended or released its devices while others work with it";
    fail_all({.text = fmt::format("[{}] {} {}; restart the program to continue from the last backup", tag_,
                                  names_[static_cast<std::size_t>(gone.rank)], what)});
    return;
  }
}

void RendezvousStore::answer_waits() {
  for (const std::unique_ptr<Caller>& caller : callers_) {
    if (caller->is_gone) continue;
    if (caller->wait.has_value()) {
      const auto found = values_.find(caller->wait->key);
      const bool is_late = caller->wait->end.has_value() && Clock::now() >= *caller->wait->end;
      if (found != values_.end())
        caller->out += answer_of(KeyAnswer::Kind::kValue, found->second);
      else if (failure_.has_value() && failure_->holds_for(caller->wait->meeting))
        caller->out += answer_of(KeyAnswer::Kind::kFailed, failure_->text);
      else if (is_late)
        caller->out += answer_of(KeyAnswer::Kind::kFailed, late_text(caller->rank, *caller->wait));
      else
        continue;
      caller->wait.reset();
      last_waits_[caller->rank] = Clock::now();
    }
    if (!caller->out.empty()) look_at(*caller);
  }
}

}  // namespace cornu::inline v0::distribute
