#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

/// What gRPC does not tell of certificates and keys.
namespace cornu::inline v0::backends::remote {

struct FreeTls {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* link) const { SSL_free(link); }
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using TlsContext = std::unique_ptr<SSL_CTX, FreeTls>;
using TlsLink = std::unique_ptr<SSL, FreeTls>;
using TlsCertificate = std::unique_ptr<X509, FreeTls>;

/// Reads a certificate and its key, as a server's or a client's. Errors:
/// InvalidArgument that names the file which is none or cannot be read, or both when they do not
/// belong together; nothing of the key is told.
void use_key_pair(SSL_CTX& context, const std::string& cert_file, const std::string& key_file,
                  const char* tag);
/// Reads certificates that others are checked by. Errors: InvalidArgument that
/// names the file.
void use_authorities(SSL_CTX& context, const std::string& ca_file, const char* tag);

/// Until when it holds: "Nov 23 02:30:06 2026 GMT".
std::string end_of(const X509& certificate);

}  // namespace cornu::inline v0::backends::remote
