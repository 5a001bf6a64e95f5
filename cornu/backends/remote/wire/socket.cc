#include "cornu/backends/remote/wire/socket.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace cornu::inline v0::backends::remote {

std::string host_of(const std::string& host_port) {
  std::string host = host_port.substr(0, host_port.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

int SocketAddress::port() const {
  return ntohs(is_ipv6() ? reinterpret_cast<const sockaddr_in6&>(storage).sin6_port
                         : reinterpret_cast<const sockaddr_in&>(storage).sin_port);
}

void SocketAddress::set_port(int port) {
  const in_port_t value = htons(static_cast<in_port_t>(port));
  if (is_ipv6())
    reinterpret_cast<sockaddr_in6&>(storage).sin6_port = value;
  else
    reinterpret_cast<sockaddr_in&>(storage).sin_port = value;
}

std::string SocketAddress::text() const {
  char host[NI_MAXHOST] = "?";
  getnameinfo(data(), size, host, sizeof host, nullptr, 0, NI_NUMERICHOST);
  return is_ipv6() ? fmt::format("[{}]:{}", host, port()) : fmt::format("{}:{}", host, port());
}

SocketAddress own_address(int socket) {
  SocketAddress address{.size = sizeof(sockaddr_storage)};
  getsockname(socket, reinterpret_cast<sockaddr*>(&address.storage), &address.size);
  return address;
}

ResolvedHost resolve(const std::string& host_port, int flags) {
  const std::string host = host_of(host_port), port = host_port.substr(host_port.rfind(':') + 1);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  ResolvedHost result;
  addrinfo* first = nullptr;
  if (const int code = getaddrinfo(host.c_str(), port.c_str(), &hints, &first); code != 0)
    result.why = fmt::format("its name cannot be looked up: {}", gai_strerror(code));
  for (const addrinfo* at = first; at != nullptr; at = at->ai_next) {
    SocketAddress address{.size = at->ai_addrlen};
    std::memcpy(&address.storage, at->ai_addr, at->ai_addrlen);
    const auto is_it = [&](const SocketAddress& other) {
      return other.size == address.size && std::memcmp(&other.storage, &address.storage, address.size) == 0;
    };
    if (std::none_of(result.addresses.begin(), result.addresses.end(), is_it))
      result.addresses.push_back(address);
  }
  if (first != nullptr) freeaddrinfo(first);
  return result;
}

ClientSocket::ClientSocket(std::span<const SocketAddress> addresses, Clock::time_point deadline)
    : deadline_(deadline) {
  auto num_left = static_cast<int>(addresses.size());
  for (const SocketAddress& address : addresses) {
    const Clock::time_point now = Clock::now();
    open(address, now + (deadline_ - now) / num_left--);
    if (number_ >= 0) return;
  }
}

void ClientSocket::open(const SocketAddress& to, Clock::time_point end) {
  number_ = socket(to.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (number_ < 0) {  // such as where there is no IPv6; the reason of another address tells more
    if (why_.empty()) why_ = fmt::format("this machine gives no socket: {}", strerror(errno));
    return;
  }
  int error = connect(number_, to.data(), to.size) == 0 ? 0 : errno;
  // A signal does not end the attempt, which continues in the background.
  if (error == EINPROGRESS || error == EINTR) {
    socklen_t size = sizeof error;
    if (!wait_for(POLLOUT, end))
      error = ETIMEDOUT;
    else if (getsockopt(number_, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
      error = errno;
  }
  if (error == 0) return;
  why_ = error == ETIMEDOUT ? "nothing there takes connections in time"
                            : fmt::format("nothing there takes connections: {}", strerror(error));
  close_now();
}

void ClientSocket::close_now() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

bool ClientSocket::wait_for(short events, Clock::time_point end) const {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    pollfd entry{.fd = number_, .events = events, .revents = 0};
    const int count = poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (count >= 0 || errno != EINTR) return count > 0;
  }
}

bool ClientSocket::send(const std::string& text) const {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::send(number_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (count == 0 || (errno != EINTR && (errno != EAGAIN || !wait_for(POLLOUT))))
      return false;
  }
  return true;
}

std::string ClientSocket::receive_until(const std::string& end, std::size_t most_bytes) const {
  std::string text;
  char byte = 0;  // one at a time: later bytes belong to another reader
  while (text.size() < most_bytes && !text.ends_with(end)) {
    const ssize_t count = recv(number_, &byte, 1, 0);
    if (count > 0)
      text.push_back(byte);
    else if (count == 0 || (errno != EINTR && (errno != EAGAIN || !wait_for(POLLIN))))
      break;
  }
  return text;
}

std::string ClientSocket::peek(std::size_t most_bytes) const {
  std::string text(most_bytes, '\0');
  const ssize_t count = recv(number_, text.data(), text.size(), MSG_PEEK);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

}  // namespace cornu::inline v0::backends::remote
