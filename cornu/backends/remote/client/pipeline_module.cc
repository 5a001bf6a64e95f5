#include "cornu/backends/remote/client/pipeline.h"

#include <chrono>
#include <utility>

#include "cornu/backends/remote/client/connection.h"

namespace cornu::inline v0::backends::remote {

using Clock = std::chrono::steady_clock;

struct Pipeline::Call {
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  grpc::ByteBuffer reply;
  grpc::Status status;
  std::size_t num_bytes = 0;
  Clock::time_point start = Clock::now();
  std::function<void(grpc::ByteBuffer&)> take;
};

Pipeline::Pipeline(Connection& connection, const char* method) : connection_(connection), method_(method) {}

Pipeline::~Pipeline() {
  wait_for_all();
  events_.Shutdown();
  void* tag = nullptr;
  bool is_ok = false;
  while (events_.Next(&tag, &is_ok)) {
  }
}

grpc::Slice Pipeline::lend(std::span<const std::byte> memory) {
  {
    const std::lock_guard lock(lent_->mutex);
    ++lent_->count;
  }
  const auto give_back = [](void* data) {
    const std::unique_ptr<std::shared_ptr<Lent>> owner(static_cast<std::shared_ptr<Lent>*>(data));
    Lent& lent = **owner;
    const std::lock_guard lock(lent.mutex);
    --lent.count;
    lent.given_back.notify_all();
  };
  // gRPC only reads it.
  return {const_cast<std::byte*>(memory.data()), memory.size(), give_back,
          std::make_unique<std::shared_ptr<Lent>>(lent_).release()};
}

void Pipeline::begin(std::string head, int number, const Parts& data,
                     std::function<void(grpc::ByteBuffer&)> take) {
  while (num_calls_ >= kMostCalls) finish_one();
  if (error_ != nullptr) finish();
  std::vector<grpc::Slice> slices;
  if (const std::size_t num_bytes = size_of(data); num_bytes > 0) append_field_head(head, number, num_bytes);
  slices.emplace_back(head);
  for (const auto& part : data)
    if (!part.empty()) slices.push_back(lend(part));
  const grpc::ByteBuffer request(slices.data(), slices.size());
  slices.clear();
  auto call = std::make_unique<Call>();
  call->take = std::move(take);
  call->num_bytes = size_of(data);
  connection_.add_token(call->context);
  call->reader = connection_.generic_stub().PrepareUnaryCall(&call->context, method_, request, &events_);
  call->reader->StartCall();
  call->reader->Finish(&call->reply, &call->status, call.get());
  static_cast<void>(call.release());  // NOLINT(bugprone-unused-return-value): finish_one() gets it back
  ++num_calls_;
}

void Pipeline::finish_one() {
  void* tag = nullptr;
  bool is_ok = false;
  events_.Next(&tag, &is_ok);
  --num_calls_;
  const std::unique_ptr<Call> call(static_cast<Call*>(tag));
  connection_.take_clock(call->context);
  if (error_ != nullptr) return;
  try {
    if (!call->status.ok()) throw connection_.failed_call(call->status);
    const double seconds = std::chrono::duration<double>(Clock::now() - call->start).count();
    if (method_ == kWriteMethod)
      connection_.pace().note(call->num_bytes, seconds);
    else
      connection_.pace().note_work(call->num_bytes, seconds);
    if (call->take) call->take(call->reply);
  } catch (...) {
    error_ = std::current_exception();
  }
}

/// Returns when gRPC has released the caller's memory: the keep-alive ends a link that hangs with some of it.
void Pipeline::wait_for_all() {
  while (num_calls_ > 0) finish_one();
  std::unique_lock lock(lent_->mutex);
  lent_->given_back.wait(lock, [this] { return lent_->count == 0; });
}

void Pipeline::finish() {
  wait_for_all();
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace cornu::inline v0::backends::remote
