#include "cornu/backends/remote/wire/socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cornu::inline v0::backends::remote {

std::string host_of(const std::string& host_port) {
  std::string host = host_port.substr(0, host_port.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

SocketAddresses::SocketAddresses(const std::string& host_port, int flags) {
  const std::string host = host_of(host_port), port = host_port.substr(host_port.rfind(':') + 1);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  if (const int code = getaddrinfo(host.c_str(), port.c_str(), &hints, &first_); code != 0)
    why_ = fmt::format("its name cannot be looked up: {}", gai_strerror(code));
}

SocketAddresses::~SocketAddresses() {
  if (first_ != nullptr) freeaddrinfo(first_);
}

ClientSocket::ClientSocket(const std::string& host_port, const timeval& patience) : patience_(patience) {
  const SocketAddresses addresses(host_port);
  why_ = addresses.why();
  for (const addrinfo* at = addresses.first(); at != nullptr && number_ < 0; at = at->ai_next) open(*at);
}

void ClientSocket::open(const addrinfo& to) {
  number_ = socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number_ < 0) {  // such as where there is no IPv6; what another address said tells more
    if (why_.empty()) why_ = fmt::format("this machine gives no socket: {}", strerror(errno));
    return;
  }
  setsockopt(number_, SOL_SOCKET, SO_SNDTIMEO, &patience_, sizeof patience_);
  setsockopt(number_, SOL_SOCKET, SO_RCVTIMEO, &patience_, sizeof patience_);
  if (connect(number_, to.ai_addr, to.ai_addrlen) == 0) return;
  why_ = errno == EINPROGRESS ? "nothing there takes connections in time"
                              : fmt::format("nothing there takes connections: {}", strerror(errno));
  close_now();
}

void ClientSocket::close_now() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

bool ClientSocket::send(const std::string& text) const {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::send(number_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

std::string ClientSocket::receive_until(const std::string& end, std::size_t most_bytes) const {
  std::string text;
  char byte = 0;  // one at a time: what follows is another reader's
  while (text.size() < most_bytes && !text.ends_with(end)) {
    const ssize_t count = recv(number_, &byte, 1, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.push_back(byte);
  }
  return text;
}

}  // namespace cornu::inline v0::backends::remote
