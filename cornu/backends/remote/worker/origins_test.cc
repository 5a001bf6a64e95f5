#include "cornu/backends/remote/worker/origins.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <list>
#include <string>
#include <vector>

#include "cornu/backends/remote/wire/socket.h"

namespace cornu::inline v0::backends::remote {
namespace {

struct Connection {
  std::string from;
  Origins::Origin origin;
};

/// Connections in the order of arrival.
class Crowd {
 public:
  explicit Crowd(const std::vector<std::string>& all) {
    for (const std::string& from : all) add(from);
  }
  void add(const std::string& from) {
    connections_.push_back({from, origins_.add(resolve("[" + from + "]:1").addresses.at(0).storage)});
  }
  /// Removes the connection to be evicted, and returns its address.
  std::string drop() {
    const auto most = Origins::most_crowded(connections_);
    const std::string from = most->from;
    origins_.remove(most->origin);
    connections_.erase(most);
    return from;
  }

 private:
  Origins origins_;
  std::list<Connection> connections_;
};

TEST(OriginsTest, AmongEqualsTheOldestGoesAndNotTheLowestAddress) {
  Crowd crowd({"10.0.0.9", "10.0.0.1", "10.0.0.5"});
  EXPECT_EQ(crowd.drop(), "10.0.0.9");
  EXPECT_EQ(crowd.drop(), "10.0.0.1");
  EXPECT_EQ(crowd.drop(), "10.0.0.5");
  Crowd pairs({"10.0.0.2", "10.0.0.9", "10.0.0.1", "10.0.0.1", "10.0.0.9"});
  EXPECT_EQ(pairs.drop(), "10.0.0.9") << "the oldest of the two origins with two";
  EXPECT_EQ(pairs.drop(), "10.0.0.1");
}

TEST(OriginsTest, AFloodFromOneAddressPushesOutItself) {
  Crowd crowd({"10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.3"});
  EXPECT_EQ(crowd.drop(), "10.0.0.2");
  crowd.add("10.0.0.3");
  EXPECT_EQ(crowd.drop(), "10.0.0.3");
}

TEST(OriginsTest, AFloodFromAllNetworksOfASitePushesOutItself) {
  Crowd crowd({"2001:db8:1::1", "10.0.0.1", "2001:db8:2::1", "2001:db8:2::2"});
  for (int i = 0; i < 50; ++i) crowd.add(fmt::format("2001:db8:bad:{:x}::1", 7 * i));
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(crowd.drop().starts_with("2001:db8:bad:"));
    crowd.add(fmt::format("2001:db8:bad:{:x}::2", i));
  }
}

TEST(OriginsTest, InASiteTheNetworkWithMostIsChosen) {
  Crowd crowd({"2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:2::2"});
  EXPECT_EQ(crowd.drop(), "2001:db8:1:2::1");
  EXPECT_EQ(crowd.drop(), "2001:db8:1:1::1");
}

TEST(OriginsTest, AnIPv4AddressIsOneOriginInBothForms) {
  Crowd crowd({"10.0.0.1", "10.0.0.2", "::ffff:10.0.0.2", "::ffff:10.0.0.3"});
  EXPECT_EQ(crowd.drop(), "10.0.0.2");
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
