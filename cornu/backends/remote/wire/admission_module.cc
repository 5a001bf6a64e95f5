#include "cornu/backends/remote/wire/admission.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <charconv>

namespace cornu::inline v0::backends::remote {
namespace {

/// Part of the signed text, so that the proof is useless if the token is also used as a key elsewhere.
constexpr std::string_view kPurpose = "cornu worker admission";

std::string receive_answer(const ClientSocket& socket) {
  return socket.receive_until(std::string(kEndOfRequest), kMaxAdmissionBytes);
}

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view data) {
  std::string result(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(data.data()), data.size(),
       reinterpret_cast<unsigned char*>(result.data()), &size);
  result.resize(size);
  return result;
}

std::string to_hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string from_hex(std::string_view text) {
  std::string bytes;
  if (text.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < text.size(); i += 2) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
    if (error != std::errc() || end != text.data() + i + 2) return {};
    bytes.push_back(static_cast<char>(value));
  }
  return bytes;
}

std::string_view admission_field(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(fmt::format("\r\n{}:", name));
  if (at == std::string_view::npos) return {};
  std::string_view value = text.substr(at + 2 + name.size() + 1);
  value = value.substr(0, value.find('\r'));
  return value.substr(std::min(value.find_first_not_of(' '), value.size()));
}

std::string admission_proof(std::string_view token, std::string_view challenge) {
  return hmac_sha256(token, fmt::format("{}:{}", kPurpose, challenge));
}

std::string admission_value(std::string_view token, std::string_view challenge) {
  return to_hex(challenge) + " " + to_hex(admission_proof(token, challenge));
}

int http_status(std::string_view answer) {
  constexpr std::string_view kBegin = "HTTP/1.";
  const std::size_t at = kBegin.size() + 2;  // after the minor version and a space
  int status = 0;
  if (!answer.starts_with(kBegin) || answer.size() < at + 3 || answer[at - 1] != ' ') return 0;
  std::from_chars(answer.data() + at, answer.data() + at + 3, status);
  return status;
}

Greeting ask_greeting(const ClientSocket& socket) {
  constexpr int kServerError = 500;
  Greeting greeting;
  if (socket.number() < 0 || !socket.send(fmt::format("{}0{}", kGreetingLine, kEndOfRequest)))
    return greeting;
  const std::string answer = receive_answer(socket);
  constexpr std::string_view kHttp = "HTTP/1.";
  const bool is_http = kHttp.starts_with(std::string_view(answer).substr(0, kHttp.size()));
  if (!is_http || answer.size() >= kMaxAdmissionBytes) greeting.outcome = Greeting::Outcome::kForeign;
  if (!is_http || !answer.ends_with(kEndOfRequest)) return greeting;
  const int status = http_status(answer);
  const std::string_view protocol = admission_field(answer, kProtocolField);
  if (status != 200 || protocol.empty()) {
    if (status < kServerError) greeting.outcome = Greeting::Outcome::kForeign;
    return greeting;
  }
  greeting.outcome = Greeting::Outcome::kAnswered;
  std::from_chars(protocol.data(), protocol.data() + protocol.size(), greeting.protocol);
  greeting.challenge = from_hex(admission_field(answer, kChallengeField));
  return greeting;
}

int enter(const ClientSocket& socket, std::string_view token, const Greeting& greeting) {
  const std::string request = fmt::format("{}cornu HTTP/1.0\r\n{}: {}{}", kAdmissionLine, kAdmissionField,
                                          admission_value(token, greeting.challenge), kEndOfRequest);
  return socket.send(request) ? http_status(receive_answer(socket)) : 0;
}

}  // namespace cornu::inline v0::backends::remote
