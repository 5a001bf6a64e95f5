/// Messages of a client that has a session and wants a worker to take more memory than it may, or more calls
/// than a connection has.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/base/sanitizer_test_support.h"
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
                  "a decoded message takes");
  }
  // A message of 30 MiB may be there twice while the one before it is freed. Expanded, one would take a
  // gigabyte.
  if (!kIsSanitized) {
    EXPECT_LT(most_resident_bytes(worker), before + 128 * kMib);
  }
  EXPECT_TRUE(client.read(2, 4).ok()) << "the session is as it was";
}

TEST(HostileMessageTest, RequestsOfARunAreCountedAndBounded) {
  const WorkerProcess worker({"--memory-limit", "64MiB"});
  RawClient client(worker.address());
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  const std::size_t before = most_resident_bytes(worker);
  grpc::ClientContext context;
  const auto stream = client.run(context);
  proto::ExecuteRequest request;
  request.set_session(client.session());
  for (std::size_t i = 0; i < 4 * kMib; ++i) request.add_row_indices(1);
  // They wait in the link when nobody reads the replies.
  std::thread writer([&] {
    for (int i = 0; i < 40; ++i) stream->Write(request);
    stream->WritesDone();
  });
  proto::ExecuteReply reply;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(stream->Read(&reply)) << i;
    EXPECT_EQ(reply.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << reply.error();
  }
  writer.join();
  EXPECT_FALSE(stream->Read(&reply));
  EXPECT_TRUE(stream->Finish().ok());
  if (!kIsSanitized) {
    EXPECT_LT(most_resident_bytes(worker), before + 128 * kMib);
  }
  EXPECT_TRUE(client.read(2, 4).ok()) << "the session is as it was";
}

TEST(HostileMessageTest, BytesThatAreCopiedOutOfAMessageCount) {
  const WorkerProcess worker({"--memory-limit", "16MiB"});
  RawClient client(worker.address());
  client.open();
  for (const auto& [method, number] : {std::pair("Worker/Execute", 8), std::pair("Worker/Compile", 4)}) {
    SCOPED_TRACE(method);
    expect_status(client.call_with(method, list_of_ones(number, 20 * kMib)),
                  grpc::StatusCode::RESOURCE_EXHAUSTED, "a decoded message takes");
  }
}

/// The memory that the worker counts.
std::size_t counted_bytes(const RawClient& client) {
  grpc::ClientContext context;
  proto::StatusReply reply;
  const auto stub = proto::Worker::NewStub(client.channel());
  EXPECT_TRUE(stub->GetStatus(&context, {}, &reply).ok());
  return reply.memory_used_bytes();
}

TEST(HostileMessageTest, AnswersThatNobodyReadsCountUntilTheyAreSent) {
  const WorkerProcess worker({"--memory-limit", "16MiB"});
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  RawClient client(worker.address(), arguments);
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  ASSERT_TRUE(client
                  .compile(R"(func.func @main(%n: tensor<f32>) -> (tensor<f32>, tensor<262144xf32>) {
  %wide = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<262144xf32>
  return %n, %wide : tensor<f32>, tensor<262144xf32>
})",
                           1)
                  .ok());
  const std::size_t before = counted_bytes(client);
  proto::ExecuteRequest request;
  request.set_session(client.session());
  request.set_program(1);
  request.set_num_steps(4);
  request.add_state(2);
  const grpc::Slice message(request.SerializeAsString());
  grpc::GenericStub stub(client.channel());
  grpc::CompletionQueue events;
  const auto wait = [&] {
    void* tag = nullptr;
    bool is_ok = false;
    return events.AsyncNext(&tag, &is_ok, std::chrono::system_clock::now() + std::chrono::seconds(20)) ==
           grpc::CompletionQueue::GOT_EVENT;
  };
  struct Unread {
    grpc::ClientContext context;
    std::unique_ptr<grpc::GenericClientAsyncResponseReader> call;
    grpc::ByteBuffer answer;
    grpc::Status status;
  };
  std::vector<Unread> unread(3);
  for (Unread& one : unread) {
    one.call = stub.PrepareUnaryCall(&one.context, "/cornu.remote.v1.Worker/Execute",
                                     grpc::ByteBuffer(&message, 1), &events);
    one.call->StartCall();
    one.call->ReadInitialMetadata(&one);  // which comes with the answer
    ASSERT_TRUE(wait());
  }
  EXPECT_GE(counted_bytes(client), before + 12 * kMib);
  proto::ExecuteReply reply;
  ASSERT_TRUE(client.execute(4, reply).ok());
  EXPECT_NE(reply.error().find("an execution's outputs takes 4194304 bytes"), std::string::npos)
      << reply.error();
  for (Unread& one : unread) {
    one.call->Finish(&one.answer, &one.status, &one);
    ASSERT_TRUE(wait());
    EXPECT_TRUE(one.status.ok()) << one.status.error_message();
    EXPECT_GT(one.answer.Length(), 4 * kMib);
  }
  for (int i = 0; i < 200 && counted_bytes(client) > before; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(counted_bytes(client), before);
  ASSERT_TRUE(client.execute(4, reply).ok());
  EXPECT_EQ(reply.error(), "");
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
