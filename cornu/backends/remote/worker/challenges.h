#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "cornu/backends/remote/wire/secret.h"

namespace cornu::inline v0::backends::remote {

/// Outcome of a client's response to a challenge.
enum class Answer {
  kRight,
  kWrong,  // another token
  kOver,   // the right token for a challenge that was used, has expired, or is another worker's
};

/// The challenges of a worker with a token. Unanswered challenges take no memory: each contains its time and
/// a code that only this worker can make. A challenge may be answered once. The numbers of answered ones are
/// kept until they would expire, at most kMostUsed: beyond that the oldest is dropped, and challenges made
/// before it expire early. Only clients with the token add to them.
/// Threads: one.
class Challenges {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Challenges(std::string token) : token_(std::move(token)) {}
  std::string make(Clock::time_point now);
  /// `value`: in the format of admission_value.
  Answer check(std::string_view value, Clock::time_point now);

  static constexpr std::size_t kMostUsed = 16384;
  std::size_t num_used() const { return used_.size(); }

 private:
  void forget_oldest();
  std::string code_of(std::string_view body) const;

  const std::string token_, key_ = random_secret();
  std::uint64_t last_number_ = 0, first_valid_ = 0;
  std::map<std::uint64_t, Clock::time_point> used_;  // number, ordered by time: end of validity
};

}  // namespace cornu::inline v0::backends::remote
