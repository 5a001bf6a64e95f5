#include <grpcpp/health_check_service_interface.h>
#include <pthread.h>
#include <csignal>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "cornu/backends/remote/session.h"
#include "cornu/backends/remote/wire.h"
#include "cornu/base/check.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::backends::remote {
namespace {

using Clock = std::chrono::steady_clock;

/// How often the worker looks after sessions and running executions.
constexpr auto kRound = std::chrono::milliseconds(100);
/// A session whose client has not attached by then is given up.
constexpr auto kAttachTimeout = std::chrono::seconds(10);
constexpr auto kDrainTimeout = std::chrono::seconds(30);
/// An execution's progress is told each round for so long, then each second, and so many times in all.
constexpr auto kOftenAtFirst = std::chrono::seconds(10);
constexpr int kMaxReports = 2000;
/// A client has one call at a time, beside it one that stops it; more is a flood.
constexpr int kMaxCalls = 4;

struct WorkerDevice {
  std::shared_ptr<runtime::Client> client;
  int place = 0;
  const runtime::DeviceInfo& info() const { return client->devices()[static_cast<std::size_t>(place)]; }
};

/// A session and how it is used.
struct Client {
  std::shared_ptr<Session> session;
  Clock::time_point since = Clock::now();
  bool is_attached = false;
  std::atomic<int> num_calls{0};
};

/// An execution that runs: who hears of its progress.
struct Watched {
  grpc::ServerContext* context;
  grpc::ServerWriter<proto::ExecuteReply>* writer;
  runtime::Progress progress;
  Clock::time_point start = Clock::now(), reported = start;
  int num_reports = 0;
};

bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;  // looks at every byte, wherever the first difference is
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

std::string random_session() {
  std::random_device random;  // the kernel's
  std::string session;
  for (int i = 0; i < 8; ++i) {
    const unsigned word = random();
    session.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  return session;
}

proto::Device to_proto(const runtime::DeviceInfo& info) {
  proto::Device device;
  device.set_type(info.type);
  device.set_kind(info.kind);
  device.set_memory_bytes(info.memory_bytes);
  return device;
}

class Service final : public proto::Worker::Service {
 public:
  Service(const WorkerOptions& options, std::string token)
      : options_(options), token_(std::move(token)), quota_(options.memory_limit_bytes) {
    for (const std::string& spec : options.devices) {
      const std::shared_ptr<runtime::Client> client = runtime::make_client(spec, options.client_options);
      for (std::size_t i = 0; i < client->devices().size(); ++i)
        devices_.push_back({client, static_cast<int>(i)});
    }
    if (devices_.empty()) invalid_argument("[worker] there must be a device");
    rounds_ = std::thread([this] { look_after(); });
  }
  ~Service() override {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_all();
    rounds_.join();
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// No new sessions; those that are there end when their calls have.
  void drain() { is_draining_ = true; }

  grpc::Status Hello(grpc::ServerContext* context, const proto::HelloRequest* request,
                     proto::HelloReply* reply) override;
  grpc::Status Attach(grpc::ServerContext* context, const proto::AttachRequest* request,
                      grpc::ServerWriter<proto::AttachReply>* writer) override;
  grpc::Status Compile(grpc::ServerContext* context, const proto::CompileRequest* request,
                       proto::CompileReply* reply) override;
  grpc::Status Write(grpc::ServerContext* context, const proto::WriteRequest* request,
                     proto::WriteReply* reply) override;
  grpc::Status Read(grpc::ServerContext* context, const proto::ReadRequest* request,
                    proto::ReadReply* reply) override;
  grpc::Status Copy(grpc::ServerContext* context, const proto::CopyRequest* request,
                    proto::CopyReply* reply) override;
  grpc::Status Execute(grpc::ServerContext* context, const proto::ExecuteRequest* request,
                       grpc::ServerWriter<proto::ExecuteReply>* writer) override;
  grpc::Status Stop(grpc::ServerContext* context, const proto::StopRequest* request,
                    proto::StopReply* reply) override;
  grpc::Status Explain(grpc::ServerContext* context, const proto::ExplainRequest* request,
                       proto::ExplainReply* reply) override;
  grpc::Status GetStatus(grpc::ServerContext* context, const proto::StatusRequest* request,
                         proto::StatusReply* reply) override;

 private:
  /// Runs a call's work; whatever it throws becomes a status.
  template <typename F>
  grpc::Status answer(const grpc::ServerContext& context, const F& work) {
    try {
      if (!is_allowed(context))
        return {grpc::StatusCode::UNAUTHENTICATED, "[worker] the token is missing or is another one"};
      work();
      return grpc::Status::OK;
    } catch (const Error& error) {
      return {status_code(error.code()), error.what()};
    } catch (const std::bad_alloc&) {
      return {grpc::StatusCode::RESOURCE_EXHAUSTED, "[worker] there is not enough memory"};
    } catch (const std::exception& error) {
      return {grpc::StatusCode::INTERNAL, error.what()};
    }
  }

  /// A call of a session: finds it, releases what the client needs no more, and runs the work.
  template <typename Request, typename F>
  grpc::Status with_session(const grpc::ServerContext& context, const Request& request, const F& work) {
    return answer(context, [&] {
      const std::shared_ptr<Client> client = find(request.session());
      const std::shared_ptr<Client> end_of_call(client.get(), [](Client* c) { c->num_calls.fetch_sub(1); });
      if (client->num_calls.fetch_add(1) >= kMaxCalls)
        fail(ErrorCode::kResourceExhausted, "[worker] a session has at most {} calls at a time", kMaxCalls);
      if constexpr (requires { request.released(); }) {
        const std::vector<std::uint64_t> released(request.released().begin(), request.released().end());
        if (!released.empty()) client->session->release(released);
      }
      work(*client->session);
    });
  }

  bool is_allowed(const grpc::ServerContext& context) const {
    if (token_.empty()) return true;
    const auto found = context.client_metadata().find("authorization");
    return found != context.client_metadata().end() &&
           same_secret({found->second.data(), found->second.size()}, "Bearer " + token_);
  }

  std::shared_ptr<Client> find(const std::string& session) {
    const std::lock_guard lock(mutex_);
    const auto found = clients_.find(session);
    if (found == clients_.end())
      fail(ErrorCode::kNotFound,
           "[worker] there is no such session: the link was cut, or the worker has been restarted; connect "
           "again");
    return found->second;
  }

  void end(const std::string& session) {
    std::shared_ptr<Client> ended;  // its buffers go outside the lock
    const std::lock_guard lock(mutex_);
    const auto found = clients_.find(session);
    if (found == clients_.end()) return;
    ended = std::move(found->second);
    clients_.erase(found);
  }

  const WorkerDevice& device_called(const std::string& name) const;
  void look_after();
  void report(Watched& watched);
  void give_up_strangers();

  const WorkerOptions options_;
  const std::string token_;
  MemoryQuota quota_;
  std::vector<WorkerDevice> devices_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<bool> is_draining_{false};
  std::atomic<std::uint64_t> num_executions_{0}, num_steps_{0};
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Client>> clients_;
  std::mutex watched_mutex_;
  std::set<Watched*> watched_;
  bool is_over_ = false;  // guarded by mutex_
  std::condition_variable over_;
  std::thread rounds_;
};

const WorkerDevice& Service::device_called(const std::string& name) const {
  std::vector<std::string> names;
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const std::string& type = devices_[i].info().type;
    const int number = counts[type]++;
    names.push_back(fmt::format("{}:{}", type, number));
    if (name.empty() || name == std::to_string(i) || name == names.back() || (number == 0 && name == type))
      return devices_[i];
  }
  fail(ErrorCode::kNotFound, "[worker] there is no device \"{}\"; there are: {}", name.substr(0, 40),
       fmt::join(names, ", "));
}

grpc::Status Service::Hello(grpc::ServerContext* context, const proto::HelloRequest* request,
                            proto::HelloReply* reply) {
  return answer(*context, [&] {
    if (request->protocol() != kProtocolVersion)
      fail(ErrorCode::kFailedPrecondition,
           "[worker] the client (Cornu {}) speaks protocol {}, this worker (Cornu {}) speaks {}: install the "
           "same version on both sides",
           request->version().substr(0, 40), request->protocol(), CORNU_VERSION, kProtocolVersion);
    if (is_draining_)
      fail(ErrorCode::kUnavailable, "[worker] it is being shut down and takes no new clients");
    const WorkerDevice& device = device_called(request->device());
    auto client = std::make_shared<Client>();
    client->session = std::make_shared<Session>(device.client, device.place, quota_);
    reply->set_session(random_session());
    reply->set_version(CORNU_VERSION);
    *reply->mutable_device() = to_proto(device.info());
    reply->set_description(device.client->description());
    reply->set_max_message_bytes(Session::kMaxMessageBytes);
    reply->set_memory_limit_bytes(quota_.limit_bytes());
    for (std::string& name : op_names()) reply->add_ops(std::move(name));
    const std::lock_guard lock(mutex_);
    if (clients_.size() >= static_cast<std::size_t>(options_.max_clients))
      fail(ErrorCode::kResourceExhausted, "[worker] it has {} clients, which is as many as it takes",
           clients_.size());
    clients_.emplace(reply->session(), std::move(client));
  });
}

grpc::Status Service::Attach(grpc::ServerContext* context, const proto::AttachRequest* request,
                             grpc::ServerWriter<proto::AttachReply>*) {
  return answer(*context, [&] {
    const std::shared_ptr<Client> client = find(request->session());
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(client->is_attached, true))
        fail(ErrorCode::kFailedPrecondition, "[worker] the session is attached already");
    }
    while (!context->IsCancelled() && !(is_draining_ && client->num_calls.load() == 0))
      std::this_thread::sleep_for(kRound);
    end(request->session());
  });
}

