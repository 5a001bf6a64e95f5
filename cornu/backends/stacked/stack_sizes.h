#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cornu::inline v0::backends::stacked {

/// Limits of one launch.
struct LaunchLimits {
  std::int64_t max_steps = 1024;
  /// Size of a launch's rows and outputs together; a single step may exceed it.
  std::size_t max_bytes = std::size_t{64} << 20;
  /// Number of devices that can run a program together.
  std::size_t max_replicas = 1;
};

/// Chooses the numbers of steps for which a device's programs are compiled. A StepLoop has stacks of a fixed
/// number of steps and runs any number up to it, so a few sizes suffice: powers of two.
class StackSizes {
 public:
  /// `step_bytes`: the size of one step's rows and outputs.
  StackSizes(std::size_t step_bytes, const LaunchLimits& limits);

  /// The largest number of steps in a launch: the largest power of two within the limits, at least 1.
  std::int64_t largest() const { return largest_; }

  /// The size of the program to run `num_steps` steps, 1 to largest(). It is the smallest of `compiled` that
  /// is long enough and is either at most kMostPadding times as long or has a small stack; else the next power
  /// of two, which must be compiled.
  std::int64_t choose(std::int64_t num_steps, std::span<const std::int64_t> compiled) const;

  /// Sending a stack padded to at most this multiple of its steps is cheaper than compiling another program.
  static constexpr std::int64_t kMostPadding = 4;
  /// Sending a whole stack of at most this size is also cheaper, whatever its padding.
  static constexpr std::int64_t kSmallStackBytes = std::int64_t{256} << 10;

 private:
  std::int64_t small_;  // number of steps in a small stack
  std::int64_t largest_;
};

}  // namespace cornu::inline v0::backends::stacked
