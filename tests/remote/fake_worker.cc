#include "tests/remote/fake_worker.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace cornu::inline v0 {

FakeWorker::FakeWorker(Answer answer)
    : answer_(std::move(answer)), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&place), size) != 0 || listen(listener_, 16) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&place), &size) != 0)
    throw std::runtime_error("no socket to listen on");
  port_ = ntohs(place.sin_port);
  thread_ = std::thread([this] { serve(); });
}

FakeWorker::~FakeWorker() {
  shutdown(listener_, SHUT_RDWR);
  thread_.join();
  close(listener_);
}

std::string FakeWorker::address() const { return "127.0.0.1:" + std::to_string(port_); }

void FakeWorker::serve() {
  for (int link = accept(listener_, nullptr, nullptr); link >= 0;
       link = accept(listener_, nullptr, nullptr)) {
    ++num_connections_;
    char bytes[2000];
    const ssize_t count = recv(link, bytes, sizeof bytes, 0);
    const std::string answer = answer_(std::string(bytes, static_cast<std::size_t>(count < 0 ? 0 : count)));
    (void)!send(link, answer.data(), answer.size(), MSG_NOSIGNAL);
    shutdown(link, SHUT_WR);
    // Closing a socket with unread bytes would reset the connection, and the answer could be lost.
    pollfd rest{.fd = link, .events = POLLIN, .revents = 0};
    while (poll(&rest, 1, 20) > 0 && recv(link, bytes, sizeof bytes, 0) > 0) {
    }
    close(link);
  }
}

}  // namespace cornu::inline v0
