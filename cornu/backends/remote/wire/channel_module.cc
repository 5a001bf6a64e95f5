#include "cornu/backends/remote/wire/channel.h"

#include <optional>
#include <string>

#include "cornu/backends/remote/wire/admission.h"
#include "cornu/backends/remote/wire/diagnosis.h"
#include "cornu/backends/remote/wire/wire.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// As long as a connection may take: links lose packets.
constexpr timeval kGreetingPatience = {.tv_sec = 5, .tv_usec = 0};

/// gRPC begins its connections with a request to let it through, as to a proxy, before TLS. The request
/// answers the worker's challenge, which is good for one connection: a link that is lost has taken the
/// session with it.
void add_admission(grpc::ChannelArguments& arguments, const WorkerAddress& address) {
  const std::string token = read_token(address.token_file);
  const std::optional<Greeting> greeting = ask_greeting(ClientSocket(address.host_port, kGreetingPatience));
  if (!greeting.has_value() || greeting->challenge.empty()) return;
  arguments.SetString("grpc.http_connect_server", "cornu");
  arguments.SetString("grpc.http_connect_headers",
                      fmt::format("{}:{}", kAdmissionField, admission_value(token, greeting->challenge)));
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
}

}  // namespace

std::shared_ptr<grpc::Channel> open_channel(const WorkerAddress& address) {
  grpc::ChannelArguments arguments;
  // A ping after the link was silent for 40 % of the time, an answer within the rest.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, address.keep_alive_ms * 2 / 5);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, address.keep_alive_ms * 3 / 5);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  if (!address.token_file.empty()) add_admission(arguments, address);
  if (!address.has_tls())
    return grpc::CreateCustomChannel(address.host_port, grpc::InsecureChannelCredentials(), arguments);
  grpc::SslCredentialsOptions options{.pem_root_certs = pem_text(address.ca_file)};
  if (!address.cert_file.empty()) {
    options.pem_private_key = pem_text(address.key_file);
    options.pem_cert_chain = pem_text(address.cert_file);
  }
  return grpc::CreateCustomChannel(address.host_port, grpc::SslCredentials(options), arguments);
}

Error call_error(const grpc::Status& status, const WorkerAddress& address) {
  // Nobody here cancels calls whose answers are looked at: gRPC's server does so with those that come while
  // it goes down.
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

Error connect_error(const grpc::Status& status, const WorkerAddress& address) {
  Error error = call_error(status, address);
  if (error.code() != ErrorCode::kUnavailable) return error;
  const Diagnosis found = diagnose_link(address);
  if (found.sentence.empty()) return error;
  return {found.code,
          fmt::format("the worker at {} cannot be spoken to: {}", address.host_port, found.sentence),
          {.op = "grpc"}};
}

}  // namespace cornu::inline v0::backends::remote
