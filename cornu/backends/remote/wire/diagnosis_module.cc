#include "cornu/backends/remote/wire/diagnosis.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <optional>
#include <utility>

#include "cornu/backends/remote/wire/admission.h"
#include "cornu/backends/remote/wire/tls.h"
#include "cornu/backends/remote/wire/wire.h"
#include "cornu/base/check.h"
#include "cornu/version.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Timeout of each connection, in all: links lose packets.
constexpr auto kDiagnosisTimeout = std::chrono::seconds(4);

/// Blocks SIGPIPE: OpenSSL may write to a closed socket, which should be an error.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    constexpr timespec kNow = {};
    if (!was_pending_) sigtimedwait(&pipe_, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

/// Begins TLS over a socket with the address's settings; certificates are verified afterwards.
TlsLink make_link(SSL_CTX& context, const ClientSocket& socket, const WorkerAddress& address) {
  SSL_CTX_set_verify(&context, SSL_VERIFY_NONE, nullptr);
  if (address.has_tls()) use_authorities(context, address.ca_file, "grpc");
  if (!address.cert_file.empty()) use_key_pair(context, address.cert_file, address.key_file, "grpc");
  constexpr unsigned char kProtocols[] = "\x02h2";
  SSL_CTX_set_alpn_protos(&context, kProtocols, sizeof kProtocols - 1);
  TlsLink link(SSL_new(&context));
  const std::string host = host_of(address.host_port);
  X509_VERIFY_PARAM* const checks = SSL_get0_param(link.get());
  if (X509_VERIFY_PARAM_set1_ip_asc(checks, host.c_str()) != 1) {
    X509_VERIFY_PARAM_set1_host(checks, host.c_str(), 0);
    SSL_set_tlsext_host_name(link.get(), host.c_str());
  }
  SSL_set_fd(link.get(), socket.number());
  return link;
}

std::string certificate_sentence(const SSL& link, const WorkerAddress& address) {
  const TlsCertificate certificate(SSL_get1_peer_certificate(&link));
  const long result = SSL_get_verify_result(&link);
  if (result == X509_V_OK || certificate == nullptr) return "";
  switch (result) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return fmt::format("its certificate expired on {}: give it a new one", end_of(*certificate));
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return fmt::format("its certificate is not for \"{}\": use the name that it is for",
                         host_of(address.host_port));
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return fmt::format("no certificate in \"{}\" vouches for the one that it shows", address.ca_file);
    default: return fmt::format("its certificate does not pass: {}", X509_verify_cert_error_string(result));
  }
}

