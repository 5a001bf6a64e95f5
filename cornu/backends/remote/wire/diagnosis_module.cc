#include "cornu/backends/remote/wire/diagnosis.h"

#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <memory>

#include "cornu/backends/remote/wire/tls.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

constexpr timeval kPatience = {.tv_sec = 2, .tv_usec = 0};

/// OpenSSL writes to sockets whose other end may be closed: what comes of that is an error here,
/// and no signal.
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

/// "[::1]:8470" is "::1".
std::string host_of(const std::string& host_port) {
  std::string host = host_port.substr(0, host_port.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

/// What a name and a port stand for.
class Places {
 public:
  explicit Places(const std::string& host_port, int flags = 0) {
    const std::string host = host_of(host_port), port = host_port.substr(host_port.rfind(':') + 1);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags;
    if (const int code = getaddrinfo(host.c_str(), port.c_str(), &hints, &first_); code != 0)
      why_ = fmt::format("its name cannot be looked up: {}", gai_strerror(code));
  }
  ~Places() {
    if (first_ != nullptr) freeaddrinfo(first_);
  }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  const addrinfo* first() const { return first_; }
  /// Why there are none.
  const std::string& why() const { return why_; }

 private:
  addrinfo* first_ = nullptr;
  std::string why_;
};

/// A connection without TLS, to look at; -1 with the reason.
class Socket {
 public:
  explicit Socket(const WorkerAddress& address) {
    const Places places(address.host_port);
    why_ = places.why();
    for (const addrinfo* at = places.first(); at != nullptr && number_ < 0; at = at->ai_next) open(*at);
  }
  ~Socket() { close_now(); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int number() const { return number_; }
  const std::string& why() const { return why_; }

 private:
  void open(const addrinfo& to) {
    number_ = socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (number_ < 0) {  // such as where there is no IPv6; what another address said tells more
      if (why_.empty()) why_ = fmt::format("this machine gives no socket: {}", strerror(errno));
      return;
    }
    setsockopt(number_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
    setsockopt(number_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    if (connect(number_, to.ai_addr, to.ai_addrlen) == 0) return;
    why_ = errno == EINPROGRESS ? "nothing there takes connections in time"
                                : fmt::format("nothing there takes connections: {}", strerror(errno));
    close_now();
  }
  void close_now() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

  int number_ = -1;
  std::string why_;
};

/// TLS as the address says it, over a socket; certificates are looked at afterwards.
TlsLink make_link(SSL_CTX& context, const Socket& socket, const WorkerAddress& address) {
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

/// A worker that wants another certificate says so when it is first spoken to.
bool refuses_client(SSL& link) {
  constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
  char byte = 0;
  ERR_clear_error();
  SSL_write(&link, kPreface, sizeof kPreface - 1);
  return SSL_read(&link, &byte, 1) <= 0 && ERR_peek_error() != 0;
}

/// What a side answers that speaks no TLS is no record of TLS. One that is silent or breaks off, as a worker
/// that hangs or a link that is cut, has said nothing.
bool has_answered_otherwise(const SSL& link, int result) {
  return SSL_get_error(&link, result) == SSL_ERROR_SSL &&
         ERR_GET_REASON(ERR_peek_error()) != SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

Diagnosis look_at_tls(const WorkerAddress& address, const Socket& socket) {
  const TlsContext context(SSL_CTX_new(TLS_client_method()));
  const TlsLink link = make_link(*context, socket, address);
  ERR_clear_error();
  const int result = SSL_connect(link.get());
  const bool speaks_tls = result == 1;
  constexpr auto kSettings = ErrorCode::kFailedPrecondition;
  if (!address.has_tls()) {
    if (!speaks_tls) return {};
    return {kSettings, "it speaks TLS: give ca_file, the certificates that the worker's is checked by"};
  }
  if (!speaks_tls && !has_answered_otherwise(*link, result))
    return {ErrorCode::kUnavailable, "it takes connections and does not answer"};
  if (!speaks_tls)
    return {kSettings, "it speaks no TLS: leave ca_file out, or start it with --tls-cert and --tls-key"};
  if (std::string sentence = certificate_sentence(*link, address); !sentence.empty())
    return {kSettings, std::move(sentence)};
  if (!refuses_client(*link)) return {};
  return {kSettings, address.cert_file.empty()
                         ? "it lets in only clients with a certificate: give cert_file and key_file"
                         : fmt::format("it does not take the certificate in \"{}\"", address.cert_file)};
}

}  // namespace

Diagnosis diagnose_link(const WorkerAddress& address) {
  const NoPipeSignal scope;
  const Socket socket(address);
  if (socket.number() < 0) return {ErrorCode::kUnavailable, socket.why()};
  return look_at_tls(address, socket);
}

std::string why_not_listening(const std::string& host_port) {
  const Places places(host_port, AI_PASSIVE);
  for (const addrinfo* at = places.first(); at != nullptr; at = at->ai_next) {
    const int number = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int error = number < 0 || bind(number, at->ai_addr, at->ai_addrlen) != 0 ? errno : 0;
    if (number >= 0) close(number);
    if (error == EADDRINUSE) return "another program listens there: give another port, or 0 for a free one";
    if (error == EADDRNOTAVAIL)
      return "this machine has no such address: give one of its own, or 0.0.0.0 for all";
    if (error != 0) return strerror(error);
  }
  return places.why();
}

}  // namespace cornu::inline v0::backends::remote
