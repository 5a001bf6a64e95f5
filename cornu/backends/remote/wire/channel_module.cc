#include "cornu/backends/remote/wire/channel.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "cornu/backends/remote/wire/admission.h"
#include "cornu/backends/remote/wire/socket.h"
#include "cornu/backends/remote/wire/wire.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Timeout of one greeting, including the connection: links lose packets.
constexpr SteadyClock::duration kGreetingTimeout = std::chrono::seconds(5);
/// A lost greeting is requested once more.
constexpr int kMaxGreetings = 2;
/// Workers that share an address reject each other's challenges, so several are tried.
constexpr int kMaxChallenges = 5;

grpc::ChannelArguments common_arguments(const WorkerAddress& address) {
  grpc::ChannelArguments arguments;
  // Pings after silence for 40 % of the time; the answer must arrive within the rest.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, address.keep_alive_ms * 2 / 5);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, address.keep_alive_ms * 3 / 5);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  return arguments;
}

std::shared_ptr<grpc::Channel> make_channel(const WorkerAddress& address, const std::string& target,
                                            const grpc::ChannelArguments& arguments) {
  if (!address.has_tls())
    return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
  grpc::SslCredentialsOptions options{.pem_root_certs = pem_text(address.ca_file)};
  if (!address.cert_file.empty()) {
    options.pem_private_key = pem_text(address.key_file);
    options.pem_cert_chain = pem_text(address.cert_file);
  }
  return grpc::CreateCustomChannel(target, grpc::SslCredentials(options), arguments);
}

/// Waits for a connection until `end`; false at once if one is refused.
bool is_reached(grpc::Channel& channel, SteadyClock::time_point end) {
  const auto deadline = std::chrono::system_clock::now() + (end - SteadyClock::now());
  while (true) {
    const grpc_connectivity_state state = channel.GetState(true);
    if (state == GRPC_CHANNEL_READY) return true;
    if (state == GRPC_CHANNEL_TRANSIENT_FAILURE || !channel.WaitForStateChange(state, deadline)) return false;
  }
}

/// The reason why a channel is not connected. Without a sentence: its first call reports it.
Diagnosis diagnose_channel(grpc::Channel& channel, const WorkerAddress& address, const std::string& token,
                           const ResolvedHost& host) {
  const bool has_failed = channel.GetState(false) == GRPC_CHANNEL_TRANSIENT_FAILURE;
  Diagnosis found = diagnose_link(address, token, host);
  if (found.sentence.empty() && !has_failed) found.sentence = kSilenceSentence;
  return found;
}

/// The first of a name's addresses at which a worker sends a greeting.
struct GreetingPlace {
  SocketAddress place;
  Greeting greeting;
  Diagnosis failure;  // with a sentence if there is none
};

GreetingPlace find_greeting(std::span<const SocketAddress> addresses, SteadyClock::time_point end) {
  GreetingPlace found;
  auto num_left = kMaxGreetings * static_cast<int>(addresses.size());
  for (int i = 0; i < kMaxGreetings; ++i) {
    for (const SocketAddress& place : addresses) {
      const SteadyClock::time_point now = SteadyClock::now();
      const ClientSocket socket({&place, 1}, now + std::min((end - now) / num_left--, kGreetingTimeout));
      found.place = place;
      if (socket.number() < 0) {
        found.failure = {ErrorCode::kUnavailable, socket.why()};
        continue;
      }
      found.greeting = ask_greeting(socket);
      found.failure = {};
      if (found.greeting.outcome != Greeting::Outcome::kLost) return found;
      found.failure = {ErrorCode::kUnavailable, kSilenceSentence};
    }
  }
  return found;
}

/// gRPC begins the connection with a request to a proxy, before TLS. The request carries the response to the
/// worker's challenge, which is valid for one connection: a lost link ends the session anyway. The target is
/// the address from which the challenge came; certificates are verified for the name.
std::shared_ptr<grpc::Channel> make_admitted_channel(const WorkerAddress& address, const std::string& token,
                                                     const GreetingPlace& from) {
  grpc::ChannelArguments arguments = common_arguments(address);
  arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, address.host_port);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);  // the proxy would see the token
  if (!from.greeting.challenge.empty()) {
    arguments.SetString("grpc.http_connect_server", "cornu");
    arguments.SetString(
        "grpc.http_connect_headers",
        fmt::format("{}:{}", kAdmissionField, admission_value(token, from.greeting.challenge)));
  }
  std::string target = from.place.text();
  if (const std::size_t zone = target.find('%'); zone != std::string::npos) target.insert(zone + 1, "25");
  return make_channel(address, (from.place.is_ipv6() ? "ipv6:" : "ipv4:") + target, arguments);
}

