#pragma once

#include <span>
#include <string>
#include <vector>

#include "cornu/backends/remote/wire/socket.h"
#include "cornu/backends/remote/worker/data_root.h"

namespace cornu::inline v0::backends::remote {

/// A worker's listening sockets: one for each address of its HOST:PORT. They are bound by the constructor, so
/// that errors occur early, and accept connections after listen().
class ListeningSockets {
 public:
  /// Port 0 means any free one. 0.0.0.0 and [::] mean all addresses of this machine.
  /// Errors: kUnavailable with the reason, if no address can be bound, or another program has one of them:
  ///         clients would reach that program. Addresses that fail for other reasons are skipped, with a
  ///         warning.
  explicit ListeningSockets(const std::string& host_port);
  /// `addresses`: those of HOST:PORT.
  ListeningSockets(const std::string& host_port, std::span<const SocketAddress> addresses);

  int port() const { return port_; }
  /// Errors: kUnavailable if another program has begun to listen there meanwhile.
  void listen();
  void close() { sockets_.clear(); }
  const std::vector<Descriptor>& all() const { return sockets_; }
  bool has(int socket) const;

 private:
  struct Failure {
    std::string place;
    int error = 0;
  };

  void bind_any();
  void bind_all(std::span<const SocketAddress> addresses);
  std::vector<Failure> bind_each(std::span<const SocketAddress> addresses);
  [[noreturn]] void refuse(const Failure& failure) const;

  const std::string host_port_;
  std::vector<Descriptor> sockets_;
  int port_ = 0;
};

}  // namespace cornu::inline v0::backends::remote
