#pragma once

#include <netdb.h>
#include <sys/time.h>

#include <string>

/// Connections without gRPC.
namespace cornu::inline v0::backends::remote {

/// "[::1]:8470" is "::1".
std::string host_of(const std::string& host_port);

/// The socket addresses of HOST:PORT.
class SocketAddresses {
 public:
  explicit SocketAddresses(const std::string& host_port, int flags = 0);
  ~SocketAddresses();
  SocketAddresses(const SocketAddresses&) = delete;
  SocketAddresses& operator=(const SocketAddresses&) = delete;
  const addrinfo* first() const { return first_; }
  /// Why there are none.
  const std::string& why() const { return why_; }

 private:
  addrinfo* first_ = nullptr;
  std::string why_;
};

/// A connection whose calls wait for `patience` at most.
class ClientSocket {
 public:
  ClientSocket(const std::string& host_port, const timeval& patience);
  ~ClientSocket() { close_now(); }
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;
  /// -1: there is no connection.
  int number() const { return number_; }
  /// Why there is none.
  const std::string& why() const { return why_; }
  /// False: the other side has gone.
  bool send(const std::string& text) const;
  /// Reads until the text ends with `end`, has `most_bytes` or the other side sends no more.
  std::string receive_until(const std::string& end, std::size_t most_bytes) const;

 private:
  void open(const addrinfo& to);
  void close_now();

  const timeval patience_;
  int number_ = -1;
  std::string why_;
};

}  // namespace cornu::inline v0::backends::remote
