#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cornu/backends/remote/wire/socket.h"

/// The first exchange on a connection to a worker, before TLS and gRPC: a client proves that it has the
/// token, without sending it. See docs/adr/0114.
namespace cornu::inline v0::backends::remote {

/// Size limit of a request or a response of the exchange.
inline constexpr std::size_t kMaxAdmissionBytes = 1024;
inline constexpr std::string_view kEndOfRequest = "\r\n\r\n";
/// Requests a challenge.
inline constexpr std::string_view kGreetingLine = "GET /cornu HTTP/1.";
/// Requests the worker's health, for probes.
inline constexpr std::string_view kHealthLine = "GET /healthz HTTP/1.";
/// Responds to a challenge. gRPC itself writes this line, as to a proxy.
inline constexpr std::string_view kAdmissionLine = "CONNECT ";
inline constexpr std::string_view kProtocolField = "cornu-protocol";
inline constexpr std::string_view kChallengeField = "cornu-challenge";
inline constexpr std::string_view kAdmissionField = "cornu-admission";

/// Refusals, as HTTP status codes. kGone: the token is right, but the challenge is invalid: it was used, has
/// expired, or is another worker's.
inline constexpr int kUnauthorized = 401, kGone = 410, kServiceUnavailable = 503;

/// Error text for a client without the right token.
inline constexpr const char* kTokenSentence =
    "the token is missing or is another one: token_file names a file whose first line is the worker's";

/// Error text for a connection that is accepted without a complete response.
inline constexpr const char* kSilenceSentence = "it takes connections and does not answer";

std::string hmac_sha256(std::string_view key, std::string_view data);
std::string to_hex(std::string_view bytes);
/// Decodes hexadecimal text; empty if it is invalid.
std::string from_hex(std::string_view text);

/// The value of a field in a request or a response; empty if it is missing.
std::string_view admission_field(std::string_view text, std::string_view name);

/// The proof that a client has the token. Challenge and proof are bytes.
std::string admission_proof(std::string_view token, std::string_view challenge);
/// "CHALLENGE PROOF" in hexadecimal, the value of kAdmissionField.
std::string admission_value(std::string_view token, std::string_view challenge);

/// A worker's response to a request for a challenge.
struct Greeting {
  enum class Outcome {
    kAnswered,
    kLost,     // no complete response, or that of a proxy which cannot reach the worker
    kForeign,  // another protocol's response, such as that of an earlier version
  };
  Outcome outcome = Outcome::kLost;
  std::uint32_t protocol = 0;
  std::string challenge;  // bytes; empty: no token is required
};
/// Requests a challenge on a connection that cannot be used for anything else.
Greeting ask_greeting(const ClientSocket& socket);

/// The number in "HTTP/1.0 200 OK"; 0 for other texts.
int http_status(std::string_view answer);

/// Responds to the challenge on a connection that uses TLS or gRPC afterwards. Returns the HTTP status; 0 if
/// there was no response.
int enter(const ClientSocket& socket, std::string_view token, const Greeting& greeting);

}  // namespace cornu::inline v0::backends::remote