grpc::Status Service::Compile(grpc::ServerContext* context, const proto::CompileRequest* request,
                              proto::CompileReply* reply) {
  return with_session(*context, *request, [&](Session& session) {
    CompileOrder order{.program = request->program(),
                       .stablehlo = request->stablehlo(),
                       .name = request->name().substr(0, 200),
                       .direct_convolutions = request->direct_convolutions()};
    constexpr runtime::ArgumentKind kKinds[] = {runtime::ArgumentKind::kState, runtime::ArgumentKind::kFixed,
                                                runtime::ArgumentKind::kRows,
                                                runtime::ArgumentKind::kValidRows};
    for (const int kind : request->arguments()) {
      if (kind < 0 || kind >= 4) invalid_argument("[worker] there is no kind {} of arguments", kind);
      order.arguments.push_back(kKinds[kind]);
    }
    const runtime::CompileStats stats = session.compile(order);
    reply->set_compile_seconds(stats.compile_seconds);
    reply->set_code_seconds(stats.code_seconds);
    reply->set_from_cache(stats.from_cache);
    reply->set_arena_bytes(stats.arena_bytes);
    reply->set_num_groups(stats.num_groups);
    reply->set_num_library_calls(stats.num_library_calls);
    reply->set_num_reference_fallbacks(stats.num_reference_fallbacks);
    reply->set_flops(stats.flops);
    reply->set_state_bytes(stats.state_bytes);
  });
}

