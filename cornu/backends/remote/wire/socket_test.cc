#include "cornu/backends/remote/wire/socket.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <thread>
#include <vector>

namespace cornu::inline v0::backends::remote {
namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

/// A socket of 127.0.0.1 that listens, or is only bound.
class LoopbackSocket {
 public:
  explicit LoopbackSocket(bool listens = true, int backlog = 8)
      : number_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(number_, reinterpret_cast<const sockaddr*>(&any), sizeof any), 0);
    if (listens) {
      EXPECT_EQ(listen(number_, backlog), 0);
    }
  }
  ~LoopbackSocket() { close(number_); }
  LoopbackSocket(const LoopbackSocket&) = delete;
  LoopbackSocket& operator=(const LoopbackSocket&) = delete;
  SocketAddress address() const { return own_address(number_); }
  bool has_connection(std::chrono::milliseconds within) const {
    pollfd entry{.fd = number_, .events = POLLIN, .revents = 0};
    return poll(&entry, 1, static_cast<int>(within.count())) > 0;
  }
  int accept_one() const { return accept4(number_, nullptr, nullptr, SOCK_CLOEXEC); }

 private:
  const int number_;
};

/// Sends signals to the thread that made it, whose handler interrupts system calls.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction action{};
    action.sa_handler = [](int) { ++count_; };
    sigaction(SIGUSR1, &action, &before_);
    count_ = 0;
    thread_ = std::thread([this, to = pthread_self()] {
      while (!is_over_) {
        std::this_thread::sleep_for(20ms);
        pthread_kill(to, SIGUSR1);
      }
    });
  }
  ~Interruptions() {
    is_over_ = true;
    thread_.join();
    sigaction(SIGUSR1, &before_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  static int count() { return count_; }

 private:
  static inline std::atomic<int> count_{0};
  struct sigaction before_{};
  std::atomic<bool> is_over_{false};
  std::thread thread_;  // works on the others
};

std::vector<SocketAddress> only(const LoopbackSocket& socket) { return {socket.address()}; }

TEST(ClientSocketTest, BytesThatDripInDoNotMoveTheDeadline) {
  const LoopbackSocket listener;
  const auto start = SteadyClock::now();
  const ClientSocket client(only(listener), start + 400ms);
  ASSERT_GE(client.number(), 0) << client.why();
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    const int link = listener.accept_one();
    for (int i = 0; i < 100 && !is_over; ++i) {
      (void)!::send(link, "x", 1, MSG_NOSIGNAL);
      std::this_thread::sleep_for(50ms);
    }
    close(link);
  });
  const std::string text = client.receive_until("\n", 1000);
  const auto took = SteadyClock::now() - start;
  is_over = true;
  other.join();
  EXPECT_GE(text.size(), 2U);
  EXPECT_GE(took, 400ms);
  EXPECT_LT(took, 2s);
}

TEST(ClientSocketTest, SignalsDoNotMoveTheDeadline) {
  const LoopbackSocket listener;
  const auto start = SteadyClock::now();
  const ClientSocket client(only(listener), start + 300ms);
  ASSERT_GE(client.number(), 0) << client.why();
  const Interruptions signals;
  EXPECT_EQ(client.receive_until("\n", 1000), "");
  const auto took = SteadyClock::now() - start;
  EXPECT_GE(took, 300ms) << "a signal is no answer";
  EXPECT_LT(took, 2s);
  EXPECT_GE(signals.count(), 3);
}

TEST(ClientSocketTest, ASideThatTakesNothingEndsASendAtTheDeadline) {
  const LoopbackSocket listener;
  const auto start = SteadyClock::now();
  const ClientSocket client(only(listener), start + 300ms);
  ASSERT_GE(client.number(), 0) << client.why();
  EXPECT_FALSE(client.send(std::string(std::size_t{64} << 20, 'x')));
  EXPECT_LT(SteadyClock::now() - start, 3s);
}

TEST(ClientSocketTest, AConnectionThatIsWaitedForGoesOnAfterSignals) {
  // Connections beyond those that wait to be accepted are made when there is room again.
  const LoopbackSocket listener(true, 0);
  std::vector<std::unique_ptr<ClientSocket>> first;
  for (int i = 0; i < 8; ++i)
    first.push_back(std::make_unique<ClientSocket>(only(listener), SteadyClock::now() + 100ms));
  if (first.back()->number() >= 0) GTEST_SKIP() << "this system queues more connections than it is told to";
  EXPECT_EQ(first.back()->why(), "nothing there takes connections in time");
  const Interruptions signals;
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    std::this_thread::sleep_for(300ms);
    while (!is_over) {
      if (listener.has_connection(20ms)) close(listener.accept_one());
    }
  });
  const auto start = SteadyClock::now();
  const ClientSocket client(only(listener), start + 10s);
  is_over = true;
  other.join();
  EXPECT_GE(client.number(), 0) << client.why();
  EXPECT_GE(SteadyClock::now() - start, 200ms);
  EXPECT_GE(signals.count(), 3);
}

TEST(ClientSocketTest, TheNextAddressIsTriedWhereOneRefuses) {
  const LoopbackSocket refusing(false), listener;
  const std::vector<SocketAddress> both = {refusing.address(), listener.address()};
  EXPECT_GE(ClientSocket(both, SteadyClock::now() + 2s).number(), 0);
  const ClientSocket none(only(refusing), SteadyClock::now() + 2s);
  EXPECT_EQ(none.number(), -1);
  EXPECT_EQ(none.why(), "nothing there takes connections: Connection refused");
}

TEST(ClientSocketTest, PeekedBytesStay) {
  const LoopbackSocket listener;
  const ClientSocket client(only(listener), SteadyClock::now() + 2s);
  const int link = listener.accept_one();
  EXPECT_EQ(client.peek(5), "");
  ASSERT_EQ(::send(link, "HTTP/1.0\r\n", 10, 0), 10);
  ASSERT_TRUE(client.wait_for(POLLIN));
  EXPECT_EQ(client.peek(5), "HTTP/");
  EXPECT_EQ(client.receive_until("\r\n", 100), "HTTP/1.0\r\n");
  close(link);
}

TEST(SocketAddressTest, AddressesAreWrittenAsTheyAreGiven) {
  for (const std::string text : {"127.0.0.1:8470", "[::1]:8470", "[2001:db8::7]:1"}) {
    const ResolvedHost host = resolve(text, 0);
    ASSERT_EQ(host.addresses.size(), 1U) << text << host.why;
    EXPECT_EQ(host.addresses[0].text(), text);
  }
  SocketAddress address = resolve("[::1]:8470").addresses[0];
  address.set_port(9);
  EXPECT_EQ(address.text(), "[::1]:9");
  EXPECT_NE(resolve("no.such.host.invalid:1").why.find("cannot be looked up"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
