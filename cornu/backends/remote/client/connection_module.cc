#include "cornu/backends/remote/client/connection.h"

#include <condition_variable>
#include <optional>
#include <thread>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"
#include "cornu/base/service_thread.h"
#include "cornu/version.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// The worker's clock in a call's reply; empty if there is none.
std::optional<double> reported_clock(const grpc::ClientContext& context) {
  const auto& metadata = context.GetServerTrailingMetadata();
  const auto found = metadata.find(kClockKey);
  if (found == metadata.end()) return std::nullopt;
  return parse_number<double>({found->second.data(), found->second.size()});
}

}  // namespace

/// The stream that keeps a session open. A thread polls it ten times a second instead of waiting in it: gRPC
/// lets one of the waiting threads receive for all, and replies to calls would take a detour through that
/// thread.
class Connection::Attachment {
 public:
  Attachment(Connection& connection, std::string session)
      : connection_(connection), session_(std::move(session)) {
    connection.add_token(context_);
    proto::AttachRequest request;
    request.set_session(session_);
    reader_ = connection.stub_->AsyncAttach(&context_, request, &events_, nullptr);
    thread_ = start_service_thread([this] { look_after(); });
  }
  ~Attachment() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_all();
    thread_.join();
    context_.TryCancel();
    void* tag = nullptr;
    bool is_ok = true;
    while (!has_ended_ && events_.Next(&tag, &is_ok)) {
      has_ended_ = !is_ok;
      if (is_ok) reader_->Read(&reply_, nullptr);
    }
    grpc::Status status;
    reader_->Finish(&status, nullptr);
    events_.Next(&tag, &is_ok);
    events_.Shutdown();
    while (events_.Next(&tag, &is_ok)) {
    }
  }
  /// True if the link, and with it the session, has ended. Makes no call. Threads: any.
  bool has_ended() {
    take_events();
    const std::lock_guard lock(events_mutex_);
    return has_ended_ || is_cancelled_;
  }
  /// Ends the session.
  void cancel() {
    context_.TryCancel();
    const std::lock_guard lock(events_mutex_);
    is_cancelled_ = true;
  }
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;

 private:
  static constexpr auto kRound = std::chrono::milliseconds(100);

  void look_after() {
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, kRound, [this] { return is_over_; })) {
      lock.unlock();
      take_events();
      stop_executions();
      lock.lock();
    }
  }
  /// Does not wait.
  void take_events() {
    void* tag = nullptr;
    bool is_ok = true;
    const std::lock_guard lock(events_mutex_);
    // An event for the end of the link is the last one; the destructor has none to wait for.
    while (!has_ended_ && events_.AsyncNext(&tag, &is_ok, std::chrono::system_clock::now()) ==
                              grpc::CompletionQueue::GOT_EVENT) {
      has_ended_ = !is_ok;
      if (has_ended_) return;
      if (connection_.take_progress(reply_)) to_stop_.push_back(reply_.execution());
      reader_->Read(&reply_, nullptr);
    }
  }
  /// Sends stop requests to the worker. The calls may take long, so no lock is held.
  void stop_executions() {
    std::vector<std::uint64_t> executions;
    {
      const std::lock_guard lock(events_mutex_);
      executions.swap(to_stop_);
    }
    for (const std::uint64_t execution : executions) connection_.stop(execution, session_);
  }

  Connection& connection_;
  const std::string session_;
  grpc::ClientContext context_;
  std::mutex events_mutex_;  // guards the next six members
  grpc::CompletionQueue events_;
  std::unique_ptr<grpc::ClientAsyncReader<proto::AttachReply>> reader_;
  proto::AttachReply reply_;
  bool has_ended_ = false, is_cancelled_ = false;
  std::vector<std::uint64_t> to_stop_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;  // uses the other members
};

Connection::Connection(WorkerAddress address, proto::GroupMember group)
    : address_(std::move(address)),
      group_(std::move(group)),
      hello_(open_session()),
      session_(hello_.session()),
      has_run_(hello_.has_run()) {
  attach();
}

void Connection::open_stubs() {
  token_ = token_of(address_);
  channel_ = connected_channel(address_, token_);
  stub_ = proto::Worker::NewStub(channel_);
  transfers_ = proto::Transfers::NewStub(channel_);
  generic_stub_ = std::make_unique<grpc::GenericStub>(channel_);
}

Error Connection::failed_call(const grpc::Status& status) const {
  // A channel with a token opens a single connection: for a second one gRPC would report a proxy's refusal.
  if (token_.empty() || status.error_code() != grpc::StatusCode::UNAVAILABLE ||
      channel_->GetState(false) != GRPC_CHANNEL_TRANSIENT_FAILURE)
    return call_error(status, address_);
  return {ErrorCode::kUnavailable,
          fmt::format("the worker at {} does not answer: the link was cut, or the worker has ended, and the "
                      "session with it; connect again",
                      address_.host_port),
          {.op = "grpc"}};
}

/// Uses a new channel: a lost one waits longer and longer between its attempts.
proto::HelloReply Connection::open_session() {
  open_stubs();
  proto::HelloRequest request;
  proto::HelloReply reply;
  request.set_protocol(kProtocolVersion);
  request.set_version(CORNU_VERSION_STRING);
  request.set_device(address_.device);
  if (!group_.group().empty()) *request.mutable_group() = group_;
  grpc::ClientContext context;
  add_token(context);
  context.set_deadline(std::chrono::system_clock::now() + kConnectTimeout);
  const grpc::Status status = stub_->Hello(&context, request, &reply);
  if (!status.ok()) throw call_error(status, address_);
  clock_.restart(reported_clock(context));
  return reply;
}

