#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cornu/distribute/processes/sockets_support.h"

/// Whether processes of other machines are still there: MPI itself does not say (docs/adr/0092).
namespace cornu::inline v0::distribute {

/// What has become of the process at the other end.
enum class LineState { kNone, kThere, kEnded, kUnreachable };

/// A TCP connection to each process of another machine, over which nothing is ever sent. The kernels at both
/// ends keep it: it closes when a process ends in whatever way, and breaks where machine or link are gone for
/// kSecondsToBreak. A process that is stopped, or computes, keeps its lines.
///
/// Owns: its sockets.
/// Errors: none. Where two processes cannot be connected there is no line between them, and nothing is known.
class Lines {
 public:
  /// The bytes of all processes behind each other, in the order of their ranks.
  using AllGather = std::function<void(std::span<const std::byte> own, std::span<std::byte> all)>;

  static constexpr int kSecondsToBreak = distribute::kSecondsToBreak;

  Lines() = default;
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  /// Called by all processes together. `is_elsewhere[rank]`: whether that process is on another machine
  /// than this one.
  void connect(int rank, const std::vector<bool>& is_elsewhere, const AllGather& all_gather);
  /// Of the process with this rank; kNone where there is no line. What was seen once stays.
  LineState state(int rank);

 private:
  struct Line {
    int socket = -1;
    LineState last = LineState::kNone;
  };
  void drop(std::size_t rank);

  std::vector<Line> lines_;  // by rank
};

}  // namespace cornu::inline v0::distribute
