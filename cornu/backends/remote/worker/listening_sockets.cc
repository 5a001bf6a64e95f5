#include "cornu/backends/remote/worker/listening_sockets.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// The number of free ports to try: a port that is free at one address may not be at the next.
constexpr int kMostPorts = 16;

/// A socket bound to the address, or -1 with errno.
Descriptor bound_socket(const SocketAddress& to, bool takes_ipv4) {
  Descriptor made(socket(to.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (made.number() < 0) return made;
  const int yes = 1, only_ipv6 = takes_ipv4 ? 0 : 1;
  if (to.is_ipv6()) setsockopt(made.number(), IPPROTO_IPV6, IPV6_V6ONLY, &only_ipv6, sizeof only_ipv6);
  setsockopt(made.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(made.number(), to.data(), to.size) == 0) return made;
  const int error = errno;
  ::close(made.release());
  errno = error;
  return made;
}

std::string listening_sentence(int error) {
  if (error == EADDRINUSE) return "another program listens there: give another port, or 0 for a free one";
  if (error == EADDRNOTAVAIL)
    return "this machine has no such address: give one of its own, or 0.0.0.0 for all";
  return strerror(error);
}

}  // namespace

ListeningSockets::ListeningSockets(const std::string& host_port) : host_port_(host_port) {
  const std::string host = host_of(host_port);
  if (host == "0.0.0.0" || host == "::") {
    bind_any();
    return;
  }
  const ResolvedHost resolved = resolve(host_port, AI_PASSIVE);
  if (resolved.addresses.empty())
    fail(ErrorCode::kUnavailable, "[worker] \"{}\" cannot be listened on: {}", host_port, resolved.why);
  bind_all(resolved.addresses);
}

ListeningSockets::ListeningSockets(const std::string& host_port, std::span<const SocketAddress> addresses)
    : host_port_(host_port) {
  bind_all(addresses);
}

bool ListeningSockets::has(int socket) const {
  return std::any_of(sockets_.begin(), sockets_.end(),
                     [socket](const Descriptor& one) { return one.number() == socket; });
}

/// Binds one IPv6 socket, which also accepts IPv4; without IPv6, one IPv4 socket.
void ListeningSockets::bind_any() {
  const std::string port = host_port_.substr(host_port_.rfind(':'));
  Failure failure{.place = host_port_};
  for (const std::string& all : {"[::]" + port, "0.0.0.0" + port}) {
    for (const SocketAddress& address : resolve(all, AI_PASSIVE).addresses) {
      Descriptor socket = bound_socket(address, true);
      if (socket.number() >= 0) {
        port_ = own_address(socket.number()).port();
        sockets_.push_back(std::move(socket));
        return;
      }
      if (failure.error == 0) failure.error = errno;
    }
    if (failure.error == EADDRINUSE) break;
  }
  refuse(failure);
}

void ListeningSockets::bind_all(std::span<const SocketAddress> addresses) {
  const auto is_taken = [](const Failure& failure) { return failure.error == EADDRINUSE; };
  std::vector<Failure> failures;
  auto taken = failures.end();
  for (int i = 0; i < kMostPorts; ++i) {
    failures = bind_each(addresses);
    taken = std::find_if(failures.begin(), failures.end(), is_taken);
    if (taken == failures.end() || addresses.front().port() != 0) break;
  }
  if (taken != failures.end()) refuse(*taken);
  if (sockets_.empty()) refuse(failures.front());
  for (const Failure& failure : failures)
    log_warning("[worker] \"{}\" has the address {} too, where this worker does not listen: {}", host_port_,
                failure.place, listening_sentence(failure.error));
}

/// Binds all addresses at one port, and returns the failures.
std::vector<ListeningSockets::Failure> ListeningSockets::bind_each(std::span<const SocketAddress> addresses) {
  sockets_.clear();
  port_ = 0;
  std::vector<Failure> failures;
  for (SocketAddress address : addresses) {
    if (address.port() == 0) address.set_port(port_);
    Descriptor socket = bound_socket(address, false);
    if (socket.number() < 0) {
      const int error = errno;
      failures.push_back({address.text(), error});
      continue;
    }
    if (port_ == 0) port_ = own_address(socket.number()).port();
    sockets_.push_back(std::move(socket));
  }
  return failures;
}

void ListeningSockets::listen() {
  for (const Descriptor& socket : sockets_)
    if (::listen(socket.number(), SOMAXCONN) != 0) {
      const int error = errno;
      refuse({own_address(socket.number()).text(), error});
    }
}

void ListeningSockets::refuse(const Failure& failure) const {
  const std::string place = failure.place == host_port_ ? "" : failure.place + ": ";
  fail(ErrorCode::kUnavailable, "[worker] \"{}\" cannot be listened on: {}{}", host_port_, place,
       listening_sentence(failure.error));
}

}  // namespace cornu::inline v0::backends::remote