/// Repeats a call of OpenSSL until it has ended, or the connection's deadline.
template <typename Call>
int finish_call(const SSL& link, const ClientSocket& socket, Call call) {
  while (true) {
    ERR_clear_error();
    const int result = call();
    const int error = SSL_get_error(&link, result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return result;
    if (!socket.wait_for(error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT)) return result;
  }
}

/// True if the worker rejects the client's certificate, which it reports on the first use of the link.
bool refuses_client(SSL& link, const ClientSocket& socket) {
  constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
  char byte = 0;
  finish_call(link, socket, [&] { return SSL_write(&link, kPreface, sizeof kPreface - 1); });
  return finish_call(link, socket, [&] { return SSL_read(&link, &byte, 1); }) <= 0 && ERR_peek_error() != 0;
}

/// True if the other side answered without TLS, so that its answer is not a TLS record. A side that is silent
/// or breaks off, such as a hanging worker or a cut link, has not answered.
bool has_answered_otherwise(const SSL& link, int result) {
  return SSL_get_error(&link, result) == SSL_ERROR_SSL &&
         ERR_GET_REASON(ERR_peek_error()) != SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

/// The diagnosis for a worker's refusal of a connection.
Diagnosis refusal(int status) {
  switch (status) {
    case kUnauthorized: return {ErrorCode::kFailedPrecondition, kTokenSentence};
    case kGone:
      return {
          ErrorCode::kUnavailable,
          "it refuses the answer to its challenge: several workers seem to be reached at this address, as "
          "by a load balancer; give the address of one of them",
          true};
    case kServiceUnavailable:
      return {ErrorCode::kUnavailable, "it has as many connections as it takes: try again later"};
    default: return {ErrorCode::kUnavailable, kSilenceSentence};
  }
}

/// The status with which a worker refuses a connection without admission; 0 for any other response, or none.
int refusing_status(const ClientSocket& socket) {
  constexpr std::size_t kStatusBytes = 12;  // "HTTP/1.0 401"
  const int status = http_status(socket.peek(kStatusBytes));
  return status == kUnauthorized || status == kGone || status == kServiceUnavailable ? status : 0;
}

Diagnosis look_at_tls(const WorkerAddress& address, const ClientSocket& socket) {
  const TlsContext context(SSL_CTX_new(TLS_client_method()));
  const TlsLink link = make_link(*context, socket, address);
  // Sends the first message without reading: the refusal must be read before OpenSSL consumes a part of it.
  SSL_set0_rbio(link.get(), BIO_new(BIO_s_mem()));
  SSL_connect(link.get());
  SSL_set0_rbio(link.get(), BIO_new_socket(socket.number(), BIO_NOCLOSE));
  socket.wait_for(POLLIN);
  if (const int status = refusing_status(socket); status != 0) return refusal(status);
  const int result = finish_call(*link, socket, [&] { return SSL_connect(link.get()); });
  const bool speaks_tls = result == 1;
  constexpr auto kSettings = ErrorCode::kFailedPrecondition;
  if (!address.has_tls()) {
    if (!speaks_tls) return {};
    return {kSettings, "it speaks TLS: give ca_file, the certificates that the worker's is checked by"};
  }
  if (!speaks_tls && !has_answered_otherwise(*link, result))
    return {ErrorCode::kUnavailable, kSilenceSentence};
  if (!speaks_tls)
    return {kSettings, "it speaks no TLS: leave ca_file out, or start it with --tls-cert and --tls-key"};
  if (std::string sentence = certificate_sentence(*link, address); !sentence.empty())
    return {kSettings, std::move(sentence)};
  if (!refuses_client(*link, socket)) return {};
  return {kSettings, address.cert_file.empty()
                         ? "it lets in only clients with a certificate: give cert_file and key_file"
                         : fmt::format("it does not take the certificate in \"{}\"", address.cert_file)};
}

/// Empty if the worker admits the client, or requires no token.
std::optional<Diagnosis> refused_admission(const std::string& token, const Greeting& greeting,
                                           const ClientSocket& socket) {
  if (greeting.outcome != Greeting::Outcome::kAnswered || greeting.challenge.empty()) return {};
  const int status = token.empty() ? kUnauthorized : enter(socket, token, greeting);
  if (status == 200) return {};
  if (greeting.protocol != kProtocolVersion)
    return Diagnosis{ErrorCode::kFailedPrecondition,
                     fmt::format("it speaks protocol {}, this client (Cornu {}) speaks {}: install the same "
                                 "version on both sides",
                                 greeting.protocol, CORNU_VERSION_STRING, kProtocolVersion)};
  return refusal(status);
}

}  // namespace

Diagnosis diagnose_link(const WorkerAddress& address, const std::string& token, const ResolvedHost& host) {
  if (host.addresses.empty()) return {ErrorCode::kUnavailable, host.why};
  const NoPipeSignal scope;
  const auto deadline = [] { return ClientSocket::Clock::now() + kDiagnosisTimeout; };
  const ClientSocket first(host.addresses, deadline());
  if (first.number() < 0) return {ErrorCode::kUnavailable, first.why()};
  const Greeting greeting = ask_greeting(first);
  if (greeting.outcome == Greeting::Outcome::kLost) return {ErrorCode::kUnavailable, kSilenceSentence};
  const ClientSocket socket(host.addresses, deadline());
  if (socket.number() < 0) return {ErrorCode::kUnavailable, socket.why()};
  if (std::optional<Diagnosis> refused = refused_admission(token, greeting, socket))
    return *std::move(refused);
  return look_at_tls(address, socket);
}

}  // namespace cornu::inline v0::backends::remote
