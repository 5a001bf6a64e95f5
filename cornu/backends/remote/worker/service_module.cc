#include "cornu/backends/remote/worker/service.h"

#include <malloc.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <type_traits>
#include <utility>

#include "cornu/backends/remote/wire/admission.h"
#include "cornu/backends/remote/wire/secret.h"
#include "cornu/backends/remote/wire/slices.h"
#include "cornu/backends/remote/worker/messages.h"
#include "cornu/base/service_thread.h"
#include "cornu/runtime/device_group.h"
#include "cornu/version.h"

namespace cornu::inline v0::backends::remote {
namespace {

using Clock = std::chrono::steady_clock;

/// Interval between checks of sessions and running executions.
constexpr auto kRound = std::chrono::milliseconds(100);
/// Time after which a session without an attached client is closed.
constexpr auto kAttachTimeout = std::chrono::seconds(10);
/// Progress is reported every round for this long, then every second.
constexpr auto kOftenAtFirst = std::chrono::seconds(10);

/// Wraps the bytes in place, and keeps them until gRPC has sent them.
grpc::Slice owning_slice(const ReadPart& part) {
  using Owner = std::shared_ptr<const void>;
  auto owner = std::make_unique<Owner>(part.owner);
  // gRPC only reads it.
  return {const_cast<std::byte*>(part.bytes.data()), part.bytes.size(),
          [](void* kept) { delete static_cast<Owner*>(kept); }, owner.release()};
}

/// A copy of the message that holds `share` until gRPC has sent it.
grpc::ByteBuffer counted_message(const grpc::ByteBuffer& message, QuotaShare share) {
  struct Sent {
    QuotaShare share;
    std::vector<grpc::Slice> slices;
  };
  const auto sent = std::make_shared<Sent>(Sent{std::move(share), {}});
  if (!message.Dump(&sent->slices).ok()) fail(ErrorCode::kInternal, "[worker] an answer cannot be read");
  std::vector<grpc::Slice> slices;
  for (const grpc::Slice& slice : sent->slices)
    slices.push_back(owning_slice({sent, {reinterpret_cast<const std::byte*>(slice.begin()), slice.size()}}));
  return {slices.data(), slices.size()};
}

/// A ReadReply of these bytes.
grpc::ByteBuffer reply_of(const std::vector<ReadPart>& parts) {
  std::size_t num_bytes = 0;
  for (const ReadPart& part : parts) num_bytes += part.bytes.size();
  std::string head;
  append_field_head(head, proto::ReadReply::kDataFieldNumber, num_bytes);
  std::vector<grpc::Slice> slices = {grpc::Slice(head)};
  for (const ReadPart& part : parts)
    if (!part.bytes.empty()) slices.push_back(owning_slice(part));
  return {slices.data(), slices.size()};
}

/// Increments a counter while it lives.
class CountedCall {
 public:
  explicit CountedCall(std::atomic<int>& count) : count_(count) { count_.fetch_add(1); }
  ~CountedCall() { count_.fetch_sub(1); }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

 private:
  std::atomic<int>& count_;
};

/// Counts a call of a session while it lives.
class CallInSession {
 public:
  CallInSession(std::shared_ptr<OpenSession> open, bool is_read)
      : open_(std::move(open)), change_(is_read ? 0 : 1) {
    if (open_->num_calls.fetch_add(1) >= kMaxCalls) {
      open_->num_calls.fetch_sub(1);
      fail(ErrorCode::kResourceExhausted, "[worker] a session has at most {} calls at a time", kMaxCalls);
    }
    open_->num_changes.fetch_add(change_);
  }
  ~CallInSession() {
    open_->num_changes.fetch_sub(change_);
    open_->num_calls.fetch_sub(1);
  }
  CallInSession(const CallInSession&) = delete;
  CallInSession& operator=(const CallInSession&) = delete;
  Session& session() const { return *open_->session; }