BufferPiece to_piece(const proto::Piece& piece) {
  return {.buffer = piece.buffer(), .offset = piece.offset(), .size = piece.size()};
}

grpc::Status Service::Write(grpc::ServerContext* context, const proto::WriteRequest* request,
                            proto::WriteReply*) {
  return with_session(*context, *request, [&](Session& session) {
    std::vector<WritePiece> pieces;
    std::size_t at = 0;
    for (const proto::WriteRequest::Item& item : request->items()) {
      const BufferPiece piece = to_piece(item.piece());
      if (piece.size > request->data().size() - at)
        invalid_argument("[worker] the pieces to write are more than the {} bytes that came",
                         request->data().size());
      pieces.push_back(
          {piece, to_type(item.type()), reinterpret_cast<const std::byte*>(request->data().data()) + at});
      at += piece.size;
    }
    session.write(pieces);
  });
}

grpc::Status Service::Read(grpc::ServerContext* context, const proto::ReadRequest* request,
                           proto::ReadReply* reply) {
  return with_session(*context, *request, [&](Session& session) {
    std::vector<BufferPiece> pieces;
    for (const proto::Piece& piece : request->pieces()) pieces.push_back(to_piece(piece));
    session.read(pieces, *reply->mutable_data());
  });
}

grpc::Status Service::Copy(grpc::ServerContext* context, const proto::CopyRequest* request,
                           proto::CopyReply*) {
  return with_session(*context, *request,
                      [&](Session& session) { session.copy(request->from(), request->to()); });
}

