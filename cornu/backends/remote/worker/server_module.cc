#include "cornu/backends/remote/worker/server.h"

#include <grpcpp/health_check_service_interface.h>
#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <future>

#include "cornu/backends/remote/wire/address.h"
#include "cornu/backends/remote/wire/tls.h"
#include "cornu/backends/remote/worker/listener.h"
#include "cornu/backends/remote/worker/service.h"
#include "cornu/base/log_formatted.h"
#include "cornu/version.h"

namespace cornu::inline v0::backends::remote {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLongestDrainSeconds = 86400;
/// The minimum memory for incoming messages if clients have a limit: several of the largest at a time.
constexpr std::size_t kLeastTransferBytes = std::size_t{512} << 20;
/// Time for stopped executions to finish their current step.
constexpr auto kStopTimeout = std::chrono::seconds(3);
/// Time during which calls are still answered after the last execution.
constexpr auto kFarewell = std::chrono::milliseconds(500);

void check_listen(const std::string& listen) {
  if (!is_host_port(listen, 0))
    invalid_argument(
        "[worker] --listen is HOST:PORT with a port from 1 to 65535, or 0 for a free one; got \"{}\": write "
        "e.g. 127.0.0.1:8470",
        listen);
}

void check_drain(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0 || seconds > kLongestDrainSeconds)
    invalid_argument("[worker] --drain-seconds is from 0 to {:g}; got {}", kLongestDrainSeconds, seconds);
}

/// Checks certificates and keys with clear errors: gRPC would only fail to start. An expired certificate
/// gives a warning, not an error: the clock may be wrong.
void check_files(const WorkerOptions& options) {
  const TlsContext context(SSL_CTX_new(TLS_server_method()));
  use_key_pair(*context, options.cert_file, options.key_file, "worker");
  for (const std::string& file : {options.client_ca_file, options.peer_ca_file})
    if (!file.empty()) use_authorities(*context, file, "worker");
  const X509* const certificate = SSL_CTX_get0_certificate(context.get());
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0)
    log_warning("[worker] the certificate in \"{}\" expired on {}: clients will refuse it", options.cert_file,
                end_of(*certificate));
}

/// Warns about weak tokens: the proof is sent before TLS and allows offline guesses, so tokens must be
/// random.
void check_token(const WorkerOptions& options, const std::string& token) {
  constexpr std::size_t kShort = 16;
  if (is_loopback(options.listen) || token.size() >= kShort) return;
  log_warning(
      "[worker] the token in \"{}\" has {} characters: who watches a connection can try words against it; "
      "make "
      "a random one, e.g. by openssl rand -hex 32",
      options.token_file, token.size());
}

