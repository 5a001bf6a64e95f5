#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/remote/client/connection.h"
#include "cornu/backends/remote/client/remote_buffer.h"
#include "cornu/backends/remote/client/reply_values.h"
#include "cornu/backends/remote/wire/profile.h"
#include "cornu/backends/stacked/host_memory_block.h"
#include "cornu/runtime/async_executable.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/program_signature.h"

namespace cornu::inline v0::backends::remote {

/// A program on the worker. An execution is one call, unless its rows and outputs exceed a message: then it
/// is several, with the state carried from one to the next. If a single step exceeds a message, its rows are
/// written and its outputs read in pieces.
class RemoteExecutable final : public runtime::Executable, public runtime::AsyncExecutable {
 public:
  /// `batch`: as in DeviceGroup::compile_parts; 0: as in Client::compile.
  RemoteExecutable(const runtime::StepProgram& program, runtime::Client& client,
                   std::shared_ptr<Connection> connection, std::int64_t batch = 0);
  ~RemoteExecutable() override { connection_->release(number_); }
  RemoteExecutable(const RemoteExecutable&) = delete;
  RemoteExecutable& operator=(const RemoteExecutable&) = delete;

  runtime::Submission execute(const runtime::Execution& execution) override;
  /// False also while a profiler measures, and for a worker that does not support the call Run.
  bool is_short(std::int64_t num_steps) const override;
  /// An execution that exceeds a message is waited for.
  runtime::Submission submit(const runtime::Execution& execution) override;
  const runtime::CompileStats& stats() const override { return stats_; }
  std::string explain(const runtime::Profiler* measured) const override;
  std::string dump(const std::string& stage) const override { return text_of(stage); }

 private:
  /// The steps [first, first + count) of a replica.
  struct Part {
    const runtime::Replica& replica;
    std::int64_t first = 0, count = 0;
    std::int64_t steps_before = 0;  // steps of the execution before those in `replica`
  };

  /// The buffers of a part whose rows or outputs exceed a message.
  struct Pieces {
    runtime::Replica replica;
    std::vector<std::unique_ptr<runtime::Buffer>> made;
    std::vector<runtime::Buffer*> rows, outputs;
    std::vector<std::int64_t> indices;
  };

  void describe(const runtime::StepProgram& program);
  /// Compiles in the current session if needed. Under the connection's order().
  void compile_in_session() const;
  std::string text_of(const std::string& stage) const;
  std::int64_t steps_of_call(const runtime::Replica& replica) const;
  std::span<const std::int64_t> indices_of(const Part& part) const;
  proto::ExecuteRequest request_for(const Part& part);
  /// Adds the numbers of rows that are on the worker.
  void add_row_places(proto::ExecuteRequest& request, const Part& part) const;
  /// The size of the rows that are sent with a part.
  std::size_t row_bytes_of(const Part& part) const;
  void gather_rows(const Part& part, std::byte* to) const;
  /// Gathers rows for the call, in memory that is valid until the next gather. Under the connection's
  /// order().
  std::span<const std::byte> gathered_rows(const Part& part);
  ReplyValues values_of(const Part& part) const;
  /// True if the part's request is so large that a worker with a limit counts it, and may refuse it before it
  /// takes effect.
  bool may_be_refused(const Part& part) const;
  /// Completes a request, before it is sent, with what the connection and the part have for it; marks the
  /// part's buffers as written. Under the connection's order(). `is_ahead`: it goes by the RunStream.
  void complete(proto::ExecuteRequest& request, const Part& part, ReplyValues& values, bool is_ahead);
  /// An event for the part, whose request is sent. Under the connection's order().
  runtime::Event send_ahead(const Part& part, runtime::Progress* progress);
  void call(proto::ExecuteRequest& request, std::span<const std::byte> rows, proto::ExecuteReply& reply);
  std::int64_t run(const Part& part, runtime::Progress* progress);
  void write_rows(const Part& part, Pieces& pieces);
  std::int64_t run_in_pieces(const Part& part, runtime::Progress* progress);
  /// Adds measurements between `begin` and `end`, by read_ticks().
  void take_profile(const proto::ExecuteReply& reply, runtime::Profiler& profiler, std::int64_t begin,
                    std::int64_t end);

  runtime::Client& client_;
  std::shared_ptr<Connection> connection_;
  runtime::ProgramSignature signature_;
  std::string name_;
  std::uint64_t number_;
  std::int64_t batch_;                          // rows of a step
  std::vector<ir::TensorType> rows_, outputs_;  // of the worker's step, perhaps of several replicas
  std::vector<std::size_t> row_bytes_, output_bytes_;
  // The compile request, and the session that compiled it; 0: none. Under the connection's order().
  mutable proto::CompileRequest program_;
  mutable std::uint64_t generation_ = 0;
  mutable runtime::CompileStats stats_;
  mutable KnownFacts facts_;              // received in this session
  stacked::HostMemoryBlock rows_memory_;  // same guard as the members above
  std::shared_ptr<StepTime> step_time_ = std::make_shared<StepTime>();
};

}  // namespace cornu::inline v0::backends::remote
