#pragma once

#include <span>

#include "cornu/runtime/client.h"
#include "cornu/runtime/event.h"

namespace cornu::inline v0::runtime {

/// Additional interface of a Client whose reads need not be waited for at once.
/// Threads: safe.
class LateReads {
 public:
  LateReads() = default;
  virtual ~LateReads();
  LateReads(const LateReads&) = delete;
  LateReads& operator=(const LateReads&) = delete;

  /// Begins to copy buffers to host memory, with the values that they have after all calls made before. Later
  /// executions and writes do not change these. The memory is filled when the event is done; destroying the
  /// event waits.
  /// Errors: as Client::read, now or by the event.
  virtual Event read_later(std::span<const Read> reads) = 0;
};

/// The interface of a client that has it; null for all others.
LateReads* late_reads(Client& client);

}  // namespace cornu::inline v0::runtime
