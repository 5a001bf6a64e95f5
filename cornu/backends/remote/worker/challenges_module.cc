#include "cornu/backends/remote/worker/challenges.h"

#include <algorithm>
#include <cstring>

#include "cornu/backends/remote/wire/admission.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// A client responds at once, but slow links lose packets.
constexpr auto kValid = std::chrono::seconds(60);
constexpr std::size_t kCodeBytes = 16;

/// A challenge's content: its time and a number that is unique on the worker.
struct Body {
  std::int64_t ticks = 0;
  std::uint64_t number = 0;
};

std::string_view bytes_of(const Body& body) { return {reinterpret_cast<const char*>(&body), sizeof body}; }

}  // namespace

std::string Challenges::code_of(std::string_view body) const {
  return hmac_sha256(key_, body).substr(0, kCodeBytes);
}

std::string Challenges::make(Clock::time_point now) {
  const Body body{.ticks = now.time_since_epoch().count(), .number = ++last_number_};
  return std::string(bytes_of(body)) + code_of(bytes_of(body));
}

Answer Challenges::check(std::string_view value, Clock::time_point now) {
  const std::size_t space = std::min(value.find(' '), value.size());
  const std::string challenge = from_hex(value.substr(0, space));
  const std::string proof = from_hex(value.substr(std::min(space + 1, value.size())));
  Body body;
  if (challenge.size() != sizeof body + kCodeBytes) return Answer::kWrong;
  std::memcpy(&body, challenge.data(), sizeof body);
  if (!same_secret(proof, admission_proof(token_, challenge))) return Answer::kWrong;
  if (!same_secret(challenge.substr(sizeof body), code_of(bytes_of(body)))) return Answer::kOver;
  const Clock::time_point end = Clock::time_point(Clock::duration(body.ticks)) + kValid;
  if (end < now || body.number < first_valid_) return Answer::kOver;
  while (!used_.empty() && used_.begin()->second < now) forget_oldest();
  if (!used_.emplace(body.number, end).second) return Answer::kOver;
  if (used_.size() > kMostUsed) forget_oldest();
  return Answer::kRight;
}

void Challenges::forget_oldest() {
  first_valid_ = used_.begin()->first + 1;
  used_.erase(used_.begin());
}

}  // namespace cornu::inline v0::backends::remote
