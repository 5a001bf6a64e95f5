#pragma once

#include <cstddef>
#include <span>

namespace cornu::inline v0::runtime {

/// A function prepared for immediate execution: what one eager operation, or a small group of them, runs as.
/// Threads: safe; runs share nothing.
class EagerProgram {
 public:
  virtual ~EagerProgram() = default;

  /// inputs[i] are the row-major bytes of argument i. outputs[i] is memory for result i, on a 16-byte
  /// boundary, which overlaps no other.
  /// Errors: what an op's kernel throws (Unimplemented, ResourceExhausted); the outputs are undefined then.
  virtual void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs) const = 0;

  /// About how much memory it holds, which a cache of programs counts.
  virtual std::size_t size_bytes() const = 0;
};

}  // namespace cornu::inline v0::runtime
