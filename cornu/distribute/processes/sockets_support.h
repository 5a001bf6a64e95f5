#pragma once

#include <netinet/in.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

/// TCP connections between processes that work together: rendezvous, and detection of their end.
namespace cornu::inline v0::distribute {

/// Owns a socket.
class Socket {
 public:
  explicit Socket(int number = -1) : number_(number) {}
  Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Socket();
  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

using SocketClock = std::chrono::steady_clock;

/// A process's addresses, as it reports them. Sent as it is.
struct SocketPlace {
  static constexpr std::size_t kMostAddresses = 8;

  std::uint64_t token = 0;  // authenticates callers
  std::uint16_t port = 0;   // 0: not listening
  std::uint16_t num_addresses = 0;
  std::array<in6_addr, kMostAddresses> addresses = {};  // those of IPv4 in mapped form
};

/// The addresses of this process, with a new token: those that others may reach, without loopback and
/// link-local ones.
SocketPlace this_socket_place();
/// Listens on IPv6 and IPv4, or on IPv4 alone if the machine has no IPv6, at a port that the kernel chooses
/// and that is filled in. Returns no socket if listening is not possible.
Socket listen_to(SocketPlace& place, int most_waiting);
/// Waits until the socket is ready for `events`; false at `end`.
bool waits_for(const Socket& socket, short events, SocketClock::time_point end);

/// Connects to `there` by trying its addresses, and sends the own rank. For another machine, skips addresses
/// that this machine has too: they do not lead there. For the same machine, tries loopback last.
Socket call(const SocketPlace& there, const SocketPlace& here, int own_rank, SocketClock::time_point end,
            bool is_same_machine = false);
/// Accepts the next caller with the right token; returns its rank. No socket if none arrives before `end`.
std::pair<Socket, int> answer(const Socket& listener, std::uint64_t token, SocketClock::time_point end);

/// Seconds of silence after which a machine or link counts as lost.
inline constexpr int kSecondsToBreak = 6;
/// Enables TCP keepalive: probes every second, after three seconds of silence.
void keep(const Socket& socket);

}  // namespace cornu::inline v0::distribute
