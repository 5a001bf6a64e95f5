#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cornu/backends/remote/wire/socket.h"

/// The first exchange on a connection to a worker, before TLS and gRPC: a client proves that it knows the
/// token, without showing it. See docs/adr/0114.
namespace cornu::inline v0::backends::remote {

/// A request or an answer of the exchange has at most so many bytes.
inline constexpr std::size_t kMaxAdmissionBytes = 1024;
inline constexpr std::string_view kEndOfRequest = "\r\n\r\n";
/// Asks for a challenge.
inline constexpr std::string_view kGreetingLine = "GET /cornu HTTP/1.";
/// Asks whether the worker serves, for probes.
inline constexpr std::string_view kHealthLine = "GET /healthz HTTP/1.";
/// Answers a challenge. gRPC writes it by itself, as to a proxy.
inline constexpr std::string_view kAdmissionLine = "CONNECT ";
inline constexpr std::string_view kProtocolField = "cornu-protocol";
inline constexpr std::string_view kChallengeField = "cornu-challenge";
inline constexpr std::string_view kAdmissionField = "cornu-admission";

/// Refusals, as statuses of HTTP. kGone: the token is right, and the challenge is not valid: it was used, is
/// too old, or is one of another worker.
inline constexpr int kUnauthorized = 401, kGone = 410, kServiceUnavailable = 503;

/// The sentence for a client without the right token.
inline constexpr const char* kTokenSentence =
    "the token is missing or is another one: token_file names a file whose first line is the worker's";

/// The sentence where a connection is taken and nothing, or no whole answer, comes.
inline constexpr const char* kSilenceSentence = "it takes connections and does not answer";

std::string hmac_sha256(std::string_view key, std::string_view data);
std::string to_hex(std::string_view bytes);
/// Empty for what is no hexadecimal text.
std::string from_hex(std::string_view text);

/// The value of a request's or an answer's field; empty where there is none.
std::string_view admission_field(std::string_view text, std::string_view name);

/// The proof that a client knows the token. Challenge and proof are bytes.
std::string admission_proof(std::string_view token, std::string_view challenge);
/// "CHALLENGE PROOF" in hexadecimal, the value of kAdmissionField.
std::string admission_value(std::string_view token, std::string_view challenge);

/// A worker's answer to a client that asks for a challenge.
struct Greeting {
  enum class Outcome {
    kAnswered,
    kLost,     // no whole answer came, or one of a host in between that cannot reach the worker
    kForeign,  // the answer is not one of this exchange, as that of a worker of an earlier version
  };
  Outcome outcome = Outcome::kLost;
  std::uint32_t protocol = 0;
  std::string challenge;  // bytes; empty: it asks for no token
};
/// Asks by a connection that is of no use for anything else.
Greeting ask_greeting(const ClientSocket& socket);

/// The number in "HTTP/1.0 200 OK"; 0 for other texts.
int http_status(std::string_view answer);

/// Answers the challenge on a connection that speaks TLS or gRPC from then on. Returns HTTP's status; 0:
/// there was no answer.
int enter(const ClientSocket& socket, std::string_view token, const Greeting& greeting);

}  // namespace cornu::inline v0::backends::remote
