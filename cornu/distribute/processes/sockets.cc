#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cornu/base/random_token.h"
#include "cornu/distribute/processes/sockets_support.h"

namespace cornu::inline v0::distribute {
namespace {

// Timeout of one connection attempt; inside a data centre it takes less than one millisecond.
constexpr auto kOneConnect = std::chrono::milliseconds(500);

/// The only message on a connection, sent by the caller.
struct Hello {
  std::uint64_t token = 0;  // of the called process
  std::int32_t rank = 0;    // of the calling process
};

bool is_same(const in6_addr& a, const in6_addr& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

void list_addresses(SocketPlace& place) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return;
  for (const ifaddrs* at = all; at != nullptr && place.num_addresses < SocketPlace::kMostAddresses;
       at = at->ifa_next) {
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

Socket connect_to(const in6_addr& where, std::uint16_t port, SocketClock::time_point end) {
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
  if (errno != EINPROGRESS || !waits_for(made, POLLOUT, std::min(end, SocketClock::now() + kOneConnect)) ||
      getsockopt(made.number(), SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0)
    return Socket();
  return made;
}

/// ::ffff:127.0.0.1
in6_addr loopback() {
  in6_addr address = {};
  address.s6_addr[10] = address.s6_addr[11] = 0xff;
  address.s6_addr[12] = 127;
  address.s6_addr[15] = 1;
  return address;
}

}  // namespace

Socket::~Socket() {
  if (number_ >= 0) close(number_);
}

SocketPlace this_socket_place() {
  SocketPlace place;
  place.token = random_token();
  list_addresses(place);
  return place;
}

Socket listen_to(SocketPlace& place, int most_waiting) {
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

bool waits_for(const Socket& socket, short events, SocketClock::time_point end) {
  constexpr long long kMost = 3'600'000;  // poll's limit is an int
  pollfd asked{socket.number(), events, 0};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - SocketClock::now()).count();
    const int ready = poll(&asked, 1, static_cast<int>(std::clamp<long long>(left, 0, kMost)));
    if (ready > 0) return true;
    if (left <= 0 || (ready < 0 && errno != EINTR)) return false;
  }
}

Socket call(const SocketPlace& there, const SocketPlace& here, int own_rank, SocketClock::time_point end,
            bool is_same_machine) {
  const Hello hello{.token = there.token, .rank = own_rank};
  const auto call_at = [&](const in6_addr& address) {
    Socket made = connect_to(address, there.port, end);
    if (made && send(made.number(), &hello, sizeof(hello), MSG_NOSIGNAL) == sizeof(hello)) return made;
    return Socket();
  };
  for (std::size_t i = 0; i < there.num_addresses && SocketClock::now() < end; ++i) {
    const in6_addr& address = there.addresses[i];
    const auto* const own_end = here.addresses.begin() + here.num_addresses;
    if (!is_same_machine && std::any_of(here.addresses.begin(), own_end,
                                        [&](const in6_addr& own) { return is_same(own, address); }))
      continue;
    if (Socket made = call_at(address)) return made;
  }
  return is_same_machine ? call_at(loopback()) : Socket();
}

std::pair<Socket, int> answer(const Socket& listener, std::uint64_t token, SocketClock::time_point end) {
  while (waits_for(listener, POLLIN, end)) {
    Socket made(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    Hello hello;
    if (made && waits_for(made, POLLIN, std::min(end, SocketClock::now() + kOneConnect)) &&
        recv(made.number(), &hello, sizeof(hello), 0) == sizeof(hello) && hello.token == token)
      return {std::move(made), hello.rank};
  }
  return {Socket(), 0};
}

void keep(const Socket& socket) {
  constexpr int kOn = 1, kIdleSeconds = 3, kSecondsBetween = 1,
                kMostUnanswered = kSecondsToBreak - kIdleSeconds;
  const int number = socket.number();
  setsockopt(number, SOL_SOCKET, SO_KEEPALIVE, &kOn, sizeof(kOn));
  setsockopt(number, IPPROTO_TCP, TCP_KEEPIDLE, &kIdleSeconds, sizeof(kIdleSeconds));
  setsockopt(number, IPPROTO_TCP, TCP_KEEPINTVL, &kSecondsBetween, sizeof(kSecondsBetween));
  setsockopt(number, IPPROTO_TCP, TCP_KEEPCNT, &kMostUnanswered, sizeof(kMostUnanswered));
}

}  // namespace cornu::inline v0::distribute
