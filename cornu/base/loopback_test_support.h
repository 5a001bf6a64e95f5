#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>

/// Connections inside one machine, for servers that tests play.
namespace cornu::inline v0 {

inline sockaddr_in loopback_at(int port) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  return place;
}

/// A socket that is connected to a port of this machine, which the caller closes; negative if no program listens there.
inline int connected_to_loopback(int port) {
  const int link = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in place = loopback_at(port);
  if (::connect(link, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) return link;
  ::close(link);
  return -1;
}

/// Listens on a free port of this machine. Threads: stop() may be called by another one than accept_one().
class LoopbackListener {
 public:
  /// Errors: std::runtime_error.
  LoopbackListener() : number_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place = loopback_at(0);
    socklen_t size = sizeof place;
    if (::bind(number_, reinterpret_cast<sockaddr*>(&place), size) != 0 || ::listen(number_, 16) != 0 ||
        ::getsockname(number_, reinterpret_cast<sockaddr*>(&place), &size) != 0)
      throw std::runtime_error("no socket to listen on");
    port_ = ntohs(place.sin_port);
  }
  ~LoopbackListener() { ::close(number_); }
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  int number() const { return number_; }
  int port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  /// Waits for the next connection, which the caller closes; negative after stop().
  int accept_one() const { return ::accept4(number_, nullptr, nullptr, SOCK_CLOEXEC); }
  void stop() const { ::shutdown(number_, SHUT_RDWR); }

 private:
  int number_ = -1;
  int port_ = 0;
};

}  // namespace cornu::inline v0
