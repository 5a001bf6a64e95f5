#include "cornu/backends/remote/client/run_stream.h"

#include <grpcpp/generic/generic_stub.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "cornu/backends/remote/client/connection.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Bytes of requests on their way, in pieces of the link's pace: the worker receives the next while one runs.
constexpr std::size_t kMostPieces = 4;

}  // namespace

/// The tags of its events are the addresses of the members that an operation changes.
struct RunStream::Call {
  grpc::ClientContext context;
  grpc::CompletionQueue events;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream;
  grpc::ByteBuffer arriving;
  bool is_writing = false, has_ended = false;
  grpc::Status status;

  ~Call() {
    events.Shutdown();
    void* tag = nullptr;
    bool is_ok = false;
    while (events.Next(&tag, &is_ok)) {
    }
  }
};

RunStream::RunStream(Connection& connection) : connection_(connection) {}

RunStream::~RunStream() { abandon(); }

void RunStream::open() {
  call_ = std::make_unique<Call>();
  connection_.add_token(call_->context);
  call_->context.AddMetadata(kSessionKey, connection_.session());
  call_->context.set_initial_metadata_corked(true);  // the call begins with the first request
  call_->stream = connection_.generic_stub().PrepareCall(&call_->context, kRunMethod, &call_->events);
  call_->stream->StartCall(nullptr);
}

void RunStream::make_room(std::size_t num_bytes, double seconds) {
  poll();
  if (has_failed_) finish();
  const auto is_full = [&] {
    return sent_.size() >= kMostExecutions || seconds_ + seconds > runtime::AsyncExecutable::kMostSeconds ||
           num_bytes_ + num_bytes > kMostPieces * connection_.pace().piece_bytes();
  };
  while (!sent_.empty() && is_full()) wait_for_event();
  if (has_failed_) finish();
}

void RunStream::send(std::shared_ptr<SentExecution> execution, const grpc::ByteBuffer& request) {
  const bool is_first = call_ == nullptr || call_->has_ended;
  if (is_first) open();
  while (call_->is_writing && !call_->has_ended) wait_for_event();
  if (call_->has_ended) throw connection_.failed_call(call_->status);
  num_bytes_ += execution->num_bytes;
  seconds_ += execution->seconds;
  sent_.push_back(std::move(execution));
  call_->is_writing = true;
  call_->stream->Write(request, &call_->is_writing);
  if (is_first) read_next();
  poll();
}

void RunStream::read_next() { call_->stream->Read(&call_->arriving, &call_->arriving); }

void RunStream::poll() {
  // gRPC waits a millisecond for a deadline of now.
  const gpr_timespec past = gpr_inf_past(GPR_CLOCK_REALTIME);
  void* tag = nullptr;
  bool is_ok = false;
  while (call_ != nullptr && !call_->has_ended &&
         call_->events.AsyncNext(&tag, &is_ok, past) == grpc::CompletionQueue::GOT_EVENT)
    take_event(tag, is_ok);
}

void RunStream::wait_for_event() {
  void* tag = nullptr;
  bool is_ok = false;
  if (call_->events.Next(&tag, &is_ok)) take_event(tag, is_ok);
}

void RunStream::wait_for(const SentExecution& execution) {
  while (!execution.is_done) wait_for_event();
}

