#include "cornu/backends/remote/client/reply_values.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Stores the value after `num_changes` changes; destinations of earlier ones belong to executions that failed.
void fill_late(KnownBytes& known, std::uint64_t num_changes, std::string_view bytes) {
  for (const LateDestination& late : known.late) {
    if (late.num_changes != num_changes) continue;
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(late.to));
    --*late.num_missing;
  }
  std::erase_if(known.late, [&](const LateDestination& late) { return late.num_changes <= num_changes; });
}

}  // namespace

std::int64_t ReplyValues::take(const proto::ExecuteReply& reply) const {
  const std::size_t expected = std::accumulate(output_bytes_.begin(), output_bytes_.end(), std::size_t{0}) *
                               static_cast<std::size_t>(num_steps_);
  if (reply.outputs().size() != expected || reply.steps_done() < 0 || reply.steps_done() > num_steps_)
    fail(ErrorCode::kInternal, "[grpc] the worker at {} answered an execution with {} bytes instead of {}",
         host_port_, reply.outputs().size(), expected);
  take_reads(reply.read());
  std::size_t at = 0;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const std::size_t bytes = output_bytes_[i];
    const auto* const from = reinterpret_cast<const std::byte*>(reply.outputs().data()) + at;
    std::copy_n(from, bytes * static_cast<std::size_t>(reply.steps_done()), outputs_[i]);
    at += bytes * static_cast<std::size_t>(num_steps_);
  }
  return reply.steps_done();
}

void ReplyValues::take_reads(const std::string& bytes) const {
  std::size_t at = 0;
  for (const auto& [known, num_changes, size] : reads_) {
    if (bytes.size() - at < size) return;
    fill_late(*known, num_changes, std::string_view(bytes).substr(at, size));
    if (known->num_changes == num_changes) known->bytes = bytes.substr(at, size);
    at += size;
  }
}

}  // namespace cornu::inline v0::backends::remote
