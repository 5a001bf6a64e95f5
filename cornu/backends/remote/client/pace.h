#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

namespace cornu::inline v0::backends::remote {

/// Limits the bytes in flight on a link. The keep-alive ping waits after them: on a slow link a transfer of
/// megabytes lasts longer than the keep-alive timeout, and a live worker would be considered lost.
/// Threads: one, under the connection's order().
class Pace {
 public:
  static constexpr std::size_t kLeastBytes = std::size_t{64} << 10, kFirstBytes = std::size_t{256} << 10,
                               kMostBytes = std::size_t{4} << 20;
  static constexpr double kFastSeconds = 0.5, kSlowSeconds = 1;

  /// Size of a piece that is followed by others at once.
  std::size_t piece_bytes() const { return piece_bytes_; }
  /// Size limit of a single message: none, unless the link has been slow.
  std::size_t message_bytes() const {
    return is_slow_ ? 4 * piece_bytes_ : std::numeric_limits<std::size_t>::max();
  }

  /// Records a transfer of `num_bytes` bytes and its round-trip time.
  void note(std::size_t num_bytes, double seconds) {
    if (seconds > kSlowSeconds) piece_bytes_ = std::max(kLeastBytes, piece_bytes_ / 2);
    if (seconds > kFastSeconds) is_slow_ = true;
    note_work(num_bytes, seconds);
  }
  /// Records a transfer that included computation, so that a long time does not mean a slow link.
  void note_work(std::size_t num_bytes, double seconds) {
    if (seconds > kFastSeconds || num_bytes < piece_bytes_) return;
    piece_bytes_ = std::min(kMostBytes, 2 * piece_bytes_);
    is_slow_ = is_slow_ && piece_bytes_ < kMostBytes;
  }
  /// Records a loss of the link, perhaps because of too many bytes in flight.
  void note_loss() {
    piece_bytes_ = kLeastBytes;
    is_slow_ = true;
  }

 private:
  std::size_t piece_bytes_ = kFirstBytes;
  bool is_slow_ = false;
};

}  // namespace cornu::inline v0::backends::remote
