#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cornu::inline v0::backends::slabs {

/// Bounds of one launch.
struct SlabLimits {
  std::int64_t max_steps = 1024;
  /// Of the rows and outputs of a launch together; one step may have more.
  std::size_t max_bytes = std::size_t{64} << 20;
  /// Devices that can run a program together.
  std::size_t max_replicas = 1;
};

/// How many steps the programs of a device are made for. A StepLoop has slabs of a fixed number of steps and
/// runs any number up to it, so a few sizes serve all: powers of two.
class SlabSizes {
 public:
  /// `step_bytes`: of one step's rows and outputs.
  SlabSizes(std::size_t step_bytes, const SlabLimits& limits);

  /// The most steps of a launch: the largest power of two within the limits, at least 1.
  std::int64_t largest() const { return largest_; }

  /// The size of the program that runs `num_steps` steps, of 1 to largest(): one of `compiled` that holds
  /// them and is at most kMostPadding times as long or whose slab is small, the smallest such; else the next
  /// power of two, for which a program must be compiled.
  std::int64_t choose(std::int64_t num_steps, std::span<const std::int64_t> compiled) const;

  /// Sending a slab that is padded to this many times its steps is cheaper than compiling another program.
  static constexpr std::int64_t kMostPadding = 4;
  /// So is a whole slab of so few bytes, whatever it was padded from.
  static constexpr std::int64_t kSmallSlabBytes = std::int64_t{256} << 10;

 private:
  std::int64_t small_;  // steps of a small slab
  std::int64_t largest_;
};

}  // namespace cornu::inline v0::backends::slabs