 private:
  std::shared_ptr<OpenSession> open_;
  const int change_;
};

/// Adds the device's virtual clock, if it has one, to the reply of a call.
void report_clock(grpc::ServerContext& context, const Session& session) {
  if (const std::optional<double> now = session.virtual_now(); now.has_value())
    context.AddTrailingMetadata(kClockKey, fmt::format("{}", *now));
}

/// Registers a session's Run while it lives.
class RegisteredRun {
 public:
  RegisteredRun(std::shared_ptr<OpenSession> open, grpc::ServerContext& context) : open_(std::move(open)) {
    open_->begin_run([&context] { context.TryCancel(); });
  }
  ~RegisteredRun() { open_->end_run(); }
  RegisteredRun(const RegisteredRun&) = delete;
  RegisteredRun& operator=(const RegisteredRun&) = delete;

 private:
  std::shared_ptr<OpenSession> open_;
};

/// The session that a Run's metadata name; empty if they name none.
std::string session_of_run(const grpc::ServerContext& context) {
  const auto found = context.client_metadata().find(kSessionKey);
  if (found == context.client_metadata().end()) return "";
  return {found->second.data(), found->second.size()};
}

template <typename Reply>
grpc::ByteBuffer message_of(const Reply& reply, QuotaShare share) {
  grpc::ByteBuffer message;
  bool is_own = false;
  if (!grpc::SerializationTraits<Reply>::Serialize(reply, &message, &is_own).ok())
    fail(ErrorCode::kInternal, "[worker] an answer is too large for a message");
  return share.num_bytes() > 0 ? counted_message(message, std::move(share)) : message;
}

/// Returns the memory of ended sessions to the system: malloc would keep the maximum, fragmented by live
/// blocks, and grow with each crowd of clients.
class FreedMemory {
 public:
  void look_after(std::uint64_t num_ended) {
    if (num_ended == num_ended_) return;
    const Clock::time_point now = Clock::now();
    if (!is_due_) due_ = now + kPause;  // the session's last calls end
    is_due_ = now < due_;
    if (is_due_) return;
    num_ended_ = num_ended;
    malloc_trim(0);
  }

 private:
  static constexpr auto kPause = std::chrono::seconds(1);
  std::uint64_t num_ended_ = 0;
  bool is_due_ = false;
  Clock::time_point due_;
};

/// Decides when an attached client gets progress.
class Reports {
 public:
  bool is_due(const ExecutionProgress& running) {
    const Clock::time_point now = Clock::now();
    if (now - running.start < kRound) return false;
    if (now - running.start >= kOftenAtFirst && now - reported_ < std::chrono::seconds(1)) return false;
    reported_ = now;
    return true;
  }

