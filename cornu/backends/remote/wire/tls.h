#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

/// Checks of certificates and keys with error messages, which gRPC does not provide.
namespace cornu::inline v0::backends::remote {

struct FreeTls {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* link) const { SSL_free(link); }
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using TlsContext = std::unique_ptr<SSL_CTX, FreeTls>;
using TlsLink = std::unique_ptr<SSL, FreeTls>;
using TlsCertificate = std::unique_ptr<X509, FreeTls>;

/// Reads a server's or a client's certificate and key. Errors: InvalidArgument with the file that is invalid
/// or cannot be read, or with both if they do not match; no part of the key is printed.
void use_key_pair(SSL_CTX& context, const std::string& cert_file, const std::string& key_file,
                  const char* tag);
/// Reads certificates that verify others. Errors: InvalidArgument with the file.
void use_authorities(SSL_CTX& context, const std::string& ca_file, const char* tag);

/// The expiry date: "Nov 23 02:30:06 2026 GMT".
std::string end_of(const X509& certificate);

}  // namespace cornu::inline v0::backends::remote
