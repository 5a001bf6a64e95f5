/// Messages of a client that has a session and wants a worker to take more memory than it may, or more calls
/// than a connection has.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

#include "tests/remote/raw_client.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

/// The most memory that the worker has had.
std::size_t most_resident_bytes(const WorkerProcess& worker) {
  std::ifstream status(fmt::format("/proc/{}/status", worker.id()));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return 1024 * std::stoul(line.substr(6));
  return 0;
}

std::string repeated(const std::string& bytes, std::size_t count) {
  std::string all;
  all.reserve(count * bytes.size());
  for (std::size_t i = 0; i < count; ++i) all += bytes;
  return all;
}

/// A field of a message: a list of numbers, all of which are 1.
std::string list_of_ones(int number, std::size_t count) {
  std::string field(1, static_cast<char>(number << 3 | 2));
  for (std::size_t left = count; left > 0 || field.size() == 1; left >>= 7)
    field += static_cast<char>((left & 127) | (left >= 128 ? 128 : 0));
  return field + std::string(count, '\x01');
}

constexpr std::size_t kMib = std::size_t{1} << 20;

TEST(HostileMessageTest, MessagesThatGrowWhenTheyAreReadAreRefusedBefore) {
  const WorkerProcess worker({"--memory-limit", "64MiB"});
  RawClient client(worker.address());
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  const std::size_t before = most_resident_bytes(worker);
  const auto empty_items = [](int number) {
    return repeated(std::string{static_cast<char>(number << 3 | 2), '\0'}, 8 * kMib);
  };
  const std::pair<const char*, std::string> calls[] = {{"Worker/Execute", list_of_ones(10, 30 * kMib)},
                                                       {"Worker/Execute", empty_items(12)},
                                                       {"Worker/Compile", list_of_ones(5, 30 * kMib)},
                                                       {"Worker/Copy", list_of_ones(2, 30 * kMib)},
                                                       {"Worker/Copy", repeated("\x10\x01", 8 * kMib)},
                                                       {"Worker/Open", empty_items(3)},
                                                       {"Worker/Save", empty_items(5)},
                                                       {"Worker/Hello", empty_items(4)},
                                                       {"Transfers/Read", empty_items(3)},
                                                       {"Transfers/Write", empty_items(3)}};
  for (const auto& [method, bytes] : calls) {
    SCOPED_TRACE(method);
    expect_status(client.call_with(method, bytes), grpc::StatusCode::RESOURCE_EXHAUSTED,
                  "what a message becomes takes");
  }
  // A message of 30 MiB may be there twice while the one before it is freed. Expanded, one would take a
  // gigabyte.
  EXPECT_LT(most_resident_bytes(worker), before + 128 * kMib);
  EXPECT_TRUE(client.read(2, 4).ok()) << "the session is as it was";
}

TEST(HostileMessageTest, CompressedMessagesAreRefusedAndNotExpanded) {
  const WorkerProcess worker;
  RawClient client(worker.address());
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  const std::size_t before = most_resident_bytes(worker);
  const std::string zeros(60 * kMib, '\0');  // which are 60 KB on the link
  for (const grpc_compression_algorithm algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE})
    for (const char* const method : {"Transfers/Write", "Worker/Execute", "Peers/Meet", "Worker/Attach"}) {
      SCOPED_TRACE(method);
      EXPECT_EQ(client.call_with(method, zeros, algorithm).error_code(), grpc::StatusCode::UNIMPLEMENTED);
    }
  EXPECT_LT(most_resident_bytes(worker), before + 20 * kMib);
  EXPECT_TRUE(client.read(2, 4).ok()) << "the session is as it was";
}

TEST(HostileMessageTest, ASessionOutlivesAConnectionThatHasHadAllItsCalls) {
  const WorkerProcess worker;
  grpc::ChannelArguments arguments;
  // HTTP/2 numbers a connection's calls by odd numbers up to 2^31 - 1: there are 25 left.
  arguments.SetInt(GRPC_ARG_HTTP2_INITIAL_SEQUENCE_NUMBER, 0x7fffffff - 2 * 25);
  RawClient client(worker.address(), arguments);
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  ASSERT_TRUE(client.compile(kCounter, 1).ok());
  std::int64_t num_steps = 0;
  for (int i = 0; i < 60; ++i) {
    proto::ExecuteReply reply;
    const grpc::Status status = client.execute(1, reply);
    ASSERT_TRUE(status.ok()) << i << ": " << status.error_message();
    num_steps += reply.steps_done();
  }
  EXPECT_EQ(num_steps, 60);
  EXPECT_TRUE(client.read(2, 4).ok());
}

}  // namespace
}  // namespace cornu::inline v0
