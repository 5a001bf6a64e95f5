#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/remote/client/remote_buffer.h"

namespace cornu::inline v0::backends::remote {

/// The time of a program's steps on the worker. Threads: safe.
class StepTime {
 public:
  void note(std::int64_t num_steps, double seconds) {
    if (num_steps > 0 && seconds >= 0) seconds_ = seconds / static_cast<double>(num_steps);
  }
  bool is_known() const { return seconds_ >= 0; }
  /// The expected time of `num_steps` steps; is_known() must be true.
  double of(std::int64_t num_steps) const { return seconds_ * static_cast<double>(num_steps); }

 private:
  std::atomic<double> seconds_{-1};  // of the last execution's steps
};

/// The destinations of the values in an execution's reply. Independent of the executable and the buffers, which
/// may be destroyed before the reply arrives.
/// Threads: one thread, under the connection's order().
class ReplyValues {
 public:
  /// `outputs`: host memory of the execution's first step, for outputs of `output_bytes` each a step; both
  /// are empty if outputs stay on the worker.
  ReplyValues(std::string host_port, std::int64_t num_steps, std::vector<std::byte*> outputs,
              std::vector<std::size_t> output_bytes)
      : host_port_(std::move(host_port)),
        num_steps_(num_steps),
        outputs_(std::move(outputs)),
        output_bytes_(std::move(output_bytes)) {}

  /// Adds a buffer whose bytes the reply brings, after it was marked as written.
  void add_read(const RemoteBuffer& buffer) {
    const std::shared_ptr<KnownBytes>& known = buffer.known_bytes();
    known->num_awaited = known->num_changes;
    reads_.push_back({known, known->num_changes, buffer.type().size_bytes()});
  }
  /// Stores the values of a successful execution; returns its number of steps.
  /// Errors: kInternal for a reply that does not fit.
  std::int64_t take(const proto::ExecuteReply& reply) const;

 private:
  struct ReadBuffer {
    std::shared_ptr<KnownBytes> known;
    std::uint64_t num_changes;
    std::size_t size;
  };
  void take_reads(const std::string& bytes) const;

  std::string host_port_;
  std::int64_t num_steps_;
  std::vector<std::byte*> outputs_;
  std::vector<std::size_t> output_bytes_;
  std::vector<ReadBuffer> reads_;
};

}  // namespace cornu::inline v0::backends::remote