std::shared_ptr<grpc::ServerCredentials> credentials(const WorkerOptions& options) {
  if (options.cert_file.empty() != options.key_file.empty())
    invalid_argument("[worker] a certificate and its key go together: --tls-cert and --tls-key");
  const bool has_tls = !options.cert_file.empty();
  for (const auto& [flag, file] : {std::pair("--tls-client-ca", &options.client_ca_file),
                                   std::pair("--tls-peer-ca", &options.peer_ca_file)})
    if (!has_tls && !file->empty())
      invalid_argument(
          "[worker] {} \"{}\" checks certificates of a link with TLS, and without --tls-cert and --tls-key "
          "there is none: give these too, or leave it out",
          flag, *file);
  if (!is_loopback(options.listen) && (!has_tls || options.token_file.empty()))
    invalid_argument(
        "[worker] \"{}\" can be reached from other machines, so it needs TLS and a token: --tls-cert, "
        "--tls-key and --token-file; without them listen on 127.0.0.1",
        options.listen);
  if (!has_tls) return grpc::InsecureServerCredentials();
  check_files(options);
  grpc::SslServerCredentialsOptions tls(options.client_ca_file.empty()
                                            ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                            : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  tls.pem_key_cert_pairs.push_back({pem_text(options.key_file), pem_text(options.cert_file)});
  if (!options.client_ca_file.empty()) tls.pem_root_certs = pem_text(options.client_ca_file);
  return grpc::SslServerCredentials(tls);
}

/// Configures malloc. A piece of a transfer takes megabytes for a moment: keeping its pages avoids clearing
/// them again. Few arenas: threads come and go with clients, and each arena keeps its maximum.
void set_up_malloc() {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

/// Waits until `is_so`: returns 0; at `limit`, or on another signal: returns that signal, or -1.
int wait_until(const std::function<bool()>& is_so, const sigset_t& signals, Clock::time_point limit) {
  constexpr timespec kRound = {.tv_sec = 0, .tv_nsec = 20'000'000};
  while (!is_so()) {
    if (const int signal = sigtimedwait(&signals, nullptr, &kRound); signal > 0) return signal;
    if (Clock::now() >= limit) return -1;
  }
  return 0;
}

void say(const std::string& sentence) {
  std::printf("worker %s\n", sentence.c_str());
  std::fflush(stdout);
}

/// Ends the process without stopping the server's threads, which cannot be ended one by one.
[[noreturn]] void end_at_once(int code) {
  std::fflush(nullptr);
  std::_Exit(code);
}

/// Waits for running executions; a second signal, or the time limit, stops them. One that does not finish its
/// step then, for example an endless loop, ends with the process.
void finish_executions(Service& service, const WorkerOptions& options, const sigset_t& signals,
                       Clock::time_point limit) {
  const auto is_idle = [&service] { return service.is_idle(); };
  const int why = wait_until(is_idle, signals, limit);
  if (why == 0) return;
  say(why > 0 ? "stops its executions: it was told a second time"
              : fmt::format("stops its executions: it has waited {:g} s", options.drain_seconds));
  service.stop_all();
  if (wait_until(is_idle, signals, Clock::now() + kStopTimeout) == 0) return;
  log_error(
      "[worker] calls of clients do not end, as of a program that loops for ever: the worker ends without "
      "them");
  end_at_once(EXIT_FAILURE);
}

/// Answers last calls: a client that has just received a result makes its next call and gets the reason for
/// the refusal. A client that fetches its weights gets all of them, if it begins within kFarewell of the last
/// call.
void take_leave(const Service& service, const sigset_t& signals, Clock::time_point limit) {
  std::uint64_t num_reads;
  do {
    num_reads = service.num_reads();
    if (wait_until([] { return false; }, signals, Clock::now() + kFarewell) > 0) return;
  } while ((service.num_reads() != num_reads || service.is_reading()) && Clock::now() < limit);
}

/// The port stays open until executions have ended, so that new clients get the reason for the refusal.
void shut_down(grpc::Server& server, Listener& listener, Service& service, const WorkerOptions& options,
               const sigset_t& signals) {
  say(fmt::format("drains: running executions end within {:g} s, no new clients", options.drain_seconds));
  server.GetHealthCheckService()->SetServingStatus(false);
  listener.set_serving(false);
  service.drain();
  const Clock::time_point limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double>(options.drain_seconds));
  finish_executions(service, options, signals, limit);
  const Clock::time_point last = std::max(limit, Clock::now() + kStopTimeout);
  take_leave(service, signals, last);
  const bool has_no_clients = service.has_no_clients();
  service.close();
  listener.stop();
  // Replies are in flight, to clients that may receive them slowly or not at all.
  const std::future<void> end = std::async(std::launch::async, [&server, last] {
    server.Shutdown(std::chrono::system_clock::now() + (last - Clock::now()));
  });
  const auto is_down = [&end] { return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
  // Work without a client is not waited for: a compilation in the planning phase, an endless step. Nor are
  // replies to clients that have left, whose links may be dead.
  const bool is_left_alone = service.is_idle() && (service.is_working() || has_no_clients);
  const int why =
      wait_until(is_down, signals, is_left_alone ? Clock::now() + kFarewell : last + kStopTimeout);
  if (why != 0) end_at_once(why > 0 || is_left_alone ? EXIT_SUCCESS : EXIT_FAILURE);
}

}  // namespace

void serve(const WorkerOptions& options) {
  check_listen(options.listen);
  check_drain(options.drain_seconds);
  set_up_malloc();
  // All threads of the server leave these signals to this one.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const std::shared_ptr<grpc::ServerCredentials> secured = credentials(options);
  const std::string token = options.token_file.empty() ? "" : read_token(options.token_file);
  check_token(options, token);
  Listener listener(options.listen, token);
  Service service(options, token);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  using External = grpc::ServerBuilder::experimental_type::ExternalConnectionType;
  const auto acceptor = builder.experimental().AddExternalConnectionAcceptor(External::FROM_FD, secured);
  builder.RegisterService(&service);
  builder.SetMaxReceiveMessageSize(static_cast<int>(Session::kMaxMessageBytes + kMessageOverheadBytes));
  builder.SetMaxSendMessageSize(static_cast<int>(Session::kMaxMessageBytes + kMessageOverheadBytes));
  // gRPC would decompress a message without a limit before this code sees it. Clients never compress.
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  for (const grpc_compression_algorithm algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP})
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 2000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 3000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 30);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, 10000);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 16);
  grpc::ResourceQuota quota("worker");
  quota.SetMaxThreads((kMaxCalls + kMaxGroupMembers) * options.max_clients + 16);
  // If incomplete messages take more memory, gRPC resets streams until they do not.
  if (options.memory_limit_bytes > 0) quota.Resize(std::max(options.memory_limit_bytes, kLeastTransferBytes));
  builder.SetResourceQuota(quota);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) fail(ErrorCode::kInternal, "[worker] gRPC does not start a server");
  listener.start([&acceptor](int socket) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
    connection.fd = socket;
    acceptor->HandleNewConnection(&connection);
  });
  const std::string host = options.listen.substr(0, options.listen.rfind(':'));
  std::printf("worker " CORNU_VERSION_STRING " listens on %s:%d%s\n", host.c_str(), listener.port(),
              options.cert_file.empty() ? ", for this machine only: without TLS" : "");
  std::fflush(stdout);
  int signal = 0;
  sigwait(&signals, &signal);
  shut_down(*server, listener, service, options, signals);
}

}  // namespace cornu::inline v0::backends::remote
