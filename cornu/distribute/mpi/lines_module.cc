#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <random>
#include <utility>

#include "cornu/distribute/mpi/lines_support.h"

namespace cornu::inline v0::distribute {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostAddresses = 8;
constexpr auto kOneConnect =
    std::chrono::milliseconds(500);                     // longest; in one data centre it takes less than one
constexpr auto kAllConnects = std::chrono::seconds(3);  // longest, of one process together

/// A socket that is closed at the end.
class Socket {
 public:
  explicit Socket(int number = -1) : number_(number) {}
  Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Socket() {
    if (number_ >= 0) close(number_);
  }
  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// Where a process can be reached, as it says itself. Sent as it is.
struct Place {
  std::uint64_t token = 0;  // by which it knows who means it
  std::uint16_t port = 0;   // 0: it does not listen
  std::uint16_t num_addresses = 0;
  std::array<in6_addr, kMostAddresses> addresses = {};  // those of IPv4 as mapped ones
};

/// The first and only thing that is sent, by who connects.
struct Hello {
  std::uint64_t token = 0;  // of who is called
  std::int32_t rank = 0;    // of who calls
};

bool is_same(const in6_addr& a, const in6_addr& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

/// The addresses of this machine that others may reach: no loopback, none that hold on one link only.
void list_addresses(Place& place) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return;
  for (const ifaddrs* at = all; at != nullptr && place.num_addresses < kMostAddresses; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || (at->ifa_flags & IFF_LOOPBACK) != 0 || (at->ifa_flags & IFF_UP) == 0)
      continue;
    in6_addr address = {};
    if (at->ifa_addr->sa_family == AF_INET) {
      address.s6_addr[10] = address.s6_addr[11] = 0xff;
      std::memcpy(&address.s6_addr[12], &reinterpret_cast<const sockaddr_in*>(at->ifa_addr)->sin_addr, 4);
    } else if (at->ifa_addr->sa_family == AF_INET6) {
      address = reinterpret_cast<const sockaddr_in6*>(at->ifa_addr)->sin6_addr;
      if (IN6_IS_ADDR_LINKLOCAL(&address)) continue;
    } else {
      continue;
    }
    place.addresses[place.num_addresses++] = address;
  }
  freeifaddrs(all);
}

/// For IPv6 and IPv4, or for IPv4 alone where a machine has no IPv6. Fills in the port.
Socket listen_to(Place& place, int most_waiting) {
  for (const int family : {AF_INET6, AF_INET}) {
    Socket made(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!made) continue;
    sockaddr_storage address = {};
    address.ss_family = static_cast<sa_family_t>(family);
    socklen_t size = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    const int no = 0;
    if (family == AF_INET6) setsockopt(made.number(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (bind(made.number(), any, size) != 0 || listen(made.number(), most_waiting) != 0 ||
        getsockname(made.number(), any, &size) != 0)
      continue;
    place.port = ntohs(family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(any)->sin6_port
                                          : reinterpret_cast<sockaddr_in*>(any)->sin_port);
    return made;
  }
  return Socket();
}

/// Whether it becomes ready for `events` before `end`.
bool waits_for(const Socket& socket, short events, Clock::time_point end) {
  pollfd asked{socket.number(), events, 0};
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  return poll(&asked, 1, static_cast<int>(std::max<long long>(0, left))) > 0;
}

Socket connect_to(const in6_addr& where, std::uint16_t port, Clock::time_point end) {
  const bool is_four = IN6_IS_ADDR_V4MAPPED(&where);
  Socket made(socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made) return made;
  sockaddr_in four = {};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  std::memcpy(&four.sin_addr, &where.s6_addr[12], 4);
  sockaddr_in6 six = {};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  six.sin6_addr = where;
  const auto* const address =
      is_four ? reinterpret_cast<const sockaddr*>(&four) : reinterpret_cast<const sockaddr*>(&six);
  const socklen_t size = is_four ? sizeof(four) : sizeof(six);
  if (connect(made.number(), address, size) == 0) return made;
  int error = 0;
  socklen_t length = sizeof(error);
  if (errno != EINPROGRESS || !waits_for(made, POLLOUT, std::min(end, Clock::now() + kOneConnect)) ||
      getsockopt(made.number(), SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0)
    return Socket();
  return made;
}

/// Tries the addresses of `there`, but for those that this machine has too: they do not lead there.
Socket call(const Place& there, const Place& here, int own_rank, Clock::time_point end) {
  const Hello hello{.token = there.token, .rank = own_rank};
  for (std::size_t i = 0; i < there.num_addresses && Clock::now() < end; ++i) {
    const in6_addr& address = there.addresses[i];
    const auto* const own_end = here.addresses.begin() + here.num_addresses;
    if (std::any_of(here.addresses.begin(), own_end,
                    [&](const in6_addr& own) { return is_same(own, address); }))
      continue;
    Socket made = connect_to(address, there.port, end);
    if (made && send(made.number(), &hello, sizeof(hello), MSG_NOSIGNAL) == sizeof(hello)) return made;
  }
  return Socket();
}

/// The next who calls and means this process, and his rank; none when nobody has come before `end`.
std::pair<Socket, int> answer(const Socket& listener, std::uint64_t token, Clock::time_point end) {
  while (waits_for(listener, POLLIN, end)) {
    Socket made(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    Hello hello;
    if (made && waits_for(made, POLLIN, std::min(end, Clock::now() + kOneConnect)) &&
        recv(made.number(), &hello, sizeof(hello), 0) == sizeof(hello) && hello.token == token)
      return {std::move(made), hello.rank};
  }
  return {Socket(), 0};
}

/// The kernel asks every second whether the other end is there, after so many seconds of silence.
void keep(const Socket& socket) {
  constexpr int kOn = 1, kIdleSeconds = 3, kSecondsBetween = 1,
                kMostUnanswered = Lines::kSecondsToBreak - kIdleSeconds;
  const int number = socket.number();
  setsockopt(number, SOL_SOCKET, SO_KEEPALIVE, &kOn, sizeof(kOn));
  setsockopt(number, IPPROTO_TCP, TCP_KEEPIDLE, &kIdleSeconds, sizeof(kIdleSeconds));
  setsockopt(number, IPPROTO_TCP, TCP_KEEPINTVL, &kSecondsBetween, sizeof(kSecondsBetween));
  setsockopt(number, IPPROTO_TCP, TCP_KEEPCNT, &kMostUnanswered, sizeof(kMostUnanswered));
}

std::uint64_t random_token() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace

Lines::~Lines() {
  for (std::size_t rank = 0; rank < lines_.size(); ++rank) drop(rank);
}

void Lines::drop(std::size_t rank) {
  if (lines_[rank].socket >= 0) close(lines_[rank].socket);
  lines_[rank] = {};
}

void Lines::connect(int rank, const std::vector<bool>& is_elsewhere, const AllGather& all_gather) {
  const std::size_t count = is_elsewhere.size(), own = static_cast<std::size_t>(rank);
  lines_.resize(count);
  Place here;
  here.token = random_token();
  list_addresses(here);
  const Socket listener = listen_to(here, static_cast<int>(count));
  std::vector<Place> places(count);
  all_gather(std::as_bytes(std::span(&here, 1)), std::as_writable_bytes(std::span(places)));

  // Each calls those of higher ranks; calls wait at who is called until he has done his own.
  std::vector<Socket> sockets(count);
  std::vector<std::uint8_t> called(count), all(count * count);
  const Clock::time_point last_call = Clock::now() + kAllConnects;
  for (std::size_t other = own + 1; other < count; ++other) {
    if (!is_elsewhere[other] || places[other].port == 0) continue;
    sockets[other] = call(places[other], here, rank, last_call);
    called[other] = sockets[other] ? 1 : 0;
  }
  const auto gather = [&](const std::vector<std::uint8_t>& mine) {
    all_gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  };
  gather(called);
  std::size_t num_callers = 0;
  for (std::size_t other = 0; other < own; ++other) num_callers += all[other * count + own];
  std::vector<std::uint8_t> answered(count);
  for (const Clock::time_point end = Clock::now() + kAllConnects; num_callers > 0; --num_callers) {
    auto [made, caller] = answer(listener, here.token, end);
    if (!made) break;
    if (caller < 0 || caller >= rank) continue;
    sockets[static_cast<std::size_t>(caller)] = std::move(made);
    answered[static_cast<std::size_t>(caller)] = 1;
  }
  // A line is there where both say so.
  gather(answered);
  for (std::size_t other = 0; other < count; ++other) {
    const bool is_there =
        other < own ? answered[other] != 0 : called[other] != 0 && all[other * count + own] != 0;
    if (!is_there || !sockets[other]) continue;
    keep(sockets[other]);
    lines_[other] = {sockets[other].release(), LineState::kThere};
  }
}

LineState Lines::state(int rank) {
  Line& line = lines_[static_cast<std::size_t>(rank)];
  if (line.last != LineState::kThere) return line.last;
  char byte = 0;
  const ssize_t size = recv(line.socket, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return line.last;
  line.last = size >= 0 || errno == ECONNRESET ? LineState::kEnded : LineState::kUnreachable;
  return line.last;
}

}  // namespace cornu::inline v0::distribute
