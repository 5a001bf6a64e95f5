#pragma once

#include <cstddef>
#include <span>

/// What moves bytes from process to process: MPI, or threads in a test.
namespace cornu::inline v0::distribute {

struct Outgoing {
  int rank = 0;
  std::span<const std::byte> bytes = {};
};
struct Incoming {
  int rank = 0;
  std::span<std::byte> bytes = {};
};

class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int count() const = 0;
  /// Sends and receives at the same time, and returns when all is done. What two processes send each other arrives in
  /// the order in which it was sent.
  /// Errors: kUnavailable, naming the rank, when a process from which something is to come is gone, or its message has
  ///         another length.
  virtual void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
};

}  // namespace cornu::inline v0::distribute
