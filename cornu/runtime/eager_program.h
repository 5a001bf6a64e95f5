#pragma once

#include <cstddef>
#include <span>

namespace cornu::inline v0::runtime {

/// A function prepared for immediate execution: one eager operation, or a small group.
/// Threads: safe; runs share nothing.
class EagerProgram {
 public:
  virtual ~EagerProgram() = default;

  /// inputs[i] are the row-major bytes of argument i. outputs[i] is memory for result i, aligned to 16 bytes,
  /// without overlap.
  /// Errors: those of an op's kernel (Unimplemented, ResourceExhausted); the outputs are undefined then.
  virtual void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs) const = 0;

  /// Its approximate memory, for a cache's limit.
  virtual std::size_t size_bytes() const = 0;
};

}  // namespace cornu::inline v0::runtime
