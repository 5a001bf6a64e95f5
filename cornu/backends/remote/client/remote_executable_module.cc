#include "cornu/backends/remote/client/remote_executable.h"

#include <algorithm>
#include <numeric>

#include "cornu/backends/remote/client/pipeline.h"
#include "cornu/backends/stacked/gather.h"
#include "cornu/base/check.h"
#include "cornu/base/tick_clock.h"
#include "cornu/ir/print.h"

namespace cornu::inline v0::backends::remote {
namespace {

proto::ArgumentKind to_proto(runtime::ArgumentKind kind) {
  switch (kind) {
    case runtime::ArgumentKind::kState: return proto::STATE;
    case runtime::ArgumentKind::kFixed: return proto::FIXED;
    case runtime::ArgumentKind::kRows: return proto::ROWS;
    case runtime::ArgumentKind::kValidRows: return proto::VALID_ROWS;
  }
  return proto::FIXED;
}

runtime::CompileStats to_stats(const proto::CompileReply& reply) {
  return {.compile_seconds = reply.compile_seconds(),
          .code_seconds = reply.code_seconds(),
          .from_cache = reply.from_cache(),
          .arena_bytes = reply.arena_bytes(),
          .num_groups = reply.num_groups(),
          .num_library_calls = reply.num_library_calls(),
          .num_reference_fallbacks = reply.num_reference_fallbacks(),
          .flops = reply.flops(),
          .convolution_flops = reply.convolution_flops(),
          .sequence_flops = reply.sequence_flops(),
          .state_bytes = reply.state_bytes()};
}

/// The small buffers of the state, such as logs, which are returned with each execution.
std::vector<RemoteBuffer*> buffers_to_read(const runtime::Replica& replica) {
  std::vector<RemoteBuffer*> found;
  std::size_t total = 0;
  for (runtime::Buffer* const buffer : replica.state) {
    const std::size_t num_bytes = buffer->type().size_bytes();
    if (num_bytes > kSmallBytes || total + num_bytes > kMaxSmallBytes) continue;
    total += num_bytes;
    found.push_back(&remote_buffer(*buffer));
  }
  return found;
}

/// Ensures that the buffers that an execution reads exist on the worker.
void make_alive(const runtime::Replica& replica) {
  for (const auto& buffers : {replica.state, replica.fixed, replica.row_buffers})
    for (const runtime::Buffer* const buffer : buffers) remote_buffer(*buffer).make_alive();
}

/// Marks the buffers that an execution wrote as changed.
void set_written(const runtime::Replica& replica) {
  for (const auto& buffers : {replica.state, replica.output_buffers})
    for (runtime::Buffer* const buffer : buffers) remote_buffer(*buffer).set_written();
}

}  // namespace

RemoteExecutable::RemoteExecutable(const runtime::StepProgram& program, runtime::Client& client,
                                   std::shared_ptr<Connection> connection, std::int64_t batch)
    : client_(client),
      connection_(std::move(connection)),
      signature_(program, &client),
      name_(program.name),
      number_(connection_->next_number()),
      batch_(batch > 0 ? batch : signature_.batch()),
      outputs_(signature_.outputs()) {
  for (std::size_t i = 0; i < program.arguments.size(); ++i) {
    if (program.arguments[i] != runtime::ArgumentKind::kRows) continue;
    rows_.push_back(program.step->body.arguments()[i].type());
    row_bytes_.push_back(rows_.back().size_bytes() / static_cast<std::size_t>(signature_.batch()));
  }
  if (batch > 0)
    for (std::vector<ir::TensorType>* types : {&rows_, &outputs_})
      for (ir::TensorType& type : *types)
        if (!type.dims.empty()) type.dims[0] = batch;  // otherwise the worker rejects it
  for (const ir::TensorType& output : outputs_) output_bytes_.push_back(output.size_bytes());
  describe(program);
  program_.set_batch(batch);
  const std::lock_guard lock(connection_->order());
  compile_in_session();
}

void RemoteExecutable::describe(const runtime::StepProgram& program) {
  program_.set_program(number_);
  // Includes the names of layers, for errors and profiles.
  const std::vector<std::int64_t> donations(program.arguments.size(), ir::kNotDonated);
  program_.set_stablehlo(ir::to_stablehlo_with_locations(*program.step, donations));
  for (const runtime::ArgumentKind kind : program.arguments) program_.add_arguments(to_proto(kind));
  program_.set_name(program.name);
  program_.set_direct_convolutions(program.convolution_algorithm == runtime::ConvolutionAlgorithm::kDirect);
  program_.set_precision(runtime::precision_name(program.precision));
  program_.set_work_replicas(program.replica_work.num_replicas);
  program_.set_work_bytes(program.replica_work.exchanged_bytes);
  program_.set_work_messages(program.replica_work.num_messages);
  if (program_.stablehlo().size() > connection_->hello().max_message_bytes())
    fail(ErrorCode::kResourceExhausted,
         "[grpc] program \"{}\" is {} bytes of text, the worker takes {}: make its large constants arguments",
         name_, program_.stablehlo().size(), connection_->hello().max_message_bytes());
}

void RemoteExecutable::compile_in_session() const {
  if (generation_ == connection_->generation()) return;
  const double start = client_.now();
  proto::CompileReply reply;
  connection_->fill(program_);
  connection_->call(&proto::Worker::Stub::Compile, program_, reply);
  program_.clear_released();
  generation_ = connection_->generation();
  facts_.clear();
  stats_ = to_stats(reply);
  client_.note(&runtime::TransferStatistics::compiles,
               {.calls = 1,
                .items = 1,
                .bytes = static_cast<std::int64_t>(program_.stablehlo().size()),
                .seconds = client_.now() - start});
}

std::string RemoteExecutable::explain(const runtime::Profiler* measured) const {
  std::string text =
      fmt::format("{} on the worker at {}\n{}", name_, connection_->address().host_port, text_of(""));
  if (measured == nullptr) return text;
  KnownFacts facts;
  {
    const std::lock_guard lock(connection_->order());
    facts = facts_;
  }
  for (const auto& one : facts)
    if (const auto profile = measured->program(one.get()))
      text += "\nmeasured there: " + runtime::report_of(*profile, profile->groups.size(), {});
  return text;
}

std::string RemoteExecutable::text_of(const std::string& stage) const {
  proto::ExplainRequest request;
  proto::ExplainReply reply;
  request.set_program(number_);
  request.set_stage(stage);
  const std::lock_guard lock(connection_->order());
  compile_in_session();
  connection_->fill(request);
  connection_->call(&proto::Worker::Stub::Explain, request, reply);
  return reply.text();
}

/// The number of steps whose rows and outputs fit in one message and in the link's limit; 0 if not even one
/// does.
std::int64_t RemoteExecutable::steps_of_call(const runtime::Replica& replica) const {
  const auto batch = static_cast<std::size_t>(batch_);
  std::size_t rows = 0, outputs = 0;
  if (!replica.row_buffers.empty()) {
    rows = batch * sizeof(std::int64_t);
  } else {
    for (const std::size_t bytes : row_bytes_) rows += bytes * batch;
  }
  if (replica.output_buffers.empty())
    for (const std::size_t bytes : output_bytes_) outputs += bytes;
  const std::size_t most = std::max(rows, outputs);
  if (most == 0) return std::int64_t{1} << 30;
  const std::lock_guard lock(connection_->order());
  const std::size_t limit =
      std::min<std::size_t>(connection_->hello().max_message_bytes(), connection_->pace().message_bytes());
  return static_cast<std::int64_t>(limit / most);
}

runtime::Submission RemoteExecutable::execute(const runtime::Execution& execution) {
  signature_.check(execution);
  const runtime::Replica& replica = execution.replicas[0];
  const std::int64_t most = steps_of_call(replica);
  const bool is_one_part = execution.num_steps > most && !replica.output_buffers.empty();
  std::int64_t done = 0;
  while (done < execution.num_steps &&
         (execution.progress == nullptr || !execution.progress->is_stopping())) {
    const std::int64_t left = execution.num_steps - done,
                       count = is_one_part ? left : std::min(std::max<std::int64_t>(most, 1), left);
    const Part part{replica, done, count};
    const std::int64_t ran =
        count > most ? run_in_pieces(part, execution.progress) : run(part, execution.progress);
    done += ran;
    if (execution.progress != nullptr) execution.progress->steps_done.store(done);
    if (ran < count) break;  // stopped
  }
  return {.done = {}, .num_steps = done};
}

std::span<const std::int64_t> RemoteExecutable::indices_of(const Part& part) const {
  if (row_bytes_.empty()) return {};
  return {part.replica.row_indices + part.first * batch_, static_cast<std::size_t>(part.count * batch_)};
}

void RemoteExecutable::add_row_places(proto::ExecuteRequest& request, const Part& part) const {
  if (part.replica.row_buffers.empty()) return;
  const std::span<const std::int64_t> indices = indices_of(part);
  for (const runtime::Buffer* buffer : part.replica.row_buffers)
    request.add_row_buffers(remote_buffer(*buffer).number());
  request.mutable_row_indices()->Add(indices.begin(), indices.end());
}

std::size_t RemoteExecutable::row_bytes_of(const Part& part) const {
  if (!part.replica.row_buffers.empty()) return 0;
  return std::accumulate(row_bytes_.begin(), row_bytes_.end(), std::size_t{0}) * indices_of(part).size();
}

void RemoteExecutable::gather_rows(const Part& part, std::byte* to) const {
  const std::span<const std::int64_t> indices = indices_of(part);
  for (std::size_t i = 0; i < row_bytes_.size(); ++i) {
    stacked::gather_rows(part.replica.rows[i], row_bytes_[i], indices, to);
    to += row_bytes_[i] * indices.size();
  }
}

std::span<const std::byte> RemoteExecutable::gathered_rows(const Part& part) {
  const std::size_t num_bytes = row_bytes_of(part);
  if (!part.replica.row_buffers.empty()) return {};
  std::byte* const rows = rows_memory_.reserve(num_bytes, "the rows of an execution");
  gather_rows(part, rows);
  return {rows, num_bytes};
}

/// Sends large rows from the memory in which they were gathered, without a copy into a message.
void RemoteExecutable::call(proto::ExecuteRequest& request, std::span<const std::byte> rows,
                            proto::ExecuteReply& reply) {
  constexpr std::size_t kMany = std::size_t{64} << 10;
  if (rows.size() < kMany) {
    request.set_rows(rows.data(), rows.size());
    connection_->call(&proto::Worker::Stub::Execute, request, reply);
    return;
  }
  Pipeline pipeline(*connection_, kExecuteMethod);
  pipeline.begin(request.SerializeAsString(), proto::ExecuteRequest::kRowsFieldNumber, {rows},
                 [&reply](grpc::ByteBuffer& answer) {
                   if (!grpc::SerializationTraits<proto::ExecuteReply>::Deserialize(&answer, &reply).ok())
                     fail(ErrorCode::kInternal,
                          "[grpc] the worker answered an execution with something else");
                 });
  pipeline.finish();
}

proto::ExecuteRequest RemoteExecutable::request_for(const Part& part) {
  const runtime::Replica& replica = part.replica;
  proto::ExecuteRequest request;
  request.set_program(number_);
  request.set_num_steps(part.count);
  request.set_num_rows(
      std::clamp<std::int64_t>(replica.num_rows - part.first * batch_, 0, part.count * batch_));
  for (const runtime::Buffer* buffer : replica.state) request.add_state(remote_buffer(*buffer).number());
  for (const runtime::Buffer* buffer : replica.fixed) request.add_fixed(remote_buffer(*buffer).number());
  add_row_places(request, part);
  for (const runtime::Buffer* buffer : replica.output_buffers) {
    request.add_output_buffers(remote_buffer(*buffer).number());
    *request.add_output_types() = remote::to_proto(buffer->type());
  }
  request.set_execution(connection_->next_number());
  request.set_begins_pass(!row_bytes_.empty() && connection_->take_pass());
  return request;
}

/// Writes rows that exceed a message before the steps that use them.
void RemoteExecutable::write_rows(const Part& part, Pieces& pieces) {
  runtime::Replica& replica = pieces.replica;
  const std::int64_t num_rows = part.count * batch_;
  replica.num_rows = std::clamp<std::int64_t>(replica.num_rows - part.first * batch_, 0, num_rows);
  if (rows_.empty()) return;
  if (!replica.row_buffers.empty()) {
    replica.row_indices += part.first * batch_;
    return;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    ir::TensorType type = rows_[i];
    type.dims[0] = num_rows;
    std::vector<std::byte> rows(type.size_bytes());
    stacked::gather_rows(replica.rows[i], row_bytes_[i], indices_of(part), rows.data());
    pieces.rows.push_back(pieces.made.emplace_back(client_.allocate(type)).get());
    pieces.rows.back()->copy_from_host(rows.data());
  }
  pieces.indices.resize(static_cast<std::size_t>(num_rows));
  std::iota(pieces.indices.begin(), pieces.indices.end(), std::int64_t{0});
  replica.rows = {};
  replica.row_buffers = pieces.rows;
  replica.row_indices = pieces.indices.data();
}

std::int64_t RemoteExecutable::run_in_pieces(const Part& part, runtime::Progress* progress) {
  Pieces pieces{.replica = part.replica};
  runtime::Replica& replica = pieces.replica;
  write_rows(part, pieces);
  std::vector<runtime::Read> reads;
  for (std::size_t i = 0; i < replica.outputs.size(); ++i) {
    const ir::TensorType& output = outputs_[i];
    const ir::TensorType all{output.dtype, {part.count * output.num_elements()}};
    pieces.outputs.push_back(pieces.made.emplace_back(client_.allocate(all)).get());
    reads.push_back({pieces.outputs.back(),
                     replica.outputs[i] + static_cast<std::size_t>(part.first) * output.size_bytes()});
  }
  replica.outputs = {};
  if (replica.output_buffers.empty()) replica.output_buffers = pieces.outputs;
  const std::int64_t done = run({replica, 0, part.count, part.first}, progress);
  client_.read(reads);
  return done;
}

void RemoteExecutable::take_profile(const proto::ExecuteReply& reply, runtime::Profiler& profiler,
                                    std::int64_t begin, std::int64_t end) {
  const runtime::ProfileRecord record = to_record(reply.profile(), facts_);
  if (record.programs.empty())
    profiler.record_unmeasured();
  else
    profiler.add(record, begin, end);
}

ReplyValues RemoteExecutable::values_of(const Part& part) const {
  std::vector<std::byte*> outputs;
  for (std::size_t i = 0; i < part.replica.outputs.size(); ++i)
    outputs.push_back(part.replica.outputs[i] + static_cast<std::size_t>(part.first) * output_bytes_[i]);
  return {connection_->address().host_port, part.count, std::move(outputs),
          part.replica.output_buffers.empty() ? output_bytes_ : std::vector<std::size_t>()};
}

bool RemoteExecutable::may_be_refused(const Part& part) const {
  // Less than what workers leave uncounted, and as much for a number as they count (worker/message_size.h).
  constexpr std::size_t kUncountedBytes = std::size_t{512} << 10, kNumberBytes = 24;
  const std::size_t num_numbers = part.replica.row_buffers.empty() ? 0 : indices_of(part).size();
  return connection_->hello().memory_limit_bytes() > 0 &&
         row_bytes_of(part) + kNumberBytes * num_numbers > kUncountedBytes;
}

void RemoteExecutable::complete(proto::ExecuteRequest& request, const Part& part, ReplyValues& values,
                                bool is_ahead) {
  const std::vector<RemoteBuffer*> reads = buffers_to_read(part.replica);
  for (const RemoteBuffer* const buffer : reads) request.add_read_buffers(buffer->number());
  compile_in_session();
  make_alive(part.replica);
  if (may_be_refused(part)) connection_->flush();
  if (is_ahead)
    connection_->fill_ahead(request);
  else
    connection_->fill(request);
  connection_->take_pending(*request.mutable_write());
  if (request.write().items().empty()) request.clear_write();
  set_written(part.replica);
  for (RemoteBuffer* const buffer : reads) values.add_read(*buffer);
}

namespace {

/// Throws the error that a reply reports. `steps_before`: as in Part.
void check_reply(const proto::ExecuteReply& reply, std::int64_t steps_before, runtime::Progress* progress) {
  if (reply.error().empty()) return;
  if (progress != nullptr) progress->steps_done.store(steps_before + reply.steps_done());
  throw to_error(error_code(reply.error_code()), reply.error(), reply.error_fields());
}

[[noreturn]] void refuse_early_end(const Connection& connection, std::int64_t done, std::int64_t count) {
  fail(ErrorCode::kUnavailable,
       "[grpc] the worker at {} has ended an execution after {} of {} steps, which nobody here has asked for",
       connection.address().host_port, done, count);
}

}  // namespace

std::int64_t RemoteExecutable::run(const Part& part, runtime::Progress* progress) {
  const double start = client_.now();
  proto::ExecuteRequest request = request_for(part);
  proto::ExecuteReply reply;
  ReplyValues values = values_of(part);
  const std::lock_guard lock(connection_->order());
  const std::span<const std::byte> rows = gathered_rows(part);
  complete(request, part, values, false);
  runtime::Profiler* const profiler = runtime::Profiler::current();
  if (profiler != nullptr) {
    request.mutable_profile()->set_max_slices(
        static_cast<std::uint32_t>(std::min(profiler->max_events(), kMaxProfileSlices)));
    request.mutable_profile()->set_known_facts(static_cast<std::uint32_t>(facts_.size()));
  }
  const std::int64_t begin = profiler != nullptr ? read_ticks() : 0;
  const std::int64_t steps_before = part.steps_before + part.first;
  {
    const Connection::Watch watch(*connection_, request.execution(), steps_before, progress);
    call(request, rows, reply);
  }
  check_reply(reply, steps_before, progress);
  if (profiler != nullptr) take_profile(reply, *profiler, begin, read_ticks());
  const std::int64_t done = values.take(reply);
  step_time_->note(done, reply.seconds());
  if (done < part.count && (progress == nullptr || !progress->is_stopping()))
    refuse_early_end(*connection_, done, part.count);
  client_.note(
      &runtime::TransferStatistics::executions,
      {.calls = 1,
       .items = done,
       .bytes = static_cast<std::int64_t>(rows.size() + reply.outputs().size() + reply.read().size()),
       .seconds = client_.now() - start});
  return done;
}

bool RemoteExecutable::is_short(std::int64_t num_steps) const {
  return connection_->has_run() && step_time_->is_known() && step_time_->of(num_steps) <= kMostSeconds &&
         runtime::Profiler::current() == nullptr;
}

runtime::Submission RemoteExecutable::submit(const runtime::Execution& execution) {
  signature_.check(execution);
  const runtime::Replica& replica = execution.replicas[0];
  if (execution.num_steps < 1 || execution.num_steps > steps_of_call(replica)) return execute(execution);
  if (execution.progress != nullptr && execution.progress->is_stopping()) return {};
  const std::lock_guard lock(connection_->order());
  return {.done = send_ahead({replica, 0, execution.num_steps}, execution.progress),
          .num_steps = execution.num_steps};
}

runtime::Event RemoteExecutable::send_ahead(const Part& part, runtime::Progress* progress) {
  const std::size_t num_bytes = row_bytes_of(part);
  const double seconds = step_time_->is_known() ? step_time_->of(part.count) : kMostSeconds;
  RunStream& stream = connection_->run_stream();
  stream.make_room(num_bytes, seconds);
  grpc::Slice rows(num_bytes);
  if (num_bytes > 0) gather_rows(part, reinterpret_cast<std::byte*>(const_cast<std::uint8_t*>(rows.begin())));
  proto::ExecuteRequest request = request_for(part);
  ReplyValues values = values_of(part);
  complete(request, part, values, true);
  const auto sent = std::make_shared<SentExecution>();
  sent->number = request.execution();
  sent->num_bytes = num_bytes;
  sent->seconds = seconds;
  // The reply may arrive after this object's end.
  sent->take = [client = &client_, connection = connection_.get(), step_time = step_time_, progress,
                count = part.count, num_bytes,
                values = std::move(values)](const proto::ExecuteReply& reply, double device_seconds) {
    check_reply(reply, 0, progress);
    const std::int64_t done = values.take(reply);
    step_time->note(done, reply.seconds());
    if (done < count) refuse_early_end(*connection, done, count);
    if (progress != nullptr) progress->steps_done.store(done);
    client->note(
        &runtime::TransferStatistics::executions,
        {.calls = 1,
         .items = done,
         .bytes = static_cast<std::int64_t>(num_bytes + reply.outputs().size() + reply.read().size()),
         .seconds = device_seconds});
  };
  std::string head = request.SerializeAsString();
  if (num_bytes > 0) append_field_head(head, proto::ExecuteRequest::kRowsFieldNumber, num_bytes);
  const grpc::Slice slices[] = {grpc::Slice(head), rows};
  stream.send(sent, grpc::ByteBuffer(slices, num_bytes > 0 ? 2 : 1));
  return runtime::Event(std::make_shared<SentExecutionEvent>(connection_, sent));
}

}  // namespace cornu::inline v0::backends::remote
