#include "cornu/backends/remote/worker/listening_sockets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/base/log_test_support.h"

namespace cornu::inline v0::backends::remote {
namespace {

std::vector<SocketAddress> addresses_of(const std::vector<std::string>& all) {
  std::vector<SocketAddress> addresses;
  for (const std::string& one : all) addresses.push_back(resolve(one).addresses.at(0));
  return addresses;
}

bool takes_connections(const std::string& place) {
  return ClientSocket(addresses_of({place}), ClientSocket::Clock::now() + std::chrono::seconds(2)).number() >=
         0;
}

bool has_ipv6() {
  return !error_text_of([] { ListeningSockets("[::1]:0").listen(); }).starts_with("[");
}

TEST(ListeningSocketsTest, ABoundPortTakesConnectionsOnlyAfterListen) {
  ListeningSockets sockets("127.0.0.1:0");
  const std::string place = fmt::format("127.0.0.1:{}", sockets.port());
  EXPECT_FALSE(takes_connections(place));
  sockets.listen();
  EXPECT_TRUE(takes_connections(place));
  sockets.close();
  EXPECT_FALSE(takes_connections(place));
}

TEST(ListeningSocketsTest, APortThatAnotherProgramHasIsAnErrorWhenItIsBound) {
  ListeningSockets other("127.0.0.1:0");
  other.listen();
  const std::string place = fmt::format("127.0.0.1:{}", other.port());
  const Error error = error_of([&] { ListeningSockets again(place); });
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_EQ(std::string(error.what()), "[worker] \"" + place +
                                           "\" cannot be listened on: another program listens there: give "
                                           "another port, or 0 for a free one");
}

TEST(ListeningSocketsTest, OfTwoThatBindAtOnceTheSecondToListenIsRefused) {
  ListeningSockets first("127.0.0.1:0");
  const std::string place = fmt::format("127.0.0.1:{}", first.port());
  EXPECT_NE(error_text_of([&] {
              ListeningSockets second(place);
              first.listen();
              second.listen();
            }).find("another program listens there"),
            std::string::npos);
}

TEST(ListeningSocketsTest, ANameOfWhichAnotherProgramHasAnAddressIsRefused) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6";
  ListeningSockets other("[::1]:0");
  other.listen();
  const std::string taken = fmt::format("[::1]:{}", other.port()),
                    rest = fmt::format("127.0.0.1:{}", other.port());
  for (const std::vector<std::string>& order : {std::vector{rest, taken}, std::vector{taken, rest}}) {
    const Error error = error_of([&] { ListeningSockets("worker:1", addresses_of(order)); });
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    EXPECT_NE(std::string(error.what())
                  .find("\"worker:1\" cannot be listened on: " + taken + ": another program listens there"),
              std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(takes_connections(rest));
}

TEST(ListeningSocketsTest, AnAddressThatThisMachineLacksIsNamed) {
  CapturedLog log;
  // 192.0.2.0/24 is for documents.
  ListeningSockets sockets("worker:0", addresses_of({"192.0.2.1:0", "127.0.0.1:0"}));
  EXPECT_EQ(sockets.all().size(), 1U);
  const std::string said = log.take();
  EXPECT_NE(said.find("\"worker:0\" has the address 192.0.2.1:0 too, where this worker does not listen: this "
                      "machine has no such address"),
            std::string::npos)
      << said;
  sockets.listen();
  EXPECT_TRUE(takes_connections(fmt::format("127.0.0.1:{}", sockets.port())));
  EXPECT_NE(error_text_of([] { ListeningSockets("192.0.2.1:0"); }).find("this machine has no such address"),
            std::string::npos);
}

TEST(ListeningSocketsTest, AllAddressesOfANameHaveOnePort) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6";
  ListeningSockets sockets("worker:0", addresses_of({"127.0.0.1:0", "[::1]:0"}));
  sockets.listen();
  EXPECT_TRUE(takes_connections(fmt::format("127.0.0.1:{}", sockets.port())));
  EXPECT_TRUE(takes_connections(fmt::format("[::1]:{}", sockets.port())));
}

TEST(ListeningSocketsTest, AllAddressesOfThisMachine) {
  CapturedLog log;
  ListeningSockets sockets("0.0.0.0:0");
  sockets.listen();
  EXPECT_EQ(sockets.all().size(), 1U);
  EXPECT_TRUE(sockets.has(sockets.all()[0].number()));
  EXPECT_TRUE(takes_connections(fmt::format("127.0.0.1:{}", sockets.port())));
  EXPECT_EQ(log.take(), "");
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