grpc::Status Service::Execute(grpc::ServerContext* context, const proto::ExecuteRequest* request,
                              grpc::ServerWriter<proto::ExecuteReply>* writer) {
  return with_session(*context, *request, [&](Session& session) {
    ExecuteOrder order{
        .program = request->program(),
        .execution = request->execution(),
        .num_steps = request->num_steps(),
        .num_rows = request->num_rows(),
        .state = {request->state().begin(), request->state().end()},
        .fixed = {request->fixed().begin(), request->fixed().end()},
        .row_buffers = {request->row_buffers().begin(), request->row_buffers().end()},
        .output_buffers = {request->output_buffers().begin(), request->output_buffers().end()},
        .row_indices = {request->row_indices().begin(), request->row_indices().end()},
        .rows = {reinterpret_cast<const std::byte*>(request->rows().data()), request->rows().size()}};
    for (const proto::Type& type : request->output_types()) order.output_types.push_back(to_type(type));
    Watched watched{.context = context, .writer = writer};
    {
      const std::lock_guard lock(watched_mutex_);
      watched_.insert(&watched);
    }
    proto::ExecuteReply last;
    std::exception_ptr other;
    try {
      ExecuteResult result = session.execute(order, watched.progress);
      last.set_steps_done(result.steps_done);
      *last.mutable_outputs() = std::move(result.outputs);
    } catch (const Error& error) {
      last.set_steps_done(watched.progress.steps_done.load());
      last.set_error(error.what());
      last.set_error_code(status_code(error.code()));
    } catch (...) {
      other = std::current_exception();
    }
    {
      const std::lock_guard lock(watched_mutex_);
      watched_.erase(&watched);
    }
    if (other != nullptr) std::rethrow_exception(other);
    num_executions_.fetch_add(1);
    num_steps_.fetch_add(static_cast<std::uint64_t>(last.steps_done()));
    last.set_is_done(true);
    writer->WriteLast(last, grpc::WriteOptions());
  });
}

grpc::Status Service::Stop(grpc::ServerContext* context, const proto::StopRequest* request,
                           proto::StopReply*) {
  return with_session(*context, *request, [&](Session& session) { session.stop(request->execution()); });
}

grpc::Status Service::Explain(grpc::ServerContext* context, const proto::ExplainRequest* request,
                              proto::ExplainReply* reply) {
  return with_session(*context, *request, [&](Session& session) {
    reply->set_text(session.explain(request->program(), request->stage()));
  });
}

grpc::Status Service::GetStatus(grpc::ServerContext* context, const proto::StatusRequest*,
                                proto::StatusReply* reply) {
  return answer(*context, [&] {
    reply->set_version(CORNU_VERSION);
    reply->set_seconds_up(std::chrono::duration<double>(Clock::now() - start_).count());
    for (const WorkerDevice& device : devices_) *reply->add_devices() = to_proto(device.info());
    reply->set_max_sessions(options_.max_clients);
    reply->set_memory_used_bytes(quota_.used_bytes());
    reply->set_memory_limit_bytes(quota_.limit_bytes());
    reply->set_num_executions(num_executions_);
    reply->set_num_steps(num_steps_);
    reply->set_is_draining(is_draining_);
    std::vector<std::shared_ptr<Client>> clients;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [session, client] : clients_) clients.push_back(client);
    }
    reply->set_num_sessions(static_cast<std::int32_t>(clients.size()));
    std::uint64_t num_buffers = 0;
    for (const std::shared_ptr<Client>& client : clients) num_buffers += client->session->num_buffers();
    reply->set_num_buffers(num_buffers);
  });
}