 private:
  Clock::time_point reported_;
};

}  // namespace

Service::Service(const WorkerOptions& options, std::string token)
    : options_(options),
      token_(std::move(token)),
      quota_(options.memory_limit_bytes),
      groups_(options_),
      sessions_(options.max_clients) {
  for (const std::string& spec : options.devices) {
    const std::shared_ptr<runtime::Client> client = runtime::make_client(spec, options.client_options);
    for (std::size_t i = 0; i < client->devices().size(); ++i)
      devices_.push_back({client, static_cast<int>(i)});
  }
  if (!options.data_root.empty()) files_.emplace(options.data_root);
  if (devices_.empty()) invalid_argument("[worker] there must be a device");
  add_calls();
  add_run();
  add_transfers();
  add_meet();
  rounds_ = start_service_thread([this] { look_after(); });
}

Service::~Service() {
  {
    const std::lock_guard lock(over_mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  rounds_.join();
}

template <typename F>
grpc::Status Service::answer(const grpc::ServerContext& context, const F& work) {
  try {
    if (!is_allowed(context))
      return {grpc::StatusCode::UNAUTHENTICATED, std::string("[worker] ") + kTokenSentence};
    work();
    return grpc::Status::OK;
  } catch (const Error& error) {
    // UNAVAILABLE is the status of a cut link.
    const bool is_own = error.code() == ErrorCode::kUnavailable;
    return to_status(is_own ? grpc::StatusCode::ABORTED : status_code(error.code()), error);
  } catch (const std::bad_alloc&) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "[worker] there is not enough memory"};
  } catch (const std::exception& error) {
    return {grpc::StatusCode::INTERNAL, error.what()};
  }
}

bool Service::is_idle() {
  const std::vector<std::shared_ptr<OpenSession>> open = sessions_.all();
  return std::none_of(open.begin(), open.end(), [](const auto& one) { return one->num_changes.load() != 0; });
}

template <typename Request, typename Work>
void Service::in_session(grpc::ServerContext& context, const Request& request, const Work& work) {
  in_session(request, [&](Session& session) {
    work(session);
    report_clock(context, session);
  });
}

template <typename Request, typename Work>
void Service::in_session(const Request& request, const Work& work) {
  // Data that only this worker has can still be fetched while it drains.
  constexpr bool is_read = std::is_same_v<Request, proto::ReadRequest>;
  const CountedCall counted(is_read ? num_running_reads_ : num_calls_);
  if constexpr (is_read) num_reads_.fetch_add(1);
  if (is_draining_ && !is_read && !std::is_same_v<Request, proto::StopRequest>)
    fail(ErrorCode::kUnavailable, "[worker] it is being shut down and takes no new calls");
  const CallInSession call(sessions_.find(request.session()), is_read);
  if constexpr (requires { request.released(); }) {
    const std::vector<std::uint64_t> released(request.released().begin(), request.released().end());
    if (!released.empty()) call.session().release(released);
  }
  work(call.session());
}

// Methods are added like the generated code does it, since gRPC has no public form for synchronous calls with
// raw messages.
using grpc::internal::RpcMethod;
using grpc::internal::RpcServiceMethod;

template <typename Request, typename Reply, typename Work>
void Service::add_call(const char* method, Work work) {
  const auto handle = [work](Service* service, grpc::ServerContext* context, const grpc::ByteBuffer* message,
                             grpc::ByteBuffer* answered) {
    return service->answer(*context, [&] {
      QuotaShare share;
      Request request;
      // gRPC's own object, which is not read again: parsing frees its bytes.
      share = read_message(service->quota_, const_cast<grpc::ByteBuffer&>(*message), request);
      QuotaShare answer_share;
      Reply reply;
      if constexpr (std::is_void_v<decltype(work(*context, request, reply))>)
        work(*context, request, reply);
      else
        answer_share = work(*context, request, reply);
      *answered = message_of(reply, std::move(answer_share));
    });
  };
  AddMethod(new RpcServiceMethod(
      method, RpcMethod::NORMAL_RPC,
      new grpc::internal::RpcMethodHandler<Service, grpc::ByteBuffer, grpc::ByteBuffer>(handle, this)));
}

template <typename Request, typename Reply>
void Service::add_session_call(const char* method) {
  add_call<Request, Reply>(
      method, [this](grpc::ServerContext& context, const Request& request, Reply& reply) {
        in_session(context, request, [&](Session& session) { run_call(session, request, reply); });
      });
}

void Service::add_calls() {
  add_call<proto::HelloRequest, proto::HelloReply>(
      "/cornu.remote.v1.Worker/Hello",
      [this](auto& context, const auto& request, auto& reply) { hello(context, request, reply); });
  // Its request has no list, so nothing is counted.
  AddMethod(new RpcServiceMethod(
      "/cornu.remote.v1.Worker/Attach", RpcMethod::SERVER_STREAMING,
      new grpc::internal::ServerStreamingHandler<Service, proto::AttachRequest, proto::AttachReply>(
          [](Service* service, grpc::ServerContext* context, const proto::AttachRequest* request,
             grpc::ServerWriter<proto::AttachReply>* writer) {
            return service->attach(*context, *request, *writer);
          },
          this)));
  add_call<proto::ExecuteRequest, proto::ExecuteReply>(
      kExecuteMethod,
      [this](auto& context, const auto& request, auto& reply) { return execute(context, request, reply); });
  add_session_call<proto::JoinRequest, proto::JoinReply>("/cornu.remote.v1.Worker/Join");
  add_session_call<proto::CompileRequest, proto::CompileReply>("/cornu.remote.v1.Worker/Compile");
  add_session_call<proto::CopyRequest, proto::CopyReply>("/cornu.remote.v1.Worker/Copy");
  add_session_call<proto::StopRequest, proto::StopReply>("/cornu.remote.v1.Worker/Stop");
  add_session_call<proto::ExplainRequest, proto::ExplainReply>("/cornu.remote.v1.Worker/Explain");
  add_session_call<proto::OpenRequest, proto::OpenReply>("/cornu.remote.v1.Worker/Open");
  add_session_call<proto::SaveRequest, proto::SaveReply>("/cornu.remote.v1.Worker/Save");
  add_session_call<proto::LoadRequest, proto::LoadReply>("/cornu.remote.v1.Worker/Load");
  add_call<proto::StatusRequest, proto::StatusReply>(
      "/cornu.remote.v1.Worker/GetStatus", [this](auto&, const auto&, auto& reply) { report_status(reply); });
}

void Service::add_transfers() {
  AddMethod(new RpcServiceMethod(
      kWriteMethod, RpcMethod::NORMAL_RPC,
      new grpc::internal::RpcMethodHandler<Service, grpc::ByteBuffer, grpc::ByteBuffer>(
          [](Service* service, grpc::ServerContext* context, const grpc::ByteBuffer* message,
             grpc::ByteBuffer* reply) { return service->write(*context, *message, *reply); },
          this)));
  AddMethod(new RpcServiceMethod(
      kReadMethod, RpcMethod::SERVER_STREAMING,
      new grpc::internal::ServerStreamingHandler<Service, grpc::ByteBuffer, grpc::ByteBuffer>(
          [](Service* service, grpc::ServerContext* context, const grpc::ByteBuffer* message,
             grpc::ServerWriter<grpc::ByteBuffer>* writer) {
            return service->read(*context, *message, *writer);
          },
          this)));
}

void Service::add_run() {
  AddMethod(new RpcServiceMethod(
      kRunMethod, RpcMethod::BIDI_STREAMING,
      new grpc::internal::BidiStreamingHandler<Service, grpc::ByteBuffer, grpc::ByteBuffer>(
          [](Service* service, grpc::ServerContext* context, RequestReader::Stream* stream) {
            return service->run(*context, *stream);
          },
          this)));
}

grpc::Status Service::run(grpc::ServerContext& context, RequestReader::Stream& stream) {
  return answer(context, [&] {
    const RegisteredRun registered(sessions_.find(session_of_run(context)), context);
    RequestReader requests(stream, quota_);
    ExecutionSequence sequence;
    try {
      while (const std::unique_ptr<RequestReader::Arrived> next = requests.next())
        if (!stream.Write(run_next(*next, sequence), grpc::WriteOptions())) break;
    } catch (...) {
      context.TryCancel();
      throw;
    }
  });
}

grpc::ByteBuffer Service::run_next(const RequestReader::Arrived& next, ExecutionSequence& sequence) {
  QuotaShare share;
  proto::ExecuteReply reply;
  const auto refuse = [&](const Error& error) {
    sequence.note_failure(std::make_exception_ptr(error));
    reply.set_execution(next.request.execution());
    set_error(reply, error);
  };
  try {
    if (next.error != nullptr) std::rethrow_exception(next.error);
    in_session(next.request, [&](Session& session) {
      share = run_call(session, next.request, reply, &sequence);
      if (const std::optional<double> now = session.virtual_now(); now.has_value()) reply.set_clock(*now);
    });
  } catch (const Error& error) {
    refuse(error);
  } catch (const std::bad_alloc&) {
    refuse({ErrorCode::kResourceExhausted, "there is not enough memory", {.op = "worker"}});
  } catch (const std::exception& error) {
    refuse({ErrorCode::kInternal, error.what(), {.op = "worker"}});
  }
  count_steps(reply);
  return message_of(reply, std::move(share));
}

void Service::count_steps(const proto::ExecuteReply& reply) {
  if (reply.error().empty()) num_executions_.fetch_add(1);
  num_steps_.fetch_add(static_cast<std::uint64_t>(reply.steps_done()));
}

void Service::add_meet() {
  AddMethod(new RpcServiceMethod(
      kMeetMethod, RpcMethod::BIDI_STREAMING,
      new grpc::internal::BidiStreamingHandler<Service, grpc::ByteBuffer, grpc::ByteBuffer>(
          [](Service* service, grpc::ServerContext* context, PeerGroups::Stream* stream) {
            return service->meet(*context, *stream);
          },
          this)));
}

grpc::Status Service::meet(grpc::ServerContext& context, PeerGroups::Stream& stream) {
  return answer(context, [&] { groups_.meet(context, stream); });
}

grpc::Status Service::write(grpc::ServerContext& context, const grpc::ByteBuffer& message,
                            grpc::ByteBuffer& reply) {
  return answer(context, [&] {
    const MessageSlices slices(message);
    std::optional<SplitMessage> split =
        split_last_field(slices.parts(), proto::WriteRequest::kDataFieldNumber);
    QuotaShare share;
    proto::WriteRequest request;
    if (split.has_value())
      share = count_message(quota_, {std::as_bytes(std::span(split->head))}, kFieldsOf<proto::WriteRequest>);
    if (!split.has_value() || !request.ParseFromString(split->head))
      invalid_argument("[worker] a Write is not a WriteRequest whose last field is its data");
    in_session(context, request,
               [&](Session& session) { write_pieces(session, request, std::move(split->data)); });
    const grpc::Slice empty;
    reply = grpc::ByteBuffer(&empty, 1);
  });
}

grpc::Status Service::read(grpc::ServerContext& context, const grpc::ByteBuffer& message,
                           grpc::ServerWriter<grpc::ByteBuffer>& writer) {
  return answer(context, [&] {
    QuotaShare share;
    proto::ReadRequest request;
    share = read_message(quota_, const_cast<grpc::ByteBuffer&>(message), request);
    // Blocks while the client receives nothing, and ends with the link.
    const auto send = [&](const std::vector<ReadPart>& parts) {
      return writer.Write(reply_of(parts), grpc::WriteOptions());
    };
    in_session(context, request, [&](Session& session) { read_pieces(session, request, send); });
  });
}

bool Service::is_allowed(const grpc::ServerContext& context) const {
  if (token_.empty()) return true;
  const auto found = context.client_metadata().find("authorization");
  return found != context.client_metadata().end() &&
         same_secret({found->second.data(), found->second.size()}, "Bearer " + token_);
}

const Service::WorkerDevice& Service::device_called(const std::string& asked) const {
  // "cpu" as in --devices, "CPU" as listed.
  std::string name = asked;
  for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  std::vector<std::string> names;
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const std::string& type = devices_[i].info().type;
    const int number = counts[type]++;
    names.push_back(fmt::format("{}:{}", type, number));
    if (name.empty() || name == std::to_string(i) || name == names.back() || (number == 0 && name == type))
      return devices_[i];
  }
  fail(ErrorCode::kNotFound, "[worker] there is no device \"{}\"; there are: {}", asked.substr(0, 40),
       fmt::join(names, ", "));
}

