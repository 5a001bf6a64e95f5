#include "tests/remote/fake_worker.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace cornu::inline v0 {

FakeWorker::FakeWorker(Answer answer) : answer_(std::move(answer)), thread_([this] { serve(); }) {}

FakeWorker::~FakeWorker() {
  listener_.stop();
  thread_.join();
}

void FakeWorker::serve() {
  for (int link = listener_.accept_one(); link >= 0; link = listener_.accept_one()) {
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