void Service::report(Watched& watched) {
  if (watched.context->IsCancelled()) {
    watched.progress.stop = true;  // nobody waits for it
    return;
  }
  // Seldom enough for a client that reads none of them: together they fit what a link holds unread.
  const Clock::time_point now = Clock::now();
  const bool is_due =
      now - watched.start < kOftenAtFirst || now - watched.reported >= std::chrono::seconds(1);
  if (!is_due || watched.num_reports >= kMaxReports) return;
  watched.reported = now;
  ++watched.num_reports;
  proto::ExecuteReply reply;
  reply.set_steps_done(watched.progress.steps_done.load());
  watched.writer->Write(reply);
}

/// A client that opens sessions and attaches to none of them.
void Service::give_up_strangers() {
  std::vector<std::shared_ptr<Client>> given_up;  // go outside the lock
  const std::lock_guard lock(mutex_);
  for (auto at = clients_.begin(); at != clients_.end();) {
    const bool is_stranger = !at->second->is_attached && Clock::now() - at->second->since > kAttachTimeout;
    if (is_stranger) given_up.push_back(at->second);
    at = is_stranger ? clients_.erase(at) : std::next(at);
  }
}

void Service::look_after() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (over_.wait_for(lock, kRound, [this] { return is_over_; })) return;
    }
    give_up_strangers();
    const std::lock_guard lock(watched_mutex_);
    for (Watched* const watched : watched_) report(*watched);
  }
}

std::string required_text(const std::string& path) {
  const std::vector<std::byte> bytes = io::read_file(path, {.max_size_bytes = 1 << 20});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::shared_ptr<grpc::ServerCredentials> credentials(const WorkerOptions& options) {
  if (options.cert_file.empty() != options.key_file.empty())
    invalid_argument("[worker] a certificate and its key go together: --tls-cert and --tls-key");
  const bool has_tls = !options.cert_file.empty();
  if (!is_loopback(options.listen) && (!has_tls || options.token_file.empty()))
    invalid_argument(
        "[worker] \"{}\" can be reached from other machines, so it needs TLS and a token: --tls-cert, "
        "--tls-key and "
        "--token-file; without them listen on 127.0.0.1",
        options.listen);
  if (!has_tls) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions tls(options.client_ca_file.empty()
                                            ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                            : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  tls.pem_key_cert_pairs.push_back({required_text(options.key_file), required_text(options.cert_file)});
  if (!options.client_ca_file.empty()) tls.pem_root_certs = required_text(options.client_ca_file);
  return grpc::SslServerCredentials(tls);
}

}  // namespace

void serve(const WorkerOptions& options) {
  // All threads of the server leave these signals to this one.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const std::shared_ptr<grpc::ServerCredentials> secured = credentials(options);
  Service service(options, options.token_file.empty() ? "" : read_token(options.token_file));
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(options.listen, secured, &port);
  builder.RegisterService(&service);
  builder.SetMaxReceiveMessageSize(static_cast<int>(Session::kMaxMessageBytes + kMessageOverheadBytes));
  builder.SetMaxSendMessageSize(static_cast<int>(Session::kMaxMessageBytes + kMessageOverheadBytes));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 2000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 3000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 30);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 16);
  grpc::ResourceQuota quota("worker");
  quota.SetMaxThreads((kMaxCalls + 1) * options.max_clients + 16);
  builder.SetResourceQuota(quota);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port == 0)
    fail(ErrorCode::kUnavailable, "[worker] \"{}\" cannot be listened on: is another worker there?",
         options.listen);
  const std::string host = options.listen.substr(0, options.listen.rfind(':'));
  std::printf("worker " CORNU_VERSION " listens on %s:%d%s\n", host.c_str(), port,
              options.cert_file.empty() ? ", for this machine only: without TLS" : "");
  std::fflush(stdout);
  int signal = 0;
  sigwait(&signals, &signal);
  std::printf("worker drains: running executions end, no new clients\n");
  std::fflush(stdout);
  server->GetHealthCheckService()->SetServingStatus(false);
  service.drain();
  server->Shutdown(std::chrono::system_clock::now() + kDrainTimeout);
}

}  // namespace cornu::inline v0::backends::remote