Service::WorkerDevice Service::devices_called(const std::string& names) const {
  std::vector<int> places;
  std::shared_ptr<runtime::Client> client;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find('+', begin), names.size());
    const WorkerDevice& device = device_called(names.substr(begin, end - begin));
    if (client != nullptr && device.client != client)
      invalid_argument("[worker] \"{}\" are devices of several clients, which run no program together",
                       names.substr(0, 80));
    if (std::find(places.begin(), places.end(), device.place) != places.end())
      invalid_argument("[worker] a device comes twice in \"{}\"", names.substr(0, 80));
    client = device.client;
    places.push_back(device.place);
    begin = end + 1;
  }
  if (places.size() == 1) return {client, places[0]};
  // Devices that the processor simulates.
  if (client->is_addressable() || client->platform().starts_with("sim:")) return {client, places[0]};
  return {std::make_shared<runtime::LocalDeviceGroup>(client, places), 0};
}

std::shared_ptr<SessionGroup> Service::group_of(const proto::HelloRequest& request,
                                                const WorkerDevice& device) {
  if (!request.has_group()) return nullptr;
  if (device.client->platform() != "cpu")
    fail(ErrorCode::kUnimplemented,
         "[worker] device \"{}\" is of {}: devices of several workers run programs together where they are "
         "the workers' CPU engines (--devices cpu); those of other kinds do within one worker",
         request.device().substr(0, 40), device.client->platform());
  return groups_.open(request.group());
}

