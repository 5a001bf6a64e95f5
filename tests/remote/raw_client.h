#pragma once

#include <fmt/format.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <worker.grpc.pb.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cornu::inline v0 {

namespace proto = ::cornu::remote::v1;

inline constexpr const char* kCounter = R"(func.func @main(%n: tensor<f32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %next = stablehlo.add %n, %one : tensor<f32>
  return %next : tensor<f32>
})";

/// A client of a worker on loopback that says what it likes.
class RawClient {
 public:
  explicit RawClient(const std::string& address, const grpc::ChannelArguments& arguments = {})
      : channel_(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments)),
        stub_(proto::Worker::NewStub(channel_)),
        transfers_(proto::Transfers::NewStub(channel_)) {}
  ~RawClient() { break_off(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  grpc::Status hello(std::uint32_t version) {
    proto::HelloRequest request;
    if (group.addresses_size() > 0) *request.mutable_group() = group;
    request.set_protocol(version);
    request.set_version("0.0.9");
    proto::HelloReply reply;
    grpc::ClientContext context;
    const grpc::Status status = stub_->Hello(&context, request, &reply);
    session_ = reply.session();
    return status;
  }
  /// Opens a session and holds it.
  void open() {
    for (std::uint32_t tried = 1; session_.empty() && tried < 100; ++tried)
      if (hello(tried).ok()) protocol = tried;
    proto::AttachRequest request;
    request.set_session(session_);
    attached_ = stub_->Attach(&attach_context_, request);
  }
  void break_off() {
    attach_context_.TryCancel();
    if (attached_ == nullptr) return;
    proto::AttachReply reply;
    while (attached_->Read(&reply)) {
    }
    attached_->Finish();
    attached_.reset();
  }
  template <typename Stub, typename Request, typename Reply>
  grpc::Status call(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                    Request request, Reply& reply) {
    request.set_session(session_);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    return (stub.*method)(&context, request, &reply);
  }
  template <typename Request, typename Reply>
  grpc::Status call(grpc::Status (proto::Worker::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                    const Request& request, Reply& reply) {
    return call(*stub_, method, request, reply);
  }
  grpc::Status write(std::uint64_t buffer, const std::vector<std::int64_t>& dims, std::uint64_t size,
                     std::size_t sent) {
    proto::WriteRequest request;
    proto::WriteReply reply;
    proto::WriteRequest::Item& item = *request.add_items();
    item.mutable_piece()->set_buffer(buffer);
    item.mutable_piece()->set_size(size);
    item.mutable_type()->set_dtype("f32");
    item.mutable_type()->mutable_dims()->Add(dims.begin(), dims.end());
    request.mutable_data()->resize(sent);
    return call(*transfers_, &proto::Transfers::Stub::Write, request, reply);
  }
  grpc::Status read(std::uint64_t buffer, std::uint64_t size) {
    proto::ReadRequest request;
    proto::ReadReply reply;
    request.add_pieces()->set_buffer(buffer);
    request.mutable_pieces(0)->set_size(size);
    request.set_session(session_);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    const auto reader = transfers_->Read(&context, request);
    while (reader->Read(&reply)) {
    }
    return reader->Finish();
  }
  grpc::Status compile(const std::string& text, int num_arguments) {
    proto::CompileRequest request;
    proto::CompileReply reply;
    request.set_program(1);
    request.set_stablehlo(text);
    for (int i = 0; i < num_arguments; ++i) request.add_arguments(proto::STATE);
    return call(&proto::Worker::Stub::Compile, request, reply);
  }
  grpc::Status execute(std::int64_t num_steps, proto::ExecuteReply& reply) {
    proto::ExecuteRequest request;
    request.set_program(1);
    request.set_num_steps(num_steps);
    request.add_state(2);
    return call(&proto::Worker::Stub::Execute, request, reply);
  }
  std::unique_ptr<grpc::ClientReaderWriter<proto::ExecuteRequest, proto::ExecuteReply>> run(
      grpc::ClientContext& context) {
    context.AddMetadata("cornu-session-bin", session_);
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    return stub_->Run(&context);
  }
  /// Bytes as a call's message, after the session's name.
  grpc::Status call_with(const std::string& method, const std::string& bytes,
                         grpc_compression_algorithm compression = GRPC_COMPRESS_NONE) {
    proto::AttachRequest session;  // field 1, as in all requests of a session
    session.set_session(session_);
    const grpc::Slice slices[] = {grpc::Slice(session.SerializeAsString()), grpc::Slice(bytes)};
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    context.set_compression_algorithm(compression);
    return answer_of(context, method, grpc::ByteBuffer(slices, 2));
  }
  const std::string& session() const { return session_; }
  void set_session(const std::string& session) { session_ = session; }
  std::shared_ptr<grpc::Channel> channel() const { return channel_; }

  proto::GroupMember group;  // of the session that open() opens
  std::uint32_t protocol = 0;

 private:
  grpc::Status answer_of(grpc::ClientContext& context, const std::string& method,
                         const grpc::ByteBuffer& message) {
    grpc::GenericStub stub(channel_);
    grpc::CompletionQueue events;
    const auto call = stub.PrepareUnaryCall(&context, "/cornu.remote.v1." + method, message, &events);
    call->StartCall();
    grpc::ByteBuffer answer;
    grpc::Status status;
    call->Finish(&answer, &status, nullptr);
    void* tag = nullptr;
    bool is_ok = false;
    events.Next(&tag, &is_ok);
    return status;
  }

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<proto::Worker::Stub> stub_;
  std::unique_ptr<proto::Transfers::Stub> transfers_;
  std::string session_;
  grpc::ClientContext attach_context_;
  std::unique_ptr<grpc::ClientReader<proto::AttachReply>> attached_;
};

inline void expect_status(const grpc::Status& status, grpc::StatusCode code, const std::string& part) {
  EXPECT_EQ(status.error_code(), code) << status.error_message();
  EXPECT_NE(status.error_message().find(part), std::string::npos) << status.error_message();
}

}  // namespace cornu::inline v0
