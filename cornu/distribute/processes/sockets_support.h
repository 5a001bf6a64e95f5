#pragma once

#include <netinet/in.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

/// TCP connections between the processes that work together: how they find each other,
/// and how an end is noticed.
namespace cornu::inline v0::distribute {

/// A socket that is closed at the end.
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

/// Where a process can be reached, as it says itself. Sent as it is.
struct SocketPlace {
  static constexpr std::size_t kMostAddresses = 8;

  std::uint64_t token = 0;  // by which it knows who means it
  std::uint16_t port = 0;   // 0: it does not listen
  std::uint16_t num_addresses = 0;
  std::array<in6_addr, kMostAddresses> addresses = {};  // those of IPv4 as mapped ones
};

/// Of this process, with a token and its addresses that others may reach: no loopback,
/// none that hold on one link only.
SocketPlace this_socket_place();
/// For IPv6 and IPv4, or for IPv4 alone where a machine has no IPv6; at a port of the kernel's choice, which
/// is filled in. None where nobody may listen.
Socket listen_to(SocketPlace& place, int most_waiting);
/// Whether it becomes ready for `events` before `end`.
bool waits_for(const Socket& socket, short events, SocketClock::time_point end);

/// Tries the addresses of `there`, and says who calls. On another machine all but those that this one has
/// too: they do not lead there. On the same one loopback last.
Socket call(const SocketPlace& there, const SocketPlace& here, int own_rank, SocketClock::time_point end,
            bool is_same_machine = false);
/// The next who calls and means this process, and his rank; none when nobody has come before `end`.
std::pair<Socket, int> answer(const Socket& listener, std::uint64_t token, SocketClock::time_point end);

/// A machine or link that has been silent for so long is gone.
inline constexpr int kSecondsToBreak = 6;
/// The kernel asks every second whether the other end is there, after three seconds of silence.
void keep(const Socket& socket);

}  // namespace cornu::inline v0::distribute