void Service::hello(grpc::ServerContext& context, const proto::HelloRequest& request,
                    proto::HelloReply& reply) {
  if (request.protocol() != kProtocolVersion)
    fail(ErrorCode::kFailedPrecondition,
         "[worker] the client (Cornu {}) speaks protocol {}, this worker (Cornu {}) speaks {}: install the "
         "same version on both sides",
         request.version().substr(0, 40), request.protocol(), CORNU_VERSION_STRING, kProtocolVersion);
  if (is_draining_) fail(ErrorCode::kUnavailable, "[worker] it is being shut down and takes no new clients");
  const WorkerDevice device = devices_called(request.device());
  const auto session =
      std::make_shared<Session>(device.client, device.place, quota_, files_.has_value() ? &*files_ : nullptr,
                                group_of(request, device));
  reply.set_session(sessions_.open(session));
  report_clock(context, *session);
  reply.set_version(CORNU_VERSION_STRING);
  if (const runtime::DeviceGroup* const group = runtime::device_group(device.client.get()))
    reply.set_num_replicas(static_cast<std::uint32_t>(group->size()));
  *reply.mutable_device() = to_proto(device.info());
  reply.set_description(device.client->description());
  reply.set_max_message_bytes(Session::kMaxMessageBytes);
  reply.set_has_run(true);
  reply.set_memory_limit_bytes(quota_.limit_bytes());
  for (std::string& name : op_names()) reply.add_ops(std::move(name));
}

