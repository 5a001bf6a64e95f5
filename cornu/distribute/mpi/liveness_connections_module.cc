#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "cornu/distribute/mpi/liveness_connections_support.h"
#include "cornu/distribute/processes/sockets_support.h"

namespace cornu::inline v0::distribute {
namespace {

using Clock = SocketClock;

constexpr auto kAllConnects = std::chrono::seconds(3);  // limit for all connections of a process together

}  // namespace

LivenessConnections::~LivenessConnections() {
  for (std::size_t rank = 0; rank < lines_.size(); ++rank) drop(rank);
}

void LivenessConnections::drop(std::size_t rank) {
  if (lines_[rank].socket >= 0) close(lines_[rank].socket);
  lines_[rank] = {};
}

void LivenessConnections::connect(int rank, const std::vector<bool>& is_elsewhere,
                                  const AllGather& all_gather) {
  const std::size_t count = is_elsewhere.size(), own = static_cast<std::size_t>(rank);
  lines_.resize(count);
  SocketPlace here = this_socket_place();
  const Socket listener = listen_to(here, static_cast<int>(count));
  std::vector<SocketPlace> places(count);
  all_gather(std::as_bytes(std::span(&here, 1)), std::as_writable_bytes(std::span(places)));

  // Each process calls those of higher ranks; a call waits until the other process has made its own calls.
  std::vector<Socket> sockets(count);
  std::vector<std::uint8_t> called(count), all(count * count);
  const Clock::time_point last_call = Clock::now() + kAllConnects;
  for (std::size_t other = own + 1; other < count; ++other) {
    if (!is_elsewhere[other] || places[other].port == 0) continue;
    sockets[other] = call(places[other], here, rank, last_call);
    called[other] = sockets[other] ? 1 : 0;
  }
  const auto gather = [&](const std::vector<std::uint8_t>& mine) {
    all_gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  };
  gather(called);
  std::size_t num_callers = 0;
  for (std::size_t other = 0; other < own; ++other) num_callers += all[other * count + own];
  std::vector<std::uint8_t> answered(count);
  for (const Clock::time_point end = Clock::now() + kAllConnects; num_callers > 0; --num_callers) {
    auto [made, caller] = answer(listener, here.token, end);
    if (!made) break;
    if (caller < 0 || caller >= rank) continue;
    sockets[static_cast<std::size_t>(caller)] = std::move(made);
    answered[static_cast<std::size_t>(caller)] = 1;
  }
  // A connection exists if both processes have it.
  gather(answered);
  for (std::size_t other = 0; other < count; ++other) {
    const bool is_there =
        other < own ? answered[other] != 0 : called[other] != 0 && all[other * count + own] != 0;
    if (!is_there || !sockets[other]) continue;
    keep(sockets[other]);
    lines_[other] = {sockets[other].release(), ConnectionState::kThere};
  }
}

ConnectionState LivenessConnections::state(int rank) {
  LivenessConnection& line = lines_[static_cast<std::size_t>(rank)];
  if (line.last != ConnectionState::kThere) return line.last;
  char byte = 0;
  const ssize_t size = recv(line.socket, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return line.last;
  line.last = size >= 0 || errno == ECONNRESET ? ConnectionState::kEnded : ConnectionState::kUnreachable;
  return line.last;
}

}  // namespace cornu::inline v0::distribute