void RunStream::finish() {
  while (!sent_.empty()) wait_for_event();
  if (has_failed_) close();
  if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void RunStream::take_event(void* tag, bool is_ok) {
  if (tag == &call_->is_writing) {
    call_->is_writing = false;  // if it failed, so does the read
    return;
  }
  if (!is_ok) return end_call();
  take_reply();
  call_->arriving.Clear();
  read_next();
}

void RunStream::take_reply() {
  proto::ExecuteReply reply;
  const bool is_reply =
      grpc::SerializationTraits<proto::ExecuteReply>::Deserialize(&call_->arriving, &reply).ok();
  // The refusal of a request that the worker has not read has no number; replies are in the order of
  // requests.
  const bool is_refusal = reply.execution() == 0 && !reply.error().empty();
  if (is_reply && !sent_.empty() && (is_refusal || reply.execution() == sent_.front()->number))
    return settle(reply);
  call_->context.TryCancel();
  fail_all(
      std::make_exception_ptr(Error(ErrorCode::kInternal,
                                    fmt::format("the worker at {} answered an execution with something else",
                                                connection_.address().host_port),
                                    {.op = "grpc"})));
}

void RunStream::settle(const proto::ExecuteReply& reply) {
  const std::shared_ptr<SentExecution> first = sent_.front();
  const std::optional<double> before = connection_.clock().now();
  if (reply.has_clock()) connection_.take_clock(reply.clock());
  const std::optional<double> now = connection_.clock().now();
  const bool is_virtual = before.has_value() && now.has_value();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - first->start;
  connection_.pace().note_work(first->num_bytes, elapsed.count());
  try {
    first->take(reply, is_virtual ? *now - *before : reply.seconds());
  } catch (...) {
    note_failure(*first, std::current_exception());
  }
  forget_first();
}

void RunStream::note_failure(SentExecution& execution, const std::exception_ptr& error) {
  execution.error = error;
  if (!std::exchange(has_failed_, true)) failure_ = error;
}

void RunStream::forget_first() {
  const std::shared_ptr<SentExecution> first = std::move(sent_.front());
  sent_.pop_front();
  num_bytes_ -= first->num_bytes;
  seconds_ = sent_.empty() ? 0 : std::max(0.0, seconds_ - first->seconds);
  first->take = nullptr;
  first->is_done = true;
}

void RunStream::fail_all(const std::exception_ptr& error) {
  while (!sent_.empty()) {
    note_failure(*sent_.front(), error);
    forget_first();
  }
}

void RunStream::end_call() {
  call_->has_ended = true;
  call_->stream->Finish(&call_->status, &call_->status);
  void* tag = nullptr;
  bool is_ok = false;
  while (tag != &call_->status && call_->events.Next(&tag, &is_ok)) {
  }
  if (call_->status.ok() && !sent_.empty())
    call_->status = {grpc::StatusCode::UNAVAILABLE, "it has ended a call before the last execution"};
  if (!sent_.empty()) fail_all(std::make_exception_ptr(connection_.failed_call(call_->status)));
}

void RunStream::close() {
  has_failed_ = false;
  if (call_ == nullptr) return;
  while (call_->is_writing && !call_->has_ended) wait_for_event();
  if (!call_->has_ended) {
    call_->is_writing = true;
    call_->stream->WritesDone(&call_->is_writing);
  }
  while (!call_->has_ended) wait_for_event();
  call_ = nullptr;
}

void RunStream::abandon() {
  fail_all(std::make_exception_ptr(
      Error(ErrorCode::kUnavailable,
            fmt::format("the session on the worker at {} has ended before an execution",
                        connection_.address().host_port),
            {.op = "grpc"})));
  has_failed_ = false;
  failure_ = nullptr;
  if (call_ == nullptr) return;
  if (!call_->has_ended) call_->context.TryCancel();
  while (!call_->has_ended) wait_for_event();
  call_ = nullptr;
}

SentExecutionEvent::SentExecutionEvent(std::shared_ptr<Connection> connection,
                                       std::shared_ptr<SentExecution> execution)
    : connection_(std::move(connection)), execution_(std::move(execution)) {}

SentExecutionEvent::~SentExecutionEvent() { settle(); }

void SentExecutionEvent::settle() {
  if (execution_->is_done) return;
  const std::lock_guard lock(connection_->order());
  connection_->run_stream().wait_for(*execution_);
}

bool SentExecutionEvent::is_ready() {
  if (execution_->is_done) return true;
  const std::unique_lock lock(connection_->order(), std::try_to_lock);
  if (lock.owns_lock()) connection_->run_stream().poll();
  return execution_->is_done;
}

void SentExecutionEvent::wait() {
  settle();
  if (execution_->error == nullptr) return;
  {
    const std::lock_guard lock(connection_->order());
    connection_->run_stream().note_reported();
  }
  std::rethrow_exception(execution_->error);
}

}  // namespace cornu::inline v0::backends::remote
