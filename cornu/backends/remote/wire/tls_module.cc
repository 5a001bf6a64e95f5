#include "cornu/backends/remote/wire/tls.h"

#include <openssl/err.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Checks that the file can be read: OpenSSL would only report that it is empty.
void check_readable(const std::string& file, const char* tag) {
  if (::access(file.c_str(), R_OK) != 0)
    invalid_argument("[{}] \"{}\" cannot be read: {}", tag, file, std::strerror(errno));
}

}  // namespace

void use_key_pair(SSL_CTX& context, const std::string& cert_file, const std::string& key_file,
                  const char* tag) {
  check_readable(cert_file, tag);
  check_readable(key_file, tag);
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(&context, cert_file.c_str()) != 1)
    invalid_argument("[{}] \"{}\" holds no certificate in PEM form", tag, cert_file);
  // A key that does not match the certificate is rejected here, too; the check below reports the cause.
  const bool is_key = SSL_CTX_use_PrivateKey_file(&context, key_file.c_str(), SSL_FILETYPE_PEM) == 1;
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  if (!is_key && ERR_GET_LIB(error) != ERR_LIB_X509)
    invalid_argument("[{}] \"{}\" holds no private key in PEM form without a password", tag, key_file);
  if (!is_key || SSL_CTX_check_private_key(&context) != 1)
    invalid_argument("[{}] the key in \"{}\" is not that of the certificate in \"{}\"", tag, key_file,
                     cert_file);
}

void use_authorities(SSL_CTX& context, const std::string& ca_file, const char* tag) {
  check_readable(ca_file, tag);
  ERR_clear_error();
  if (SSL_CTX_load_verify_locations(&context, ca_file.c_str(), nullptr) != 1)
    invalid_argument("[{}] \"{}\" holds no certificates in PEM form", tag, ca_file);
}

std::string end_of(const X509& certificate) {
  BIO* const text = BIO_new(BIO_s_mem());
  ASN1_TIME_print(text, X509_get0_notAfter(&certificate));
  char* data = nullptr;
  const long size = BIO_get_mem_data(text, &data);
  std::string result(data, static_cast<std::size_t>(size));
  BIO_free(text);
  return result;
}

}  // namespace cornu::inline v0::backends::remote
