#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>

namespace cornu::inline v0::study {

/// A line on the standard error that says how far a study is and how long the rest will take; nothing where
/// that is no terminal.
/// Threads: one thread.
class StudyProgress {
 public:
  explicit StudyProgress(std::size_t num_parts);
  ~StudyProgress();
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;

  /// Before a part. `was_there`: it takes no time, as its figures are in the log.
  void begin(const std::string& part, bool was_there);
  /// Sets the number of parts, once it is known.
  void expect(std::size_t num_parts) { num_parts_ = num_parts; }
  /// The first `part` parts are done or were left out.
  void skip_to(std::size_t part) { part_ = std::max(part_, part); }
  std::size_t part() const { return part_; }
  /// "12 of 48, about 3 min left": after `seconds` for `num_measured` parts.
  static std::string line(std::size_t part, std::size_t num_parts, std::size_t num_measured, double seconds);

 private:
  std::size_t num_parts_, part_ = 0, num_measured_ = 0;
  std::chrono::steady_clock::time_point start_;
  bool is_shown_;
};

}  // namespace cornu::inline v0::study