/// Opens unused connections. A balancer that assigns workers in turn gives the next connection to the next
/// worker. With one more connection in each attempt, the response finally reaches the worker of the
/// challenge.
void connect_in_vain(const SocketAddress& place, int count, SteadyClock::time_point end) {
  for (int i = 0; i < count; ++i)
    ask_greeting(ClientSocket({&place, 1}, std::min(end, SteadyClock::now() + kGreetingTimeout)));
}

OpenedChannel open_admitted_channel(const WorkerAddress& address, const std::string& token,
                                    std::chrono::milliseconds timeout) {
  const ResolvedHost host = resolve(address.host_port);
  // Name servers have their own timeouts.
  const SteadyClock::time_point end = SteadyClock::now() + timeout;
  OpenedChannel opened{.failure = {ErrorCode::kUnavailable, host.why}};
  for (int attempt = 0; attempt < kMaxChallenges && !host.addresses.empty(); ++attempt) {
    const GreetingPlace from = find_greeting(host.addresses, end);
    if (!from.failure.sentence.empty()) {
      // An earlier refusal is more informative: a later greeting may only lack time.
      if (opened.failure.sentence.empty()) opened.failure = from.failure;
      break;
    }
    connect_in_vain(from.place, attempt, end);
    opened.channel = make_admitted_channel(address, token, from);
    if (is_reached(*opened.channel, end)) return {opened.channel, {}};
    opened.failure = diagnose_channel(*opened.channel, address, token, {.addresses = {from.place}});
    const bool is_worth_another = !from.greeting.challenge.empty() &&
                                  (opened.failure.sentence.empty() || opened.failure.is_challenge_refused);
    if (!is_worth_another || SteadyClock::now() >= end) break;
  }
  return opened;
}

}  // namespace

OpenedChannel open_channel(const WorkerAddress& address, const std::string& token,
                           std::chrono::milliseconds timeout) {
  if (!token.empty()) return open_admitted_channel(address, token, timeout);
  const SteadyClock::time_point end = SteadyClock::now() + timeout;
  OpenedChannel opened{.channel = make_channel(address, address.host_port, common_arguments(address))};
  if (!is_reached(*opened.channel, end))
    opened.failure = diagnose_channel(*opened.channel, address, token, resolve(address.host_port));
  return opened;
}

std::shared_ptr<grpc::Channel> connected_channel(const WorkerAddress& address, const std::string& token) {
  OpenedChannel opened = open_channel(address, token);
  if (opened.failure.sentence.empty()) return std::move(opened.channel);
  throw Error(
      opened.failure.code,
      fmt::format("the worker at {} cannot be spoken to: {}", address.host_port, opened.failure.sentence),
      {.op = "grpc"});
}

Error call_error(const grpc::Status& status, const WorkerAddress& address) {
  // This client never cancels calls whose results it reads: gRPC's server cancels calls that arrive during
  // its shutdown.
  if (status.error_code() == grpc::StatusCode::CANCELLED)
    return {ErrorCode::kUnavailable,
            fmt::format("the worker at {} has broken off a call: it is being shut down", address.host_port),
            {.op = "grpc"}};
  const bool is_link = status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                       status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
  if (is_link)
    return {error_code(status.error_code()),
            fmt::format("the worker at {} does not answer: {}", address.host_port, status.error_message()),
            {.op = "grpc"}};
  const std::string where = fmt::format(" (worker {})", address.host_port);
  proto::ErrorFields fields;
  if (!fields.ParseFromString(status.error_details())) fields.Clear();
  if (!fields.message().empty()) fields.set_message(fields.message() + where);
  return to_error(error_code(status.error_code()), status.error_message() + where, fields);
}

}  // namespace cornu::inline v0::backends::remote