// The generation is incremented last, so that a caller that reads it also sees its session.
void Connection::reconnect(std::uint64_t lost) {
  if (generation() != lost && !has_lost_session()) return;
  run_stream_.abandon();
  detach();
  const proto::HelloReply reply = open_session();
  if (reply.device().type() != hello_.device().type() || reply.device().kind() != hello_.device().kind())
    fail(ErrorCode::kFailedPrecondition,
         "[grpc] the worker at {} came back with another device: {} {} instead of {} {}", address_.host_port,
         reply.device().type(), reply.device().kind(), hello_.device().type(), hello_.device().kind());
  session_ = reply.session();
  has_run_ = reply.has_run();  // it may be a worker of another version
  pending_.clear();
  pending_bytes_ = 0;
  pace_.note_loss();
  attach();
  generation_.fetch_add(1);
}

void Connection::set_group(proto::GroupMember group) { group_ = std::move(group); }

void Connection::join() {
  proto::JoinRequest request;
  proto::JoinReply reply;
  request.set_session(session_);
  call(&proto::Worker::Stub::Join, request, reply);
}

void Connection::end_session() {
  const std::lock_guard lock(attachment_mutex_);
  if (attachment_ != nullptr) attachment_->cancel();
}

bool Connection::has_lost_session() {
  const std::lock_guard lock(attachment_mutex_);
  return attachment_ == nullptr || attachment_->has_ended();
}

void Connection::attach() {
  auto attachment = std::make_unique<Attachment>(*this, session_);
  const std::lock_guard lock(attachment_mutex_);
  attachment_ = std::move(attachment);
}

void Connection::detach() {
  std::unique_ptr<Attachment> ended;
  const std::lock_guard lock(attachment_mutex_);
  ended = std::move(attachment_);
}

Connection::~Connection() { detach(); }

void Connection::release(std::uint64_t number) {
  const std::lock_guard lock(released_mutex_);
  released_.push_back(number);
}

void Connection::drop_pending(std::uint64_t buffer) {
  const auto found = pending_.find(buffer);
  if (found == pending_.end()) return;
  pending_bytes_ -= found->second.bytes.size();
  pending_.erase(found);
}

bool Connection::put_off(std::uint64_t buffer, const ir::TensorType& type, std::string_view bytes) {
  drop_pending(buffer);  // it is overwritten
  if (bytes.size() > kSmallBytes || pending_bytes_ + bytes.size() > kMaxSmallBytes) return false;
  pending_bytes_ += bytes.size();
  pending_.emplace(buffer, Pending{type, std::string(bytes)});
  return true;
}

void Connection::take_pending(proto::WriteRequest& request) {
  for (auto& [number, pending] : pending_) {
    proto::WriteRequest::Item& item = *request.add_items();
    item.mutable_piece()->set_buffer(number);
    item.mutable_piece()->set_size(pending.bytes.size());
    *item.mutable_type() = to_proto(pending.type);
    request.mutable_data()->append(pending.bytes);
  }
  pending_.clear();
  pending_bytes_ = 0;
}

void Connection::drop_released() {
  const std::lock_guard lock(released_mutex_);
  for (const std::uint64_t number : released_) drop_pending(number);
}

void Connection::send_pending() {
  drop_released();  // the next call releases them
  if (!pending_.empty()) flush();
}

void Connection::flush() {
  {
    const std::lock_guard lock(released_mutex_);
    if (pending_.empty() && released_.empty()) return;
  }
  proto::WriteRequest request;
  proto::WriteReply reply;
  fill(request);
  const std::map<std::uint64_t, Pending> writes = pending_;
  const std::size_t num_bytes = pending_bytes_;
  take_pending(request);
  try {
    call(*transfers_, &proto::Transfers::Stub::Write, request, reply);
  } catch (const Error&) {  // nothing is lost if the worker has no memory for them now
    pending_ = writes;
    pending_bytes_ = num_bytes;
    for (const std::uint64_t number : request.released()) release(number);
    throw;
  }
}

void Connection::take_clock(const grpc::ClientContext& context) { clock_.take(reported_clock(context)); }

void Connection::add_token(grpc::ClientContext& context) const {
  if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
}

bool Connection::take_progress(const proto::AttachReply& reply) {
  const std::lock_guard lock(watched_mutex_);
  if (watched_.progress == nullptr || watched_.execution != reply.execution()) return false;
  watched_.progress->steps_done.store(watched_.first + reply.steps_done());
  return watched_.progress->is_stopping() && !std::exchange(watched_.is_stopping, true);
}

void Connection::stop(std::uint64_t execution, const std::string& session) {
  proto::StopRequest request;
  proto::StopReply reply;
  request.set_session(session);
  request.set_execution(execution);
  grpc::ClientContext context;
  add_token(context);
  context.set_deadline(std::chrono::system_clock::now() + kConnectTimeout);
  if (stub_->Stop(&context, request, &reply).ok()) return;
  // If the execution is still running, the next progress message requests the stop again.
  const std::lock_guard lock(watched_mutex_);
  if (watched_.execution == execution) watched_.is_stopping = false;
}

Connection::Watch::Watch(Connection& connection, std::uint64_t execution, std::int64_t first,
                         runtime::Progress* progress)
    : connection_(connection) {
  const std::lock_guard lock(connection.watched_mutex_);
  connection.watched_ = {.execution = execution, .first = first, .progress = progress};
}

Connection::Watch::~Watch() {
  const std::lock_guard lock(connection_.watched_mutex_);
  connection_.watched_ = {};
}

}  // namespace cornu::inline v0::backends::remote
