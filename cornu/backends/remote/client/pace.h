#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

namespace cornu::inline v0::backends::remote {

/// How much goes onto a link at a time. The ping that asks whether the worker lives waits behind what
/// is under way: on a slow link megabytes last longer than the keep-alive, and a worker that is there
/// is taken for dead.
/// Threads: one, under the connection's order().
class Pace {
 public:
  static constexpr std::size_t kLeastBytes = std::size_t{64} << 10, kFirstBytes = std::size_t{256} << 10,
                               kMostBytes = std::size_t{4} << 20;
  static constexpr double kFastSeconds = 0.5, kSlowSeconds = 1;

  /// Of a piece that others follow at once.
  std::size_t piece_bytes() const { return piece_bytes_; }
  /// Of a message alone: all that it may hold, unless the link has shown that it is slow.
  std::size_t message_bytes() const {
    return is_slow_ ? 4 * piece_bytes_ : std::numeric_limits<std::size_t>::max();
  }

  /// So many bytes were written, and it took so long, there and back.
  void note(std::size_t num_bytes, double seconds) {
    if (seconds > kSlowSeconds) piece_bytes_ = std::max(kLeastBytes, piece_bytes_ / 2);
    if (seconds > kFastSeconds) is_slow_ = true;
    note_work(num_bytes, seconds);
  }
  /// The same where something was computed meanwhile, so that a long time says nothing.
  void note_work(std::size_t num_bytes, double seconds) {
    if (seconds > kFastSeconds || num_bytes < piece_bytes_) return;
    piece_bytes_ = std::min(kMostBytes, 2 * piece_bytes_);
    is_slow_ = is_slow_ && piece_bytes_ < kMostBytes;
  }
  /// The link was lost, perhaps since too much was under way.
  void note_loss() {
    piece_bytes_ = kLeastBytes;
    is_slow_ = true;
  }

 private:
  std::size_t piece_bytes_ = kFirstBytes;
  bool is_slow_ = false;
};

}  // namespace cornu::inline v0::backends::remote
