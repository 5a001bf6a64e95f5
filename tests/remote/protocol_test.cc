/// What the two ends say to others that do not keep to the protocol: a client of another version, one that
/// lies or floods, bytes that are no gRPC; and a worker that answers nonsense.
#include <fmt/format.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>
#include <worker.grpc.pb.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <thread>

#include "cornu/backends/remote/backend.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/base/loopback_test_support.h"
#include "cornu/ops/parse.h"
#include "cornu/runtime/async_executable.h"
#include "tests/remote/raw_client.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

constexpr std::int64_t kVeryMany = 2'000'000'000;  // steps of the counter: longer than a test

bool wait_for(const std::function<bool()>& is_so) {
  for (int i = 0; i < 100 && !is_so(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return is_so();
}

TEST(ProtocolTest, VersionsThatDifferAreNamed) {
  const WorkerProcess worker;
  RawClient client(worker.address());
  expect_status(client.hello(999), grpc::StatusCode::FAILED_PRECONDITION,
                "the client (Cornu 0.0.9) speaks protocol 999, this worker (Cornu ");
}

TEST(ProtocolTest, SessionsOfOthersAreOutOfReach) {
  const WorkerProcess worker;
  RawClient one(worker.address()), other(worker.address());
  one.open();
  other.open();
  EXPECT_TRUE(one.write(2, {}, 4, 4).ok());
  EXPECT_TRUE(one.read(2, 4).ok());
  expect_status(other.read(2, 4), grpc::StatusCode::NOT_FOUND, "there is no buffer 2");
  other.set_session(std::string(32, 'x'));
  expect_status(other.read(2, 4), grpc::StatusCode::ABORTED, "there is no such session");
}

TEST(ProtocolTest, LiesAreRefusedAndChangeNothing) {
  const WorkerProcess worker({"--memory-limit", "1000000"});
  RawClient client(worker.address());
  client.open();
  constexpr auto kInvalid = grpc::StatusCode::INVALID_ARGUMENT;
  expect_status(client.write(2, {4}, 16, 8), kInvalid, "more than the 8 bytes that came");
  expect_status(client.write(2, {4}, ~0ULL, 16), kInvalid, "more than the 16 bytes that came");
  EXPECT_FALSE(client.write(2, {std::int64_t{1} << 62, 8}, 4, 4).ok());
  EXPECT_EQ(client.write(2, {-1}, 4, 4).error_code(), kInvalid);
  EXPECT_EQ(client.write(2, {std::int64_t{1} << 50}, 4, 4).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_TRUE(client.write(2, {}, 4, 4).ok());
  expect_status(client.read(2, 8), kInvalid, "outside it");
  EXPECT_EQ(client.compile("nonsense", 1).error_code(), kInvalid);
  EXPECT_EQ(client.compile(std::string(100000, '('), 1).error_code(), kInvalid);
  expect_status(client.compile(kCounter, 3), kInvalid, "kinds of them");
  EXPECT_TRUE(client.compile(kCounter, 1).ok());
  proto::ExecuteReply reply;
  EXPECT_TRUE(client.execute(-1, reply).ok());
  EXPECT_NE(reply.error().find("cannot be"), std::string::npos) << reply.error();
  reply.Clear();
  EXPECT_TRUE(client.execute(5, reply).ok());
  EXPECT_EQ(reply.steps_done(), 5);
}

/// A caller that says it is another worker of a group.
class RawPeer {
 public:
  RawPeer(const RawClient& client, const proto::Introduction& introduction)
      : stub_(proto::Peers::NewStub(client.channel())) {
    context_.AddMetadata("cornu-introduction-bin", introduction.SerializeAsString());
    stream_ = stub_->Meet(&context_);
  }
  ~RawPeer() {
    context_.TryCancel();
    if (!is_over_) (void)end();
  }
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;

  bool send(std::size_t size, std::uint64_t left) {
    proto::PeerPiece piece;
    piece.set_left(left);
    piece.mutable_data()->resize(size);
    return stream_->Write(piece);
  }
  /// Takes what comes until the other side ends the call.
  grpc::Status end() {
    proto::PeerPiece piece;
    while (stream_->Read(&piece)) {
    }
    is_over_ = true;
    return stream_->Finish();
  }

 private:
  std::unique_ptr<proto::Peers::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<proto::PeerPiece, proto::PeerPiece>> stream_;
  bool is_over_ = false;
};

/// Replica 0 of two.
proto::GroupMember first_of_two() {
  proto::GroupMember member;
  member.set_group(std::string(32, 'g'));
  member.set_secret(std::string(32, 's'));
  member.add_addresses("127.0.0.1:1");
  member.add_addresses("127.0.0.1:2");
  member.set_keep_alive_ms(1000);
  return member;
}

TEST(ProtocolTest, GroupsThatCannotBeAreRefused) {
  const WorkerProcess worker;
  const auto refused = [&](const std::function<void(proto::GroupMember&)>& spoil) {
    RawClient client(worker.address());
    client.group = first_of_two();
    spoil(client.group);
    grpc::Status status;
    for (std::uint32_t tried = 1; tried < 100; ++tried) {
      status = client.hello(tried);
      if (status.error_message().find("protocol") == std::string::npos) break;
    }
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
  };
  refused([](proto::GroupMember& member) { member.set_secret("short"); });
  refused([](proto::GroupMember& member) { member.set_group(std::string(1000, 'g')); });
  refused([](proto::GroupMember& member) { member.set_rank(2); });
  refused([](proto::GroupMember& member) { member.set_addresses(1, "nowhere"); });
  refused([](proto::GroupMember& member) { member.set_keep_alive_ms(0); });
  refused([](proto::GroupMember& member) { member.set_timeout_seconds(-1); });
  refused([](proto::GroupMember& member) {
    for (int i = 0; i < 1000; ++i) member.add_addresses("127.0.0.1:3");
  });
}

TEST(ProtocolTest, OnlyWhoKnowsAGroupsSecretIsAWorkerOfIt) {
  const WorkerProcess worker;
  RawClient client(worker.address());
  client.group = first_of_two();
  client.open();
  proto::Introduction right;
  right.set_protocol(client.protocol);
  right.set_group(client.group.group());
  right.set_secret(client.group.secret());
  right.set_rank(1);
  const auto answer = [&](const std::function<void(proto::Introduction&)>& spoil) {
    proto::Introduction introduction = right;
    spoil(introduction);
    return RawPeer(client, introduction).end();
  };
  constexpr auto kNotFound = grpc::StatusCode::NOT_FOUND;
  expect_status(answer([](auto& it) { it.set_secret(std::string(32, 'x')); }), kNotFound, "no session here");
  expect_status(answer([](auto& it) { it.set_group(std::string(32, 'x')); }), kNotFound, "no session here");
  constexpr auto kPrecondition = grpc::StatusCode::FAILED_PRECONDITION;
  expect_status(answer([](auto& it) { it.set_protocol(999); }), kPrecondition, "speaks protocol 999");
  expect_status(answer([](auto& it) { it.set_rank(0); }), kPrecondition, "awaits no call of rank 0");
  EXPECT_FALSE(answer([](auto& it) { it.set_rank(~0U); }).ok());
  EXPECT_TRUE(client.write(2, {}, 4, 4).ok()) << "the session is as it was";
}

TEST(ProtocolTest, WhatAWorkerOfTheGroupSaysIsNotBelieved) {
  const WorkerProcess worker;
  for (const std::size_t size : {std::size_t{1}, std::size_t{40} << 20}) {
    RawClient client(worker.address());
    client.group = first_of_two();
    client.group.set_group(std::string(16 + size % 7, 'g'));  // the last one may still be there
    client.open();
    proto::Introduction introduction;
    introduction.set_protocol(client.protocol);
    introduction.set_group(client.group.group());
    introduction.set_secret(client.group.secret());
    introduction.set_rank(1);
    RawPeer peer(client, introduction);
    proto::JoinRequest request;
    proto::JoinReply reply;
    ASSERT_TRUE(client.call(&proto::Worker::Stub::Join, request, reply).ok());
    // Before an execution workers agree, in messages of 64 bytes.
    peer.send(size, ~0ULL);
    ASSERT_TRUE(client
                    .compile(R"(func.func @main(%n: tensor<f32>) -> tensor<f32> {
  %sum = "stablehlo.all_reduce"(%n) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
})",
                             1)
                    .ok());
    ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
    proto::ExecuteReply executed;
    ASSERT_TRUE(client.execute(1, executed).ok());
    EXPECT_EQ(executed.error_code(), grpc::StatusCode::UNAVAILABLE) << executed.error();
    EXPECT_NE(executed.error().find("127.0.0.1:2 (rank 1)"), std::string::npos) << executed.error();
    (void)peer.end();
  }
}

TEST(ProtocolTest, WhatIsNoMessageIsRefusedAndNotLogged) {
  WorkerProcess worker;
  {
    RawClient client(worker.address());
    client.open();
    EXPECT_FALSE(client.compile("not UTF-8: \xff\xfe", 1).ok());
    EXPECT_TRUE(client.write(2, {}, 4, 4).ok()) << "the next call is served";
  }  // gRPC looks after a link without calls every few seconds only, and the worker would wait for it
  EXPECT_EQ(worker.end(SIGTERM), 0) << worker.output();
  const std::string output = worker.output();
  EXPECT_EQ(output.find("protobuf"), std::string::npos) << output;
}

TEST(ProtocolTest, AFloodIsRefusedAndAClientThatBreaksOffFreesAll) {
  const WorkerProcess worker;
  RawClient client(worker.address());
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  ASSERT_TRUE(client.compile(kCounter, 1).ok());
  std::vector<std::thread> calls;
  calls.emplace_back([&] {
    proto::ExecuteReply reply;
    (void)client.execute(kVeryMany, reply);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::atomic<int> num_refused{0};
  for (int i = 0; i < 10; ++i)
    calls.emplace_back([&] {
      if (client.read(2, 4).error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) ++num_refused;
    });
  EXPECT_TRUE(wait_for([&] { return num_refused == 7; })) << num_refused;
  const auto status = [&] { return backends::remote::worker_status("//" + worker.address()); };
  EXPECT_NE(status().find("1 of 64 clients, 1 buffers"), std::string::npos);
  client.break_off();
  for (std::thread& call : calls) call.join();
  EXPECT_TRUE(wait_for([&] {
    return status().find("0 of 64 clients, 0 buffers, 0 bytes") != std::string::npos;
  })) << status();
}

/// "SERVING" as grpc.health.v1.Health/Check answers it, which needs neither session nor token.
bool is_healthy(const std::string& address) {
  grpc::GenericStub stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
  grpc::CompletionQueue events;
  const grpc::ByteBuffer everything(nullptr, 0);
  const auto call = stub.PrepareUnaryCall(&context, "/grpc.health.v1.Health/Check", everything, &events);
  call->StartCall();
  grpc::ByteBuffer answer;
  grpc::Status status;
  call->Finish(&answer, &status, nullptr);
  void* tag = nullptr;
  bool is_ok = false;
  events.Next(&tag, &is_ok);
  EXPECT_TRUE(status.ok()) << status.error_message();
  grpc::Slice bytes;
  return answer.DumpToSingleSlice(&bytes).ok() && bytes.size() == 2 && bytes.begin()[1] == 1;
}

/// An execution of the counter in buffer 2.
proto::ExecuteRequest counting(const RawClient& client, std::uint64_t number) {
  proto::ExecuteRequest request;
  request.set_session(client.session());
  request.set_program(1);
  request.set_num_steps(1);
  request.set_execution(number);
  request.add_state(2);
  request.add_read_buffers(2);
  return request;
}

float number_of(const std::string& bytes) {
  float number = 0;
  EXPECT_EQ(bytes.size(), sizeof number);
  std::copy_n(bytes.data(), std::min(bytes.size(), sizeof number), reinterpret_cast<char*>(&number));
  return number;
}

TEST(ProtocolTest, ExecutionsOfARunAreAnsweredInTheirOrder) {
  const WorkerProcess worker;
  RawClient client(worker.address());
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  ASSERT_TRUE(client.compile(kCounter, 1).ok());
  grpc::ClientContext context;
  const auto stream = client.run(context);
  for (std::uint64_t i = 1; i <= 50; ++i) ASSERT_TRUE(stream->Write(counting(client, i)));
  EXPECT_TRUE(stream->WritesDone());
  proto::ExecuteReply reply;
  for (std::uint64_t i = 1; i <= 50; ++i) {
    ASSERT_TRUE(stream->Read(&reply));
    EXPECT_EQ(reply.execution(), i);
    EXPECT_EQ(reply.steps_done(), 1);
    EXPECT_GT(reply.seconds(), 0);
    EXPECT_EQ(number_of(reply.read()), static_cast<float>(i));
  }
  EXPECT_FALSE(stream->Read(&reply));
  EXPECT_TRUE(stream->Finish().ok());
}

TEST(ProtocolTest, AfterAFailureARunChangesWhatItWritesAlone) {
  const WorkerProcess worker;
  RawClient client(worker.address());
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  ASSERT_TRUE(client.compile(kCounter, 1).ok());
  proto::ExecuteRequest wrong = counting(client, 2), writes = counting(client, 3);
  wrong.set_program(77);
  const float five = 5;
  proto::WriteRequest::Item& item = *writes.mutable_write()->add_items();
  item.mutable_piece()->set_buffer(2);
  item.mutable_piece()->set_size(4);
  item.mutable_type()->set_dtype("f32");
  writes.mutable_write()->mutable_data()->assign(reinterpret_cast<const char*>(&five), 4);
  grpc::ClientContext context;
  const auto stream = client.run(context);
  for (const proto::ExecuteRequest& request : {counting(client, 1), wrong, writes, counting(client, 4)})
    ASSERT_TRUE(stream->Write(request));
  proto::ExecuteReply reply;
  ASSERT_TRUE(stream->Read(&reply));
  EXPECT_EQ(reply.error(), "");
  for (std::uint64_t i = 2; i <= 4; ++i) {
    reply.Clear();
    ASSERT_TRUE(stream->Read(&reply));
    EXPECT_EQ(reply.execution(), i);
    EXPECT_EQ(reply.steps_done(), 0);
    EXPECT_NE(reply.error().find("there is no program 77"), std::string::npos) << reply.error();
    EXPECT_EQ(reply.error_code(), grpc::StatusCode::NOT_FOUND);
  }
  EXPECT_TRUE(stream->WritesDone());
  EXPECT_FALSE(stream->Read(&reply));
  EXPECT_TRUE(stream->Finish().ok());
  grpc::ClientContext again;
  const auto next = client.run(again);
  ASSERT_TRUE(next->Write(counting(client, 5)));
  EXPECT_TRUE(next->WritesDone());
  reply.Clear();
  ASSERT_TRUE(next->Read(&reply));
  EXPECT_EQ(reply.error(), "");
  EXPECT_EQ(number_of(reply.read()), 6);
  EXPECT_FALSE(next->Read(&reply));
  EXPECT_TRUE(next->Finish().ok());
}

TEST(ProtocolTest, ASessionHasOneRunWhichEndsWithIt) {
  const WorkerProcess worker;
  RawClient client(worker.address());
  {
    RawClient nobody(worker.address());
    grpc::ClientContext context;
    expect_status(nobody.run(context)->Finish(), grpc::StatusCode::ABORTED, "there is no such session");
  }
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  ASSERT_TRUE(client.compile(kCounter, 1).ok());
  grpc::ClientContext first, second;
  const auto stream = client.run(first);
  ASSERT_TRUE(stream->Write(counting(client, 1)));
  proto::ExecuteReply reply;
  ASSERT_TRUE(stream->Read(&reply));
  expect_status(client.run(second)->Finish(), grpc::StatusCode::FAILED_PRECONDITION,
                "the session has a Run already");
  EXPECT_TRUE(client.write(3, {}, 4, 4).ok()) << "an idle Run disturbs no other call";
  // A Run that stays open keeps no memory.
  client.break_off();
  EXPECT_FALSE(stream->Read(&reply));
  EXPECT_FALSE(stream->Finish().ok());
  const auto status = [&] { return backends::remote::worker_status("//" + worker.address()); };
  EXPECT_TRUE(wait_for([&] {
    return status().find("0 of 64 clients, 0 buffers, 0 bytes") != std::string::npos;
  })) << status();
}

TEST(ProtocolTest, AWorkerThatDrainsRefusesTheExecutionsOfAnOpenRun) {
  WorkerProcess worker({"--drain-seconds", "300"});
  RawClient client(worker.address());
  client.open();
  ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
  ASSERT_TRUE(client.compile(kCounter, 1).ok());
  grpc::ClientContext context;
  const auto stream = client.run(context);
  ASSERT_TRUE(stream->Write(counting(client, 1)));
  proto::ExecuteReply reply;
  ASSERT_TRUE(stream->Read(&reply));
  worker.signal(SIGTERM);
  EXPECT_TRUE(wait_for([&] { return !is_healthy(worker.address()); }));
  if (stream->Write(counting(client, 2)) && stream->Read(&reply)) {
    EXPECT_EQ(reply.error_code(), grpc::StatusCode::UNAVAILABLE) << reply.error();
  }
  context.TryCancel();
  (void)stream->Finish();
  client.break_off();
  EXPECT_EQ(worker.end(SIGCONT), 0) << worker.output();
}

TEST(ProtocolTest, AWorkerThatDrainsIsNotHealthyAndLetsClientsStopWhatTheyRun) {
  WorkerProcess worker({"--drain-seconds", "300"});
  EXPECT_TRUE(is_healthy(worker.address()));
  auto client = std::make_unique<RawClient>(worker.address());
  client->open();
  ASSERT_TRUE(client->write(2, {}, 4, 4).ok());
  ASSERT_TRUE(client->compile(kCounter, 1).ok());
  proto::ExecuteReply reply;
  std::thread execution([&] { EXPECT_TRUE(client->execute(kVeryMany, reply).ok()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  worker.signal(SIGTERM);
  EXPECT_TRUE(wait_for([&] { return !is_healthy(worker.address()); }));
  EXPECT_EQ(client->write(3, {}, 4, 4).error_message(),
            "[worker] it is being shut down and takes no new calls");
  proto::StopReply stopped;
  EXPECT_TRUE(client->call(&proto::Worker::Stub::Stop, proto::StopRequest(), stopped).ok());
  execution.join();
  client.reset();
  EXPECT_EQ(reply.error(), "");
  EXPECT_GT(reply.steps_done(), 0);
  EXPECT_LT(reply.steps_done(), kVeryMany);
  EXPECT_EQ(worker.end(SIGCONT), 0) << worker.output();
}

TEST(ProtocolTest, WhatWaitsBehindAnExecutionOfAClientThatHasGoneDoesNotRun) {
  WorkerProcess worker({"--drain-seconds", "300"});
  {
    RawClient client(worker.address());
    client.open();
    ASSERT_TRUE(client.write(2, {}, 4, 4).ok());
    ASSERT_TRUE(client.compile(kCounter, 1).ok());
    std::vector<std::thread> calls;
    for (int i = 0; i < 3; ++i)
      calls.emplace_back([&] {
        proto::ExecuteReply reply;
        (void)client.execute(kVeryMany, reply);
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    client.break_off();
    for (std::thread& call : calls) call.join();
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(worker.end(SIGTERM), 0) << worker.output();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
}

/// Loops of so many shapes, each of which is code of its own.
std::string long_program(int num_loops) {
  std::string text =
      "func.func @main(%r0: tensor<f32>) -> tensor<f32> {\n%zero = stablehlo.constant dense<0.0> : "
      "tensor<f32>\n";
  for (int i = 0; i < num_loops; ++i) {
    const std::string type = fmt::format("tensor<{}x3xf32>", i + 2);
    text +=
        fmt::format("%b{0} = stablehlo.broadcast_in_dim %r{0}, dims = [] : (tensor<f32>) -> {1}\n", i, type);
    text += fmt::format("%t{0} = stablehlo.tanh %b{0} : {1}\n", i, type);
    text += fmt::format(
        "%r{} = stablehlo.reduce(%t{} init: %zero) applies stablehlo.add across dimensions = [0, 1] : ({}, "
        "tensor<f32>) -> tensor<f32>\n",
        i + 1, i, type);
  }
  return text + fmt::format("return %r{} : tensor<f32>\n}}", num_loops);
}

TEST(ProtocolTest, ACompilationWhoseClientHasGoneHoldsNobodyUp) {
  WorkerProcess worker({"--drain-seconds", "300", "--threads", "1"});
  {
    RawClient client(worker.address());
    client.open();
    std::thread compile([&] { EXPECT_FALSE(client.compile(long_program(4000), 1).ok()); });
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    client.break_off();
    const auto status = [&] { return backends::remote::worker_status("//" + worker.address()); };
    EXPECT_TRUE(wait_for([&] { return status().find("0 of 64 clients") != std::string::npos; })) << status();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(worker.end(SIGTERM), 0) << worker.output();
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
    compile.join();
  }
}

TEST(ProtocolTest, BytesThatAreNoGrpcDisturbNobody) {
  const WorkerProcess worker;
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(100000, '\xff'), std::string("PRI * HTTP/2.0")}) {
    const int link = connected_to_loopback(std::stoi(worker.port()));
    ASSERT_GE(link, 0);
    (void)!send(link, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    close(link);
  }
  EXPECT_EQ(error_text_of([&] { runtime::make_client(worker.url()); }), "no error");
}

/// Answers nonsense.
class LyingTransfers final : public proto::Transfers::Service {
 public:
  grpc::Status Write(grpc::ServerContext*, const proto::WriteRequest*, proto::WriteReply*) override {
    return grpc::Status::OK;
  }
  grpc::Status Read(grpc::ServerContext*, const proto::ReadRequest* request,
                    grpc::ServerWriter<proto::ReadReply>* writer) override {
    // Too little, or too much.
    proto::ReadReply reply;
    const std::uint64_t wanted = request->pieces(0).size();
    reply.mutable_data()->resize(wanted == 400 ? 5 : wanted + 1);
    writer->Write(reply);
    return grpc::Status::OK;
  }
};

/// A worker that lets everybody in.
class Liar : public proto::Worker::Service {
 public:
  Liar() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    builder.RegisterService(&transfers_);
    server_ = builder.BuildAndStart();
  }
  ~Liar() override { server_->Shutdown(std::chrono::system_clock::now()); }
  Liar(const Liar&) = delete;
  Liar& operator=(const Liar&) = delete;
  std::string url() const { return "grpc://127.0.0.1:" + std::to_string(port_); }

  grpc::Status Hello(grpc::ServerContext*, const proto::HelloRequest*, proto::HelloReply* reply) override {
    reply->set_session("s");
    reply->mutable_device()->set_type("CPU");
    reply->set_max_message_bytes(1 << 20);
    return grpc::Status::OK;
  }
  /// As gRPC answers what comes while it goes down.
  grpc::Status Copy(grpc::ServerContext*, const proto::CopyRequest*, proto::CopyReply*) override {
    return grpc::Status::CANCELLED;
  }

 private:
  LyingTransfers transfers_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

TEST(ProtocolTest, AnswersThatAreNoneAreErrors) {
  const Liar liar;
  const auto client = runtime::make_client(liar.url());
  for (const std::int64_t count : {100, 200}) {
    const auto buffer = client->allocate({ir::DType::kF32, {count}});
    std::vector<float> values(static_cast<std::size_t>(count));
    buffer->copy_from_host(values.data());
    EXPECT_NE(error_text_of([&] {
                buffer->copy_to_host(values.data());
              }).find(fmt::format("a read of {} bytes with something else", 4 * count)),
              std::string::npos);
  }
}

/// Runs one step; the next one fails.
class FailsInTheSecondStep final : public Liar {
 public:
  grpc::Status Compile(grpc::ServerContext*, const proto::CompileRequest*, proto::CompileReply*) override {
    return grpc::Status::OK;
  }
  grpc::Status Execute(grpc::ServerContext*, const proto::ExecuteRequest*,
                       proto::ExecuteReply* reply) override {
    if (num_executions_.fetch_add(1) == 0) {
      reply->set_steps_done(1);
    } else {
      reply->set_error("the device is on fire");
      reply->set_error_code(grpc::StatusCode::INTERNAL);
    }
    return grpc::Status::OK;
  }

 private:
  std::atomic<int> num_executions_{0};
};

/// Tells the time of its executions, and does not support Run.
class OlderWorker final : public Liar {
 public:
  grpc::Status Compile(grpc::ServerContext*, const proto::CompileRequest*, proto::CompileReply*) override {
    return grpc::Status::OK;
  }
  grpc::Status Execute(grpc::ServerContext*, const proto::ExecuteRequest* request,
                       proto::ExecuteReply* reply) override {
    reply->set_steps_done(request->num_steps());
    reply->set_seconds(1e-5);
    return grpc::Status::OK;
  }
};

TEST(ProtocolTest, AnOlderWorkerRunsOneExecutionAtATime) {
  const OlderWorker worker;
  const auto client = runtime::make_client(worker.url());
  const ir::ParsedModule parsed = ops::parse_stablehlo(kCounter);
  const auto executable =
      client->compile({.step = &parsed.entry(), .arguments = {runtime::ArgumentKind::kState}});
  const auto state = client->allocate({ir::DType::kF32, {}});
  const float one = 1;
  state->copy_from_host(&one);
  runtime::Buffer* const states[] = {state.get()};
  EXPECT_EQ(executable->run({.state = states}), 1);
  runtime::AsyncExecutable* const async = runtime::async_executable(executable.get());
  ASSERT_NE(async, nullptr);
  EXPECT_FALSE(async->is_short(1));
}

TEST(ProtocolTest, AFailureInALaterPieceSaysHowManyStepsOfAllWereDone) {
  const FailsInTheSecondStep worker;
  const auto client = runtime::make_client(worker.url());
  // The rows of a step are more than the 1 MiB of a message: each step is an execution there.
  const ir::ParsedModule parsed = ops::parse_stablehlo(R"(
  func.func @main(%n: tensor<f32>, %x: tensor<1x300000xf32>) -> tensor<f32> {
    %next = stablehlo.add %n, %n : tensor<f32>
    return %next : tensor<f32>
  })");
  const auto executable = client->compile(
      {.step = &parsed.entry(), .arguments = {runtime::ArgumentKind::kState, runtime::ArgumentKind::kRows}});
  const auto state = client->allocate({ir::DType::kF32, {}});
  const float one = 1;
  state->copy_from_host(&one);
  runtime::Buffer* const states[] = {state.get()};
  const std::vector<float> values(2 * 300'000);
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(values.data())};
  const std::int64_t indices[] = {0, 1};
  runtime::Progress progress;
  EXPECT_EQ(error_text_of([&] {
              executable->run({.state = states, .rows = rows, .row_indices = indices, .num_rows = 2}, 2,
                              &progress);
            }),
            "the device is on fire");
  EXPECT_EQ(progress.steps_done.load(), 1);
}

/// A call that has to fail.
Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {ErrorCode::kInternal, ""};
}

TEST(ProtocolTest, AWorkerSendsWhatItsErrorsKnow) {
  const WorkerProcess worker;
  RawClient client(worker.address());
  client.open();
  proto::ErrorFields fields;
  const grpc::Status status = client.read(2, 4);
  ASSERT_TRUE(fields.ParseFromString(status.error_details()));
  EXPECT_EQ(fields.op(), "worker");
  EXPECT_EQ(status.error_message(), "[worker] " + fields.message());
  ASSERT_TRUE(client.compile(kCounter, 1).ok());
  proto::ExecuteReply reply;
  ASSERT_TRUE(client.execute(-1, reply).ok());
  EXPECT_EQ(reply.error_fields().op(), "worker");
  EXPECT_EQ(reply.error(), "[worker] " + reply.error_fields().message());
  const grpc::Status in_many_words = client.compile(std::string(100000, 'x'), 1);
  EXPECT_FALSE(in_many_words.ok());
  EXPECT_LE(in_many_words.error_details().size(), 1024U);
}

/// Fails with all that errors can know. The second status has no details, as of an older worker; the third
/// has nonsense.
class KnowsMuch final : public Liar {
 public:
  KnowsMuch() {
    fields_.set_message("the shapes do not fit");
    fields_.set_op("dot");
    fields_.set_argument("rhs");
    fields_.set_layer("hidden\xff");
    fields_.set_model("net");
    fields_.set_metric("loss");
    fields_.set_inputs("x has shape (2,)");
    fields_.set_notes("in step 3");
  }
  grpc::Status Compile(grpc::ServerContext*, const proto::CompileRequest*, proto::CompileReply*) override {
    return grpc::Status::OK;
  }
  grpc::Status Execute(grpc::ServerContext*, const proto::ExecuteRequest*,
                       proto::ExecuteReply* reply) override {
    reply->set_error("a sentence");
    reply->set_error_code(grpc::StatusCode::INVALID_ARGUMENT);
    *reply->mutable_error_fields() = fields_;
    return grpc::Status::OK;
  }
  grpc::Status Copy(grpc::ServerContext*, const proto::CopyRequest*, proto::CopyReply*) override {
    const std::string details[] = {fields_.SerializeAsString(), "", "no message of that kind"};
    return {grpc::StatusCode::NOT_FOUND, "a sentence", details[std::min(num_copies_.fetch_add(1), 2)]};
  }

 private:
  proto::ErrorFields fields_;
  std::atomic<int> num_copies_{0};
};

TEST(ProtocolTest, AClientsErrorsKnowWhatTheWorkersDo) {
  const KnowsMuch worker;
  const auto client = runtime::make_client(worker.url());
  const ir::ParsedModule parsed = ops::parse_stablehlo(kCounter);
  const auto executable =
      client->compile({.step = &parsed.entry(), .arguments = {runtime::ArgumentKind::kState}});
  const auto buffer = client->allocate({ir::DType::kF32, {}});
  const float one = 1;
  buffer->copy_from_host(&one);
  runtime::Buffer* const state[] = {buffer.get()};
  const auto expect_fields = [](const Error& error) {
    EXPECT_EQ(error.op(), "dot");
    EXPECT_EQ(error.argument(), "rhs");
    EXPECT_EQ(error.layer(), "hidden\xff");
    EXPECT_EQ(error.fields().model, "net");
    EXPECT_EQ(error.fields().metric, "loss");
    EXPECT_EQ(error.fields().inputs, "x has shape (2,)");
    EXPECT_EQ(error.fields().notes, "in step 3");
  };
  const Error executed = error_of([&] { executable->run({.state = state}); });
  expect_fields(executed);
  EXPECT_EQ(executed.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(executed.message(), "the shapes do not fit");
  const std::string where = " (worker " + worker.url().substr(std::string("grpc://").size()) + ")";
  const auto copy = [&] { (void)client->copy(*buffer, 0); };
  const Error copied = error_of(copy);
  expect_fields(copied);
  EXPECT_EQ(copied.code(), ErrorCode::kNotFound);
  EXPECT_EQ(copied.message(), "the shapes do not fit" + where);
  for (int i = 0; i < 2; ++i) {
    const Error plain = error_of(copy);
    EXPECT_EQ(plain.op(), "");
    EXPECT_EQ(plain.what(), "a sentence" + where);
  }
}

TEST(ProtocolTest, AWorkerThatSetsNoChallengeIsSpokenToAllTheSame) {
  const Liar liar;
  const WorkerFiles folder;
  EXPECT_EQ(error_text_of([&] {
              runtime::make_client(liar.url() + ",token_file=" + folder.write("token", "secret\n"));
            }),
            "no error");
}

TEST(ProtocolTest, ACallThatIsBrokenOffIsALinkThatIsLost) {
  const Liar liar;
  const auto client = runtime::make_client(liar.url());
  const auto buffer = client->allocate({ir::DType::kF32, {100}});
  const std::vector<float> values(100);
  buffer->copy_from_host(values.data());
  try {
    (void)client->copy(*buffer, 0);
    ADD_FAILURE() << "copied";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
    EXPECT_NE(std::string(error.what()).find("has broken off a call: it is being shut down"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0