grpc::Status Service::attach(grpc::ServerContext& context, const proto::AttachRequest& request,
                             grpc::ServerWriter<proto::AttachReply>& writer) {
  return answer(context, [&] {
    const std::shared_ptr<OpenSession> open = sessions_.find(request.session());
    if (open->is_attached.exchange(true))
      fail(ErrorCode::kFailedPrecondition, "[worker] the session is attached already");
    Reports reports;
    // A write blocks while the client reads nothing, and ends with the link.
    while (!context.IsCancelled() && !is_closing_) {
      std::this_thread::sleep_for(kRound);
      const std::optional<ExecutionProgress> running = open->session->running();
      if (!running.has_value() || !reports.is_due(*running)) continue;
      proto::AttachReply reply;
      reply.set_execution(running->execution);
      reply.set_steps_done(running->steps_done);
      if (!writer.Write(reply)) break;
    }
    sessions_.end(request.session());
  });
}

QuotaShare Service::execute(grpc::ServerContext& context, const proto::ExecuteRequest& request,
                            proto::ExecuteReply& reply) {
  QuotaShare share;
  in_session(context, request, [&](Session& session) { share = run_call(session, request, reply); });
  count_steps(reply);
  return share;
}

void Service::report_status(proto::StatusReply& reply) {
  reply.set_version(CORNU_VERSION_STRING);
  reply.set_seconds_up(std::chrono::duration<double>(Clock::now() - start_).count());
  for (const WorkerDevice& device : devices_) *reply.add_devices() = to_proto(device.info());
  reply.set_max_sessions(options_.max_clients);
  reply.set_memory_used_bytes(quota_.used_bytes());
  reply.set_memory_limit_bytes(quota_.limit_bytes());
  reply.set_num_executions(num_executions_);
  reply.set_num_steps(num_steps_);
  reply.set_is_draining(is_draining_);
  const std::vector<std::shared_ptr<OpenSession>> open = sessions_.all();
  reply.set_num_sessions(static_cast<std::int32_t>(open.size()));
  std::uint64_t num_buffers = 0;
  for (const std::shared_ptr<OpenSession>& one : open) num_buffers += one->session->num_buffers();
  reply.set_num_buffers(num_buffers);
}

void Service::look_after() {
  FreedMemory freed;
  while (true) {
    {
      std::unique_lock lock(over_mutex_);
      if (over_.wait_for(lock, kRound, [this] { return is_over_; })) return;
    }
    if (is_stopping_)
      for (const std::shared_ptr<OpenSession>& open : sessions_.all())
        open->session->stop_all("it is being shut down");
    sessions_.end_unattached(kAttachTimeout);
    freed.look_after(sessions_.num_ended());
  }
}

}  // namespace cornu::inline v0::backends::remote
