#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// Connections without gRPC.
namespace cornu::inline v0::backends::remote {

/// "[::1]:8470" gives "::1".
std::string host_of(const std::string& host_port);

/// One address of a host, with the port.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&storage); }
  bool is_ipv6() const { return storage.ss_family == AF_INET6; }
  int port() const;
  void set_port(int port);
  /// "127.0.0.1:8470" or "[::1]:8470".
  std::string text() const;
};
/// The address that a socket is bound to.
SocketAddress own_address(int socket);

struct ResolvedHost {
  std::vector<SocketAddress> addresses;  // each once
  std::string why;                       // the reason if there are none
};
/// Looks up the addresses of HOST:PORT. `flags`: those of getaddrinfo, which sets its own time limit.
ResolvedHost resolve(const std::string& host_port, int flags = 0);

/// A connection with one deadline for all operations: connecting, sending, receiving. Its socket is
/// non-blocking.
class ClientSocket {
 public:
  using Clock = std::chrono::steady_clock;

  /// Connects to the first of the addresses that accepts. Each gets an equal part of the remaining time.
  ClientSocket(std::span<const SocketAddress> addresses, Clock::time_point deadline);
  ~ClientSocket() { close_now(); }
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;
  /// -1 without a connection.
  int number() const { return number_; }
  /// The reason for a missing connection.
  const std::string& why() const { return why_; }
  /// Waits for `events` of poll(), or for the connection's end. False at the deadline.
  bool wait_for(short events) const { return wait_for(events, deadline_); }
  /// False if the other side is gone, or accepts nothing until the deadline.
  bool send(const std::string& text) const;
  /// Reads until the text ends with `end` or has `most_bytes`, the other side's end, or the deadline.
  std::string receive_until(const std::string& end, std::size_t most_bytes) const;
  /// At most `most_bytes` received bytes, without removing them.
  std::string peek(std::size_t most_bytes) const;

 private:
  void open(const SocketAddress& to, Clock::time_point end);
  bool wait_for(short events, Clock::time_point end) const;
  void close_now();

  const Clock::time_point deadline_;
  int number_ = -1;
  std::string why_;
};

}  // namespace cornu::inline v0::backends::remote
