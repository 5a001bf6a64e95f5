#include "tests/remote/link.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <stdexcept>

namespace cornu::inline v0 {
namespace {

void set_up(int side) {
  const int yes = 1;
  setsockopt(side, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  fcntl(side, F_SETFL, fcntl(side, F_GETFL) | O_NONBLOCK);
}

}  // namespace

Link::Link(const std::string& port) : worker_ports_(1, port) {
  thread_ = std::thread([this] { work(); });
}

Link::~Link() {
  is_over_ = true;
  thread_.join();
  reset_all();
}

void Link::close_side(int& side, bool is_reset) {
  if (side < 0) return;
  if (is_reset) {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    setsockopt(side, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  close(side);
  side = -1;
}

void Link::set_stalled(bool is_stalled) {
  is_stalled_ = is_stalled;
  while (sees_stalled_ != is_stalled) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void Link::say_go_away() {
  goes_away_ = true;
  while (goes_away_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void Link::send_go_away() {
  if (!goes_away_) return;
  // A frame of 8 bytes, of type 7, for stream 0: the last stream that is served, which is any, and no error.
  constexpr char kFrame[] = "\0\0\10\7\0\0\0\0\0\x7f\xff\xff\xff\0\0\0";  // and the string's own zero
  for (Pair& pair : pairs_)
    pair.back.under_way.push_back(
        {.due = Clock::now(), .bytes = std::vector<char>(std::begin(kFrame), std::end(kFrame))});
  goes_away_ = false;
}

void Link::reset_all() {
  for (Pair& pair : pairs_) {
    close_side(pair.client, true);
    close_side(pair.worker, true);
  }
  pairs_.clear();
}

void Link::accept_one() {
  Pair pair;
  pair.client = listener_.accept_one();
  if (pair.client < 0) return;
  pair.worker = connected_to_loopback(
      std::stoi(worker_ports_[static_cast<std::size_t>(num_connections_) % worker_ports_.size()]));
  if (pair.worker < 0) {
    close_side(pair.client, true);
    return;
  }
  set_up(pair.client);
  set_up(pair.worker);
  pair.there = {.from = pair.client, .to = pair.worker, .under_way = {}};
  pair.back = {.from = pair.worker, .to = pair.client, .under_way = {}};
  pairs_.push_back(std::move(pair));
  ++num_connections_;
}

void Link::work() {
  while (!is_over_) {
    std::vector<pollfd> places = {{.fd = listener_.number(), .events = POLLIN, .revents = 0}};
    const bool is_stalled = is_stalled_;
    sees_stalled_ = is_stalled;  // what the turn before passed on has gone
    bool is_waiting = false;
    for (const Pair& pair : pairs_) {
      for (const Direction* direction : {&pair.there, &pair.back}) {
        is_waiting = is_waiting || !direction->under_way.empty();
        if (!is_stalled && !direction->has_ended)
          places.push_back({.fd = direction->from, .events = POLLIN, .revents = 0});
      }
    }
    poll(places.data(), places.size(), is_waiting && !is_stalled ? 1 : 10);
    if ((places[0].revents & POLLIN) != 0) accept_one();
    forget_sides();
    send_go_away();
    if (is_stalled) continue;
    for (Pair& pair : pairs_) pass_on(pair);
    if (bytes_to_cut_ == 0) {
      bytes_to_cut_ = -1;
      ++num_cuts_;
      reset_all();
    }
    for (Pair& pair : pairs_) {
      if (!pair.is_over) continue;
      close_side(pair.client, false);
      close_side(pair.worker, false);
    }
    pairs_.remove_if([](const Pair& pair) { return pair.is_over; });
  }
}

/// What one side's end would say to the other is not said.
void Link::forget_sides() {
  const bool worker = forgets_worker_.exchange(false), client = forgets_client_.exchange(false);
  if (!worker && !client) return;
  for (Pair& pair : pairs_) {
    Direction &lost = worker ? pair.back : pair.there, &kept = worker ? pair.there : pair.back;
    close_side(worker ? pair.worker : pair.client, true);
    lost.has_ended = true;
    lost.under_way.clear();
    kept.is_thrown_away = true;
  }
}

void Link::pass_on(Pair& pair) {
  for (Direction* direction : {&pair.there, &pair.back}) {
    if (!direction->has_ended) take_in(pair, *direction);
    if (!pair.is_over) deliver(pair, *direction);
    if (pair.is_over) return;
  }
}

void Link::take_in(Pair& pair, Direction& direction) {
  constexpr std::size_t kAtATime = 64 << 10, kMostUnderWay = 1024;
  if (direction.under_way.size() >= kMostUnderWay) return;
  std::vector<char> bytes(kAtATime);
  const ssize_t count = recv(direction.from, bytes.data(), bytes.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (direction.is_thrown_away) {
    if (count <= 0) pair.is_over = true;
    return;
  }
  if (count < 0) {
    pair.is_over = true;
    return;
  }
  if (count == 0) direction.has_ended = true;  // an empty chunk passes it on
  bytes.resize(static_cast<std::size_t>(count));
  direction.under_way.push_back(
      {.due = Clock::now() + std::chrono::milliseconds(delay_ms_), .bytes = std::move(bytes)});
}

void Link::deliver(Pair& pair, Direction& direction) {
  while (!direction.under_way.empty() && direction.under_way.front().due <= Clock::now()) {
    Chunk& chunk = direction.under_way.front();
    if (chunk.bytes.empty()) {
      pair.is_over = true;
      return;
    }
    std::size_t size = chunk.bytes.size() - chunk.done;
    const std::int64_t to_cut = bytes_to_cut_;
    if (to_cut >= 0) size = std::min(size, static_cast<std::size_t>(to_cut));
    if (size == 0) return;
    const ssize_t count = send(direction.to, chunk.bytes.data() + chunk.done, size, MSG_NOSIGNAL);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0) {
      pair.is_over = true;
      return;
    }
    chunk.done += static_cast<std::size_t>(count);
    num_bytes_ += count;
    if (to_cut >= 0) bytes_to_cut_ = to_cut - count;
    if (chunk.done == chunk.bytes.size()) direction.under_way.pop_front();
  }
}

}  // namespace cornu::inline v0
