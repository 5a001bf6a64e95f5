#include "cornu/backends/remote/wire/address.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"

namespace cornu::inline v0::backends::remote {
namespace {

TEST(AddressTest, FieldsAndDevicesAreTakenApart) {
  const WorkerAddress address = parse_address("//[::1]:8470/TPU:0,token_file=/a/b,keep_alive=2.5");
  EXPECT_EQ(address.host_port, "[::1]:8470");
  EXPECT_EQ(address.device, "TPU:0");
  EXPECT_EQ(address.token_file, "/a/b");
  EXPECT_EQ(address.keep_alive_ms, 2500);
}

TEST(AddressTest, WrongFormsAreRefused) {
  for (const char* text : {"host:1", "//", "//host", "//host:0", "//host:99999", "//:1", "//h:1,x",
                           "//h:1,keep_alive=0", "//h:1,cert_file=a", "//h:1,cert_file=a,key_file=b"})
    EXPECT_THROW(parse_address(text), Error) << text;
}

TEST(AddressTest, PortsAreNumbersAndZeroIsForThoseWhoListen) {
  for (const char* text : {"127.0.0.1:0", "127.0.0.1:1", "[::1]:65535", "localhost:8470"})
    EXPECT_TRUE(is_host_port(text, 0)) << text;
  for (const char* text : {"127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1:abc",
                           "127.0.0.1:80x", ":80", "::1:80", "::1"})
    EXPECT_FALSE(is_host_port(text, 0)) << text;
  EXPECT_FALSE(is_host_port("127.0.0.1:0"));
}

TEST(AddressTest, OnlyThisMachineIsLoopback) {
  for (const char* host : {"localhost:1", "127.0.0.1:1", "127.9.9.9:0", "[::1]:5"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host :
       {"0.0.0.0:1", "10.0.0.1:1", "[::]:1", "127.example.org:1", "localhost.example.org:1"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
